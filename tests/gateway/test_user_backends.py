"""Issue 4, backends: a bundle's own tools run only where that is allowed, replay exactly, and their state is graded."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from core.bundle import load_bundle
from core.errors import EXIT_GATE, EXIT_INFRASTRUCTURE, EXIT_INPUT, EXIT_OK, BundleError, UsageError
from core.grading.grade import grade_trace
from core.runs.store import RunStore, load_trace
from core.schemas.call_trace import Outcome, Trace
from core.schemas.grade import Item, Label, Source
from gateway.cli.main import main
from gateway.user_backends import BundlePrograms
from models.parties.rules import RulesJudge
from tests.support.scenes import change, put

LEDGER = Path(__file__).resolve().parents[1] / "bundles" / "ledger"
SCENARIO = "scenarios/order-desk/cancel-lamp.yaml"
CASE = Path("run/cases/cancel-lamp--text--r0")


def _copy(folder: Path) -> Path:
    return Path(shutil.copytree(LEDGER, folder / "ledger", ignore=shutil.ignore_patterns("__pycache__")))


def _play(bundle: Path, *more: str) -> int:
    return main(["run", str(bundle), "--candidate", "offline:reference", "--concurrency", "1", "--out", "run", "-q", *more])


@pytest.fixture
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RINGBACK_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("_here")
def test_code_of_a_bundle_runs_only_where_it_is_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --allow-code: one line that names scenario, program and flag, exit 2, and nothing is written."""
    assert EXIT_INPUT == _play(LEDGER)
    error = capsys.readouterr().err
    assert "scenario 'cancel-lamp' runs code of its bundle (python:desk:Desk)" in error
    assert "--allow-code" in error
    assert not Path("run").exists()


@pytest.mark.usefixtures("_here")
def test_a_call_with_a_program_is_recorded_graded_and_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    """The changes of the state stand in the trace and feed the outcome; the replay, allowed too, finds no difference."""
    assert EXIT_OK == _play(LEDGER, "--allow-code")
    trace = load_trace(CASE / "trace.json")
    assert {Outcome.ANSWERED} == {event.outcome for event in trace.tool_events}
    assert trace.state_diff is not None
    assert [("orders.48213.status", "packed", "cancelled"), ("refunds", [])] == [
        (".".join(map(str, item.path)), item.before, item.after)[: 3 - (item.path == ("refunds",))] for item in trace.state_diff
    ]
    states = [item for item in _grade(LEDGER, trace) if item.source is Source.STATE]
    assert [Label.MET] * 3 == [item.label for item in states]
    assert "state orders.48213.status: expected 'cancelled', found 'cancelled'" == states[0].reason
    capsys.readouterr()
    assert EXIT_INPUT == main(["replay", str(CASE)])
    assert "--allow-code" in capsys.readouterr().err
    assert EXIT_OK == main(["replay", str(CASE), "--allow-code"])


@pytest.mark.usefixtures("_here")
def test_a_program_that_hangs_drops_its_call_and_says_which_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody's conversation is to blame, and nothing after it could be trusted: `dropped: infrastructure`, exit 3."""
    bundle = _copy(tmp_path)
    with (bundle / "backends" / "desk.py").open("a", encoding="utf-8") as code:
        code.write("\n\nimport threading\nDesk.cancel_order = lambda self, order_number: threading.Event().wait()\n")
    assert EXIT_INFRASTRUCTURE == _play(bundle, "--allow-code", "--turn-timeout", "0.3")
    told = "provider: backend 'python:desk:Desk': cancel_order: turn_timeout: no answer within 0.3 s"
    assert told in capsys.readouterr().err
    assert not CASE.exists()


@pytest.mark.usefixtures("_here")
def test_a_failed_call_before_the_right_one_costs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown order first, then the right one: the change is recorded and graded; what the code prints is no result."""
    bundle = _copy(tmp_path)
    change(bundle / SCENARIO, lambda data: data["offline"]["agent"][_first_cancel(data)]["calls"].insert(0, WRONG))
    desk = bundle / "backends" / "desk.py"
    desk.write_text(
        desk.read_text(encoding="utf-8").replace("order = self.orders[order", "print('x1'); order = self.orders[order")
    )
    capsys.readouterr()
    assert EXIT_OK == _play(bundle, "--allow-code")
    printed = capsys.readouterr()
    assert (False, 2) == ("x1" in printed.out, printed.err.split().count("x1"))
    trace = load_trace(CASE / "trace.json")
    assert [Outcome.TOOL_ERROR, Outcome.ANSWERED] == [
        event.outcome for event in trace.tool_events if event.tool == "cancel_order"
    ]
    assert [Label.MET] * 3 == [item.label for item in _grade(bundle, trace) if item.source is Source.STATE]


WRONG = {"tool": "cancel_order", "arguments": {"order_number": "48231"}}


def _first_cancel(data: dict[str, Any]) -> int:
    turns = enumerate(data["offline"]["agent"])
    return next(place for place, turn in turns if any(item["tool"] == "cancel_order" for item in turn.get("calls", ())))


@pytest.mark.usefixtures("_here")
def test_a_changed_state_in_a_trace_is_found_by_replay() -> None:
    """The recorded changes are derived again, not believed."""
    assert EXIT_OK == _play(LEDGER, "--allow-code")
    path = CASE / "trace.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["state_diff"][0]["after"] = "sent"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert EXIT_GATE == main(["replay", str(CASE), "--allow-code"])


@pytest.mark.usefixtures("_here")
def test_a_wrong_state_is_not_met_and_says_what_was_found(tmp_path: Path) -> None:
    """An agent that only looks the order up leaves the state as it was: two expectations fail, the third holds."""
    bundle = _copy(tmp_path)
    change(bundle / SCENARIO, put("offline.agent.2.calls", [{"tool": "find_order", "arguments": {"order_number": "48213"}}]))
    assert EXIT_OK == _play(bundle, "--allow-code")
    trace = load_trace(CASE / "trace.json")
    assert () == trace.state_diff
    found = {item.id: (item.label, item.reason) for item in _grade(bundle, trace) if item.source is Source.STATE}
    assert (Label.NOT_MET, "state orders.48213.status: expected 'cancelled', found 'packed'") == found["lamp_cancelled"]
    assert Label.NOT_MET is found["lamp_refunded"][0]
    assert Label.MET is found["kettle_kept"][0]


@pytest.mark.usefixtures("_here")
def test_a_trace_of_fixtures_has_no_field_for_a_state() -> None:
    """Traces of bundles without a program keep their bytes."""
    minimal = LEDGER.parent / "minimal"
    assert EXIT_OK == main(["run", str(minimal), "--scenarios", "renew-loan", "--concurrency", "1", "--out", "run", "-q"])
    (name,) = (case.name for case in RunStore.open(Path("run")).run().cases)
    assert "state_diff" not in json.loads((Path("run/cases") / name / "trace.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("backend.program", "python:gone:Desk", "no file backends/gone.py in the bundle"),
        ("backend.program", "python:../desk:Desk", "pattern"),
        ("backend.fixtures", {"find_order": {"default": {}}}, "leave out the fixtures"),
        ("expected_state.0.id", "cancel_it", "'cancel_it' is taken by expected[0].id"),
        ("expected_state.0.matcher", {"equals": "$state.nothing"}, "names nothing in the backend state"),
        ("expected_state.0.matcher", {"all": [{"equals": 1}, {"equals": 2}]}, "no value can match"),
        ("expected_state.0.diagnostic", "closing", "a state feeds a task diagnostic"),
        ("caller.reason", "You want it to be cancelled.", "'cancelled' (expected state lamp_cancelled) is in the caller's brief"),
    ],
)
def test_faults_of_programs_and_states_are_found_when_the_bundle_is_read(
    tmp_path: Path, path: str, value: object, reason: str
) -> None:
    """No code runs for this."""
    bundle = _copy(tmp_path)
    change(bundle / SCENARIO, put(path, value))
    with pytest.raises(BundleError) as caught:
        load_bundle(bundle)
    assert any(reason in fault.reason for fault in caught.value.faults), caught.value.faults


def test_a_state_is_expected_of_a_program_only(tmp_path: Path) -> None:
    """Fixtures change no state, so nothing can be expected of it."""
    bundle = _copy(tmp_path)
    fixtures = {tool: {"default": {"status": "ended"}} for tool in ("find_order", "cancel_order", "end_call")}
    change(bundle / SCENARIO, put("backend.program", None), put("backend.fixtures", fixtures))
    with pytest.raises(BundleError) as caught:
        load_bundle(bundle)
    assert {"fixtures change no state: only a backend program does"} == {fault.reason for fault in caught.value.faults}


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("raise ValueError('no')", "cannot read .*ValueError: no"),
        ("Desk = 5", "has no 'Desk' that can be called"),
        ("def Desk(state, seed): return object()", "has no method find_order, cancel_order, end_call"),
    ],
)
def test_code_that_cannot_answer_is_refused_before_the_first_call(tmp_path: Path, code: str, reason: str) -> None:
    """Each in one line that names the program."""
    bundle = _copy(tmp_path)
    (bundle / "backends" / "desk.py").write_text(code, encoding="utf-8")
    with pytest.raises(UsageError, match=f"'python:desk:Desk'.*{reason}"):
        BundlePrograms(load_bundle(bundle), allowed=True).check(["cancel-lamp"])


def test_the_code_is_a_part_of_the_bundle(tmp_path: Path) -> None:
    """A changed program is another bundle, whose results are compared with no other's."""
    bundle = _copy(tmp_path)
    before = load_bundle(bundle).bundle_hash
    assert load_bundle(LEDGER).bundle_hash == before
    (bundle / "backends" / "desk.py").write_text("Desk = 5", encoding="utf-8")
    assert load_bundle(bundle).bundle_hash != before


def _grade(bundle: Path, trace: Trace) -> tuple[Item, ...]:
    return grade_trace(trace, load_bundle(bundle), RulesJudge()).items
