"""`ringback measure` through the command: three forms, one at a time, and one line for whatever is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import EXIT_INPUT, EXIT_OK
from core.schemas.hearing import HearingReport, PairsReport
from gateway.cli.main import main


def _prints(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert EXIT_OK == main(["measure", *arguments])
    return capsys.readouterr().out


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(_prints(capsys, *arguments, "--json"))


def _refuses(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert EXIT_INPUT == main(["measure", *arguments])
    found = capsys.readouterr()
    assert "" == found.out
    assert 1 == found.err.count("\n")
    return found.err


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one scenario on the two lines of text."""
    out = tmp_path_factory.mktemp("measured") / "run"
    arguments = [
        "run",
        "frontdesk",
        "--candidate",
        "offline:baseline",
        "--scenarios",
        "hold-at-depot",
        "--condition",
        "text,authored",
    ]
    assert EXIT_OK == main([*arguments, "--out", str(out), "-q"])
    return out


def test_two_files_are_measured_line_by_line_and_pooled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Windows line ends and a byte order mark are no words; a last line end starts no utterance."""
    said, heard, page = tmp_path / "said.txt", tmp_path / "heard.txt", tmp_path / "page.md"
    said.write_bytes(b"\xef\xbb\xbfmy name is Ann Lee\r\nplease\r\n")
    heard.write_text("my name is an lee\n\n", encoding="utf-8")
    files = ("--reference-file", str(said), "--heard-file", str(heard), "--value", "name=Ann Lee", "--markdown", str(page))
    report = PairsReport.model_validate(_json(capsys, *files))
    assert report.figures.wer is not None
    assert (2, 1, 1, 6) == (
        report.figures.turns,
        report.figures.wer.substitutions,
        report.figures.empty,
        report.figures.wer.reference,
    )
    assert (0, 1) == (report.figures.known_values.survived, report.figures.known_values.occurring)
    assert "| all | 2 |" in page.read_text(encoding="utf-8")


def test_a_run_is_measured_whole_and_by_condition(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both conditions, or the one that is named; nothing in the run's folder changes."""
    before = {path: path.read_bytes() for path in played.rglob("*") if path.is_file()}
    assert ["authored", "text"] == sorted(HearingReport.model_validate(_json(capsys, str(played))).conditions)
    assert ["authored"] == list(HearingReport.model_validate(_json(capsys, f"{played}@authored")).conditions)
    assert "Hearing under authored" in _prints(capsys, f"{played}@authored", "--turns")
    assert before == {path: path.read_bytes() for path in played.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--reference", "a"),
        ("--heard-file", "b.txt"),
        ("--reference", "a", "--heard", "b", "--reference-file", "c.txt", "--heard-file", "d.txt"),
        ("run", "--reference", "a", "--heard", "b"),
    ],
)
def test_one_whole_form_is_wanted(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    """Half a form, none, or two at once: the line names the three."""
    assert "give a RUN, or --reference and --heard, or --reference-file and --heard-file" in _refuses(capsys, *arguments)


def test_what_is_wrong_is_named(tmp_path: Path, played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lines that do not pair, no UTF-8, no file, an unknown kind, condition or run, options of another form."""
    one, two, raw = tmp_path / "one.txt", tmp_path / "two.txt", tmp_path / "raw.txt"
    one.write_text("a\n", encoding="utf-8")
    two.write_text("a\nb\n", encoding="utf-8")
    raw.write_bytes(b"ab\xff")
    texts = ("--reference", "a", "--heard", "b")
    assert "one.txt has 1 lines" in _refuses(capsys, "--reference-file", str(one), "--heard-file", str(two))
    assert "byte 2 is no UTF-8" in _refuses(capsys, "--reference-file", str(raw), "--heard-file", str(one))
    assert "no utterances here" in _refuses(capsys, "--reference-file", str(tmp_path / "gone"), "--heard-file", str(one))
    assert "write KIND=VALUE" in _refuses(capsys, *texts, "--value", "colour=red")
    assert "'soon' is no date" in _refuses(capsys, *texts, "--value", "date=soon")
    assert "--turns is for a RUN" in _refuses(capsys, *texts, "--turns")
    assert "--value names what was said" in _refuses(capsys, str(played), "--value", "name=Ann")
    assert "use one of text, authored" in _refuses(capsys, f"{played}@asr")
    assert "no condition 'loud'" in _refuses(capsys, f"{played}@loud")
    assert "no run here" in _refuses(capsys, str(tmp_path))


def test_a_language_must_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    """None is refused as by `speak` and `hear`; one without rules is compared by `generic-v1`, and the page says so."""
    texts = ("--reference", "son 5 euros", "--heard", "son 5 euros")
    for tag in ("", "x", "spanish"):
        assert f"'{tag}' names no language" in _refuses(capsys, *texts, "--language", tag)
    printed = _prints(capsys, *texts, "--language", "es")
    assert "generic-v1" in printed
    assert "known values: not read in 'es'" in printed


def test_what_a_minus_and_a_group_of_figures_cost_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """A minus that was not heard is an error, one that was said is none; an amount by lakhs survives its words."""
    assert 1 == _json(capsys, "--reference", "It is -5 degrees", "--heard", "it is 5 degrees")["figures"]["wer"]["deletions"]
    assert 0 == _json(capsys, "--reference", "It is -5 degrees", "--heard", "it is minus five degrees")["figures"]["wer"]["rate"]
    heard = _json(capsys, "--reference", "It costs ₹1,50,000.", "--heard", "it costs one lakh fifty thousand rupees")
    assert 0 == heard["figures"]["wer"]["rate"]
    assert [("money", 150000.0, True)] == [(one["kind"], one["value"], one["survived"]) for one in heard["pairs"][0]["values"]]
