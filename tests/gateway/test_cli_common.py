"""SPEC 9: what every command shares: bundles by name, `RUN[@condition]`, progress that vanishes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from core.bundle import shipped_bundle
from core.errors import UsageError
from gateway.cli.common import Progress, bundle_folder, print_json, split_run


def test_a_bundle_is_a_path_or_the_name_of_a_shipped_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of that name comes first; a name that is neither is kept, so that the error repeats it."""
    monkeypatch.chdir(tmp_path)
    assert shipped_bundle("frontdesk") == bundle_folder("frontdesk")
    assert Path("nowhere") == bundle_folder("nowhere")
    assert Path("./frontdesk") == bundle_folder("./frontdesk")
    assert Path("x/frontdesk") == bundle_folder("x/frontdesk")
    (tmp_path / "frontdesk").mkdir()
    assert Path("frontdesk") == bundle_folder("frontdesk")


@pytest.mark.parametrize(
    ("text", "path", "condition"),
    [
        ("runs/first", "runs/first", None),
        ("runs/first@asr", "runs/first", "asr"),
        ("runs/a@b@text", "runs/a@b", "text"),
        ("runs@home/first", "runs@home/first", None),
        ("runs@home/first@text", "runs@home/first", "text"),
    ],
)
def test_a_run_may_name_its_condition(text: str, path: str, condition: str | None) -> None:
    """What follows the last @ of the last part of the path."""
    assert (Path(path), condition) == split_run(text)


def test_a_condition_that_is_missing_is_said() -> None:
    """An @ with nothing behind it is a slip."""
    with pytest.raises(UsageError, match="'runs/first@': a condition is missing after @"):
        split_run("runs/first@")


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_shows_on_a_terminal_and_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, written over by the next, wiped at the end."""
    screen = _Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    bar = Progress(2, quiet=False)
    bar.step("a--text--r0")
    bar.step("b--text--r0 dropped: clip")
    bar.close()
    assert "\r\x1b[K[1/2] a--text--r0\r\x1b[K[2/2] b--text--r0 dropped: clip\r\x1b[K" == screen.getvalue()


@pytest.mark.parametrize(("screen", "quiet"), [(io.StringIO(), False), (_Terminal(), True)], ids=["no terminal", "quiet"])
def test_progress_is_silent_elsewhere(screen: io.StringIO, quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs and pipes get no control characters, and `-q` means quiet."""
    monkeypatch.setattr("sys.stderr", screen)
    bar = Progress(1, quiet=quiet)
    bar.step("a")
    bar.close()
    assert "" == screen.getvalue()


def test_machine_form_is_json_with_sorted_keys(capsys: pytest.CaptureFixture[str]) -> None:
    """The same value prints the same bytes, and other scripts stay readable."""
    print_json({"b": 1, "a": "é"})
    printed = capsys.readouterr().out
    assert '{\n  "a": "é",\n  "b": 1\n}\n' == printed
    assert {"a": "é", "b": 1} == json.loads(printed)
