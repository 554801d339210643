"""`ringback snapshot freeze`, `verify` and `diff` as they are typed: exit codes, tables, JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gateway.cli.main import main
from tests.core.snapshot_months import make_build


def _run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = main(["snapshot", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


def _frozen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    code, out, err = _run(capsys, "freeze", make_build(tmp_path / "build"), "--out", tmp_path / "months" / "a")
    assert (0, "") == (code, err)
    assert "4 fraud and 2 lawful calls" in out
    return tmp_path / "months" / "a"


def test_a_month_is_frozen_and_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 0, the sameness in words, and the root that freezing told."""
    month = _frozen(tmp_path, capsys)
    root = json.loads((month / "SNAPSHOT.json").read_text(encoding="utf-8"))["root_sha256"]
    code, out, _ = _run(capsys, "verify", month)
    assert 0 == code
    assert out.startswith(f"2026-11-en-test: identical: every byte is as it was frozen (6 calls)\nroot  {root}\n")
    code, out, _ = _run(capsys, "verify", month, "--json")
    told = json.loads(out)
    assert (0, "identical", root, []) == (code, told["sameness"], told["root_sha256"], told["findings"])


def test_without_out_a_month_is_named_by_its_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies in snapshots/<id> below the folder one stands in."""
    build = make_build(tmp_path / "build", audio=False)
    monkeypatch.chdir(tmp_path)
    assert 0 == _run(capsys, "freeze", build)[0]
    assert 0 == _run(capsys, "verify", Path("snapshots") / "2026-11-en-test")[0]


def test_a_broken_month_is_exit_1_with_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each difference with its kind and file; the machine form says the same."""
    month = _frozen(tmp_path, capsys)
    (month / "LICENSE").chmod(0o644)
    (month / "LICENSE").write_text("mine\n", encoding="utf-8")
    month.chmod(0o755)
    (month / "more.txt").write_text("x", encoding="utf-8")
    code, out, _ = _run(capsys, "verify", month)
    assert 1 == code
    lines = out.splitlines()
    assert "2026-11-en-test: broken: this is not what was frozen (6 calls)" == lines[0]
    assert ["extra    more.txt  was not frozen: remove it"] == [line for line in lines if line.startswith("extra")]
    assert ["changed  LICENSE "] == [line[:17] for line in lines if line.startswith("changed")]
    code, out, _ = _run(capsys, "verify", month, "--json")
    assert (1, {"extra", "changed", "writable"}) == (code, {item["kind"] for item in json.loads(out)["findings"]})


def test_a_second_freeze_is_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same build again, and another one of the same name beside it."""
    month = _frozen(tmp_path, capsys)
    code, _, err = _run(capsys, "freeze", tmp_path / "build", "--out", tmp_path / "other")
    assert (2, True) == (code, "never changed again" in err)
    code, _, err = _run(capsys, "freeze", make_build(tmp_path / "again"), "--out", month.parent / "b")
    assert (2, True) == (code, "a second one of this name is refused" in err)


def test_an_amended_month_names_its_parent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By --parent, which must be another month; diff tells it, and both contracts."""
    month = _frozen(tmp_path, capsys)
    again = make_build(tmp_path / "again")
    code, _, err = _run(capsys, "freeze", again, "--parent", month, "--out", tmp_path / "b")
    assert (2, True) == (code, "build again with another --id" in err)
    build = make_build(tmp_path / "amended", name="2026-11-en-amended", audio=False)
    code, out, _ = _run(capsys, "freeze", build, "--parent", month, "--out", month.parent / "b")
    assert (0, True) == (code, "\nparent  " in out)
    code, out, _ = _run(capsys, "diff", month, month.parent / "b")
    assert 0 == code
    cells = {parts[0]: parts[1:] for parts in (re.split(" {2,}", line) for line in out.splitlines())}
    assert ["6 / 4 / 2", "6 / 4 / 2"] == cells["total / fraud / lawful"]
    assert ["en, 8000 Hz", "en, text alone"] == cells["contract"]
    assert "2026-11-en-amended names 2026-11-en-test as its parent" == out.splitlines()[-1]
    assert "shared: 0 samples, 0 trees, 0 texts" in out
    code, out, _ = _run(capsys, "diff", month, month.parent / "b", "--json")
    assert (0, True, []) == (code, json.loads(out)["is_parent"], json.loads(out)["shared_samples"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("verify", "nowhere"), "'nowhere': no frozen month here (no SNAPSHOT.json)"),
        (("diff", "nowhere", "there"), "'nowhere': no frozen month here"),
        (("freeze", "nowhere"), "nowhere: no build here (no recipe.json): make one"),
    ],
)
def test_what_is_not_there_is_exit_2(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    """One line each, that says what was looked for."""
    monkeypatch.chdir(tmp_path)
    code, _, err = _run(capsys, *arguments)
    assert 2 == code
    assert message in err
    assert 1 == len(err.splitlines())


def test_a_build_that_misses_its_contract_is_exit_2_with_every_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts and a lost recording at once."""
    build = make_build(tmp_path / "build")
    lines = (build / "candidates.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (build / "candidates.jsonl").write_text("".join(lines[1:]), encoding="utf-8")
    next((build / "audio").glob(f"{json.loads(lines[1])['call']['sample_id']}.wav")).unlink()
    code, _, err = _run(capsys, "freeze", build, "--out", tmp_path / "a")
    assert 2 == code
    assert "calls, and there are" in err
    assert "no recording here" in err
    assert not (tmp_path / "a").exists()
