"""Gates, replays, checks and measures as a machine reads them, and the options that every command takes."""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest

from core.errors import EXIT_GATE, EXIT_INFRASTRUCTURE, EXIT_INPUT, EXIT_OK
from core.runs.store import RunStore
from gateway.cli.arguments import build_parser
from gateway.cli.main import main
from tests.support.scenes import MINIMAL, copy_minimal

CASE = Path("run/cases/renew-loan--text--r0/trace.json")


@pytest.fixture
def _run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of one call of words in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RINGBACK_CACHE", str(tmp_path / "cache"))
    assert EXIT_OK == main(["run", str(MINIMAL), "--scenarios", "renew-loan", "--concurrency", "1", "--out", "run"])


def _json(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> Any:
    """What a command that exits with `code` prints as JSON, and nothing beside it."""
    capsys.readouterr()
    assert code == main([*arguments, "--json"])
    printed = capsys.readouterr()
    assert "" == printed.err
    return json.loads(printed.out)


@pytest.mark.usefixtures("_run")
def test_whether_a_run_is_official_and_why_not(capsys: pytest.CaptureFixture[str]) -> None:
    """Every reason on a line of its own and exit 1; an official run is exit 0."""
    store = RunStore.open(Path("run"))
    summary = store.summary()
    assert "the bundle is not locked" in summary.official_reasons
    found = _json(capsys, EXIT_GATE, "official", "run")
    assert {"official": False, "reasons": list(summary.official_reasons)} == found
    assert EXIT_GATE == main(["official", "run"])
    assert ["not official:", *(f"- {why}" for why in summary.official_reasons)] == capsys.readouterr().out.splitlines()
    store.save_summary(summary.model_copy(update={"official": True, "official_reasons": ()}))
    assert EXIT_OK == main(["official", "run"])
    assert "official\n" == capsys.readouterr().out
    assert {"official": True, "reasons": []} == _json(capsys, EXIT_OK, "official", "run")


@pytest.mark.usefixtures("_run")
def test_a_gate_in_machine_form(capsys: pytest.CaptureFixture[str]) -> None:
    """Every gate with its value and bound, and whether all of them passed, as the exit code says."""
    passed = _json(capsys, EXIT_OK, "gate", "run", "--min", "overall=0")
    assert passed["passed"]
    failed = _json(capsys, EXIT_GATE, "gate", "run", "--min", "overall=0", "--max", "overall=0", "--max", "wer=1")
    assert not failed["passed"]
    outcomes = [(gate["measure"], gate["passed"], gate["missing"]) for gate in failed["gates"]]
    assert [("overall", True, False), ("overall", False, False), ("wer", False, True)] == outcomes


@pytest.mark.usefixtures("_run")
def test_each_failed_gate_is_named_and_a_missing_figure_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1 where a bound is missed, whatever else is missing; exit 2 where no bound is missed and a figure is not there."""
    bounds = ["--min", "task=101", "--max", "cost=0", "--max", "dropped=0", "--max", "overall=-1"]
    assert EXIT_GATE == main(["gate", "run", *bounds, "--min", "pass^3=0.5"])
    lines = capsys.readouterr().out.splitlines()
    assert ["FAIL  text: task", "FAIL  text: overall"] == [" ".join(line.split(" ")[:4]) for line in lines if "FAIL" in line]
    assert "none  text: pass^3 not measured, wanted >= 0.5" in lines
    assert "pass  run: cost 0, wanted <= 0" in lines

    assert EXIT_INPUT == main(["gate", "run", "--min", "overall=0", "--min", "pass^3=0.5", "--max", "wer=1"])
    told = (
        "ringback: error: this run does not hold: text: pass^3 not measured, wanted >= 0.5; text: wer not measured, wanted <= 1\n"
    )
    assert told == capsys.readouterr().err


@pytest.mark.usefixtures("_run")
def test_runs_are_compared_each_with_the_next(capsys: pytest.CaptureFixture[str]) -> None:
    """Three sides give two pairs of three measures; one side is no comparison."""
    found = _json(capsys, EXIT_OK, "compare", "run", "run@text", "run")
    pairs = [(item["a"], item["b"], item["measure"]) for item in found["paired"]]
    assert [("run@text", "run@text", name) for name in ("overall", "task", "conversation")] * 2 == pairs
    assert EXIT_OK == main(["compare", "run", "run@text", "run"])
    printed = capsys.readouterr().out
    assert 6 == printed.count("run@text - run@text")
    assert "by scenario" not in printed
    assert EXIT_INPUT == main(["compare", "run"])
    assert "run: a comparison needs a second side" in capsys.readouterr().err


@pytest.mark.usefixtures("_run")
def test_another_seed_is_refused_and_allowed_with_the_difference(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2 names what differs; `--allow-different` compares and prints it; of several sides the pair is named."""
    again = ["run", str(MINIMAL), "--scenarios", "renew-loan", "--concurrency", "1", "--seed", "8", "--out", "other"]
    assert EXIT_OK == main(again)
    first = json.loads(Path("run/run.json").read_bytes())["seed"]
    capsys.readouterr()
    assert EXIT_INPUT == main(["compare", "run", "other"])
    assert f"cannot be compared fairly: seed: {first} against 8 (--allow-different" in capsys.readouterr().err
    found = _json(capsys, EXIT_OK, "compare", "run", "other", "--allow-different")
    assert [f"seed: {first} against 8"] == found["different"]
    assert EXIT_INPUT == main(["compare", "run", "run", "other"])
    assert f"fairly: run@text and other@text: seed: {first} against 8" in capsys.readouterr().err


@pytest.mark.usefixtures("_run")
def test_another_line_under_one_condition_is_refused_and_two_conditions_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    """What the traces say counts: a run gone on with elsewhere may have another line than its manifest says."""
    both = ["run", str(MINIMAL), "--scenarios", "renew-loan", "--concurrency", "1", "--condition", "text,authored"]
    assert EXIT_OK == main([*both, "--out", "both"])
    trace = json.loads((Path("both") / CASE.relative_to("run")).read_bytes())
    trace["header"]["line"] = {"line": "text-1", "spoken_form": "en-0"}
    (Path("both") / CASE.relative_to("run")).write_text(json.dumps(trace), encoding="utf-8")
    capsys.readouterr()
    assert EXIT_INPUT == main(["compare", "run", "both@text"])
    assert "cannot be compared fairly: line.spoken_form: None against en-0 (--allow-different" in capsys.readouterr().err
    found = _json(capsys, EXIT_OK, "compare", "run", "both@text", "--allow-different")
    assert ["line.spoken_form: None against en-0"] == found["different"]
    assert [] == _json(capsys, EXIT_OK, "compare", "run", "both@authored")["different"]
    assert [] == _json(capsys, EXIT_OK, "compare", "both@text", "both@authored")["different"]


@pytest.mark.usefixtures("_run")
def test_a_swap_of_the_caller(capsys: pytest.CaptureFixture[str]) -> None:
    """Runs that differ in the caller alone are set beside each other; two runs with one caller are none."""
    shutil.copytree("run", "other")
    manifest = json.loads(Path("other/run.json").read_bytes())
    manifest["caller"]["party"] = "offline:other"
    Path("other/run.json").write_text(json.dumps(manifest), encoding="utf-8")
    found = _json(capsys, EXIT_OK, "swap", "run", "other")
    assert ["offline:scripted", "offline:other"] == found["callers"]
    assert [(0.0, 1)] == [(change["mean"], change["ties"]) for change in found["changes"]]
    assert EXIT_OK == main(["swap", "run", "other"])
    assert "add runs of another with the same callers" in " ".join(capsys.readouterr().out.split())
    assert EXIT_INPUT == main(["swap", "run", "run"])
    assert "every run has the caller offline:scripted" in capsys.readouterr().err


@pytest.mark.usefixtures("_run")
def test_a_replay_in_machine_form(capsys: pytest.CaptureFixture[str]) -> None:
    """Each trace with its differences; none where there is none."""
    agreed = {"trace": str(CASE), "differences": [], "mismatches": []}
    assert {"traces": [agreed]} == _json(capsys, EXIT_OK, "replay", str(CASE))
    trace = json.loads(CASE.read_bytes())
    end = trace["end"]
    CASE.write_text(json.dumps({**trace, "end": "turn_limit"}), encoding="utf-8")
    (found,) = _json(capsys, EXIT_GATE, "replay", str(CASE))["traces"]
    assert [{"where": "end", "recorded": "turn_limit", "replayed": end}] == found["differences"]


@pytest.mark.usefixtures("_run")
def test_another_line_is_a_mismatch_and_no_difference(capsys: pytest.CaptureFixture[str]) -> None:
    """One line names every setting that is another one here; exit code 3, since nothing was compared."""
    trace = json.loads(CASE.read_bytes())
    trace["header"]["line"] = {"line": "text-0", "cpu_features": ["avx2"]}
    CASE.write_text(json.dumps(trace), encoding="utf-8")
    capsys.readouterr()
    assert EXIT_INFRASTRUCTURE == main(["replay", str(CASE)])
    settings = "header.line.cpu_features: recorded ['avx2'], here None; header.line.line: recorded 'text-0', here 'text-1'"
    assert f"{CASE}: cannot be compared here: {settings}\n" == capsys.readouterr().out
    (found,) = _json(capsys, EXIT_INFRASTRUCTURE, "replay", str(CASE))["traces"]
    assert ([], 2) == (found["differences"], len(found["mismatches"]))


def test_a_bundle_check_in_machine_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was counted, or every fault with its file, field and reason."""
    good = _json(capsys, EXIT_OK, "bundle", "check", str(MINIMAL))
    assert ("minimal", []) == (good["id"], good["faults"])
    folder = copy_minimal(tmp_path)
    (folder / "bundle.yaml").write_text("id: 5\n", encoding="utf-8")
    faults = _json(capsys, EXIT_INPUT, "bundle", "check", str(folder))["faults"]
    assert {"bundle.yaml"} == {fault["file"] for fault in faults}
    assert {"file", "field", "reason"} == set(faults[0])


@pytest.mark.parametrize("command", ["run", "demo"])
def test_a_channel_nobody_knows_is_refused_before_a_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """Also where no call of the run would be spoken."""
    monkeypatch.chdir(tmp_path)
    bundle = [str(MINIMAL)] if command == "run" else []
    assert EXIT_INPUT == main([command, *bundle, "--channel", "foo", "--out", "out"])
    assert "ringback: error: unknown channel 'foo'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "verbose", "quiet"),
    [
        ("schema", 0, False),
        ("-v schema", 1, False),
        ("schema -v", 1, False),
        ("schema -vv", 2, False),
        ("-q schema", 0, True),
        ("schema -q", 0, True),
        ("-v bundle check x -q", 1, True),
        ("bundle -v check x", 1, False),
        ("bundle check x -v", 1, False),
    ],
)
def test_loudness_is_taken_before_and_after_a_command(words: str, verbose: int, quiet: bool) -> None:
    """`-v` and `-q` mean the same wherever they stand."""
    args = build_parser().parse_args(words.split())
    assert (verbose, quiet) == (args.verbose, args.quiet)


def test_loudness_sets_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors alone with `-q`, warnings without, more with `-v`."""
    log = logging.getLogger("ringback")
    monkeypatch.setattr(log, "level", log.level)
    for options, level in (([], logging.WARNING), (["-q"], logging.ERROR), (["-v"], logging.INFO), (["-vv"], logging.DEBUG)):
        assert EXIT_OK == main(["schema", *options])
        assert level == log.level


SAID = "It is 0441 2907, at half past two on March 14 2026, for 129.50 dollars, code QX338805, mail ann.b@example.com, 12 items."
HEARD = (
    "it is oh four four one two nine oh seven at 2:30 on march 15 2026 for 129 dollars code qx338805 mail ann at example dot com"
)


def test_measure_tells_which_values_survived(capsys: pytest.CaptureFixture[str]) -> None:
    """Values of every kind that can be read out of the reference, in order, in whatever form they are heard."""
    (pair,) = _json(capsys, EXIT_OK, "measure", "--reference", SAID, "--heard", HEARD)["pairs"]
    values = pair["values"]
    assert [
        ("digits", "04412907", "0441 2907", True),
        ("time", "14:30", "half past two", True),
        ("date", "2026-03-14", "March 14 2026", False),
        ("money", 129.5, "129.50 dollars", False),
        ("code", "QX338805", "QX338805", True),
        ("email", "ann.b@example.com", "ann.b@example.com", False),
        ("number", 12, "12", False),
    ] == [(row["kind"], row["value"], row["said"], row["survived"]) for row in values]
    assert "march 15 2026" == values[2]["heard"]


def test_measure_prints_the_values(capsys: pytest.CaptureFixture[str]) -> None:
    """Counted, then one line each; in a language whose values cannot be read it says so."""
    assert EXIT_OK == main(["measure", "--reference", SAID, "--heard", HEARD])
    printed = capsys.readouterr().out
    assert "known values: 3 of 7 survived\n" in printed
    assert ["damaged", "129.50", "dollars", "129", "dollars", "money", "129.5"] in [line.split() for line in printed.splitlines()]
    assert EXIT_OK == main(["measure", "--reference", "bonjour", "--heard", "bonjour", "--language", "fr"])
    assert "known values: not read in 'fr'" in capsys.readouterr().out
    (pair,) = _json(capsys, EXIT_OK, "measure", "--reference", "x", "--heard", "x", "--language", "fr")["pairs"]
    assert pair["values"] is None
