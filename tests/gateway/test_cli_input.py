"""What a user can get wrong: one line that says what was found and what would be right, exit code 2, nothing half written."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from core.errors import EXIT_INFRASTRUCTURE, EXIT_INPUT
from core.schemas.base import Condition, Diagnostic
from gateway.cli.main import main
from tests.support.command import SCRIPT, Command, files_of
from tests.support.scenes import MINIMAL, copy_minimal

RENEW = ("run", str(MINIMAL), "--scenarios", "renew-loan", "--concurrency", "1", "--out", "run")
PARTIES = {"candidate": "offline:baseline", "caller": "offline:scripted", "judge": "offline:rules"}


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Refused:
    """Runs a command in an empty folder that must refuse in one line and leave the folder empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RINGBACK_CACHE", str(tmp_path / "cache"))
    return Refused(tmp_path, capsys)


class Refused:
    """A command that must refuse."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder, self._capsys = folder, capsys

    def __call__(self, *arguments: str) -> str:
        """The reason, from the only line of the error."""
        before = sorted(self._folder.rglob("*"))
        assert EXIT_INPUT == main(arguments)
        out, err = self._capsys.readouterr()
        assert "" == out
        lines = [line for line in err.splitlines() if not line.startswith(("usage:", " "))]
        assert 1 == len(lines), err
        assert before == sorted(self._folder.rglob("*"))
        head, _, reason = lines[0].partition(": error: ")
        assert head.startswith("ringback")
        return reason


@pytest.mark.parametrize("role", PARTIES)
@pytest.mark.parametrize(
    "name", ["offline:nobody", "magic:baseline", "baseline", "offline:baseline?x=1", "python:nowhere:it", ""]
)
def test_an_unknown_party_is_refused(refused: Refused, role: str, name: str) -> None:
    """The line repeats what was written, and an unknown name gets the valid ones."""
    reason = refused(*RENEW, f"--{role}", name)
    assert repr(name) in reason
    if name in ("offline:nobody", "magic:baseline"):
        assert PARTIES[role] in reason
        assert "python:<module>:<object>" in reason


@pytest.mark.parametrize("condition", ["video", "text,video", "audio", "TEXT", "text asr", "", ","])
def test_an_unknown_condition_is_refused(refused: Refused, condition: str) -> None:
    """The line lists the conditions."""
    reason = refused(*RENEW, "--condition", condition)
    assert f"{Condition.TEXT}, {Condition.AUTHORED}, {Condition.ASR}" in reason


@pytest.mark.parametrize(
    "channel", ["satellite", "", "landline:", "landline:hiss=3", "landline:snr=loud", "landline:snr=nan", "clean:snr=5"]
)
def test_an_unknown_channel_is_refused_before_anything_is_played(refused: Refused, channel: str) -> None:
    """A channel that no spoken call could use is an error under any condition that sounds."""
    assert repr(channel) in refused(*RENEW, "--condition", "text,asr", "--channel", channel)


@pytest.mark.parametrize("choice", [("--scenarios", "renew"), ("--agents", "dental*"), ("--languages", "hi,de")])
def test_a_choice_that_matches_nothing_is_refused(refused: Refused, choice: tuple[str, str]) -> None:
    """The line repeats the pattern and lists the scenarios there are."""
    reason = refused(*RENEW[:2], "--out", "run", *choice)
    assert choice[1] in reason
    assert "noisy-renewal, renew-loan" in reason


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--repeats", "0"),
        ("--repeats", "-1"),
        ("--repeats", "many"),
        ("--repeats", "99999999"),
        ("--concurrency", "0"),
        ("--seed", "-1"),
    ],
)
def test_a_number_out_of_range_is_refused(refused: Refused, option: str, value: str) -> None:
    """Counts are whole numbers within bounds, and the line names option and value."""
    reason = refused(*RENEW, option, value)
    assert option in reason
    assert value in reason


@pytest.mark.parametrize("name", ["nowhere", "./nowhere", "frontdesk/nowhere", "", "schema"])
def test_what_is_no_bundle_is_refused(refused: Refused, name: str) -> None:
    """A missing folder, a folder without a bundle, an empty name."""
    assert "no bundle" in refused("run", name)


@pytest.mark.parametrize("name", ["gone", "a b/ç"])
@pytest.mark.parametrize(
    "command", [("report",), ("grade",), ("gate", "--min", "overall=1"), ("compare", "gone@text"), ("replay",)]
)
def test_what_is_no_run_is_refused(refused: Refused, command: tuple[str, ...], name: str) -> None:
    """Every command that starts from a run says where it found none."""
    assert (command[1] if command[0] == "compare" else name).partition("@")[0] in refused(*command, name)


def test_an_output_folder_that_cannot_be_made_is_one_line(ringback: Command, tmp_path: Path) -> None:
    """An output folder that not even root can make is one line; nothing is written."""
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    for out in ("file", "file/run", "/proc/run"):
        assert ringback.fails(EXIT_INPUT, *RENEW[:-1], out).startswith(f"{out}: cannot create this folder: ")
    assert {"file": b"kept"} == files_of(tmp_path)


def test_a_folder_with_other_things_is_left_alone(ringback: Command, tmp_path: Path) -> None:
    """A folder that holds no run is no place for one, hidden files included."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".git").write_text("kept", encoding="utf-8")
    assert ringback.fails(EXIT_INPUT, *RENEW).startswith("run: this folder is not empty and holds no run")
    assert {"run/.git": b"kept"} == files_of(tmp_path)


def test_odd_names_work_in_any_locale(ringback: Command, tmp_path: Path) -> None:
    """Bundles and runs may lie under names with spaces, quotes, other scripts and a leading dash."""
    home = tmp_path / "büro 'ä' 電話"
    home.mkdir()
    arguments = ("run", copy_minimal(home), *RENEW[2:-1], "./-läufe/первый run")
    assert "первый run" in ringback.passes(*arguments, LC_ALL="C.UTF-8")
    ringback.passes(*arguments, LC_ALL="C")
    case = tmp_path / "-läufe" / "первый run" / "cases" / "renew-loan--text--r0"
    assert f"{case / 'trace.json'}: no difference\n" == ringback.passes("replay", case, LC_ALL="C.UTF-8")


def test_an_argument_that_is_no_text_is_refused(refused: Refused) -> None:
    """Bytes that are not UTF-8 could not be written into the run's manifest, so they are refused at the door."""
    assert "is not UTF-8 text" in refused(*RENEW[:-1], "run\udcff")


def test_a_folder_may_have_an_at_sign_in_its_name(ringback: Command) -> None:
    """What exists under its whole name is a run, and a condition can still follow."""
    ringback.passes(*RENEW[:-1], "me@home")
    assert ringback.passes("gate", "me@home@text", "--min", "overall=1") == ringback.passes(
        "gate", "me@home", "--min", "overall=1"
    )


def test_a_measure_of_no_gate_is_refused(ringback: Command) -> None:
    """A gate names its measures; one without a number or none at all is refused too."""
    ringback.passes(*RENEW)
    reason = ringback.fails(EXIT_INPUT, "gate", "run", "--min", "beauty=3")
    for name in ("overall", "task", "conversation", "success", "wer", "known_value_accuracy", *(d.value for d in Diagnostic)):
        assert name in reason
    assert "overall" in ringback.fails(EXIT_INPUT, "gate", "run", "--max", "overall")
    assert "asr" in ringback.fails(EXIT_INPUT, "gate", "run@asr", "--min", "overall=1")
    assert "--min" in ringback.fails(EXIT_INPUT, "gate", "run")


def test_secrets_of_the_environment_reach_no_file(ringback: Command, tmp_path: Path) -> None:
    """Keys and tokens stand in no file of a run, no report and no log, however much is logged."""
    marker = "sk-marker-93f1c07be2"
    done = ringback("-vv", *RENEW, RINGBACK_TOKEN=marker, OPENAI_API_KEY=marker, HF_TOKEN=marker)
    assert 0 == done.returncode
    assert marker not in done.stdout + done.stderr
    held = files_of(tmp_path)
    assert "run/report.html" in held
    assert [] == [name for name, data in held.items() if marker.encode() in data]


def test_a_reader_that_leaves_is_no_error(ringback: Command) -> None:
    """`ringback ... | head` ends quietly."""
    with ringback.start("bundle", "show", "frontdesk") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert ("", 0) == (process.stderr.read(), process.wait(60))


def test_a_full_disk_behind_stdout_is_one_line(ringback: Command) -> None:
    """What cannot be printed is an error of the machine, not a traceback."""
    script = f"exec {shlex.quote(str(SCRIPT))} bundle show frontdesk > /dev/full"
    done = subprocess.run(["/bin/sh", "-c", script], env=ringback.environment(), capture_output=True, text=True, check=False)
    assert EXIT_INFRASTRUCTURE == done.returncode
    assert ["ringback: error: the system refused: [Errno 28] No space left on device"] == done.stderr.splitlines()


def test_closed_streams_are_no_error(ringback: Command, tmp_path: Path) -> None:
    """A command started without stdin, stdout and stderr does its work."""
    script = f"exec {shlex.join([str(SCRIPT), *RENEW])} <&- >&- 2>&-"
    done = subprocess.run(["/bin/sh", "-c", script], cwd=tmp_path, env=ringback.environment(), check=False)
    assert 0 == done.returncode
    assert (tmp_path / "run" / "summary.json").is_file()


def test_a_run_of_words_needs_no_home(ringback: Command, tmp_path: Path) -> None:
    """Neither HOME nor a cache folder is needed where nothing sounds."""
    ringback.passes(*RENEW, HOME="", RINGBACK_CACHE="")
    assert ["run"] == [path.name for path in tmp_path.iterdir()]
