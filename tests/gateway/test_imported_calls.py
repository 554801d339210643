"""An imported bundle is no dead letter: chat models play it over HTTP, and a good agent meets all that the source expects."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from core.errors import EXIT_OK
from core.importing.eva import import_eva
from core.importing.tau2 import import_tau2
from core.schemas.imported import ImportReport
from core.yamlfile import read_data
from gateway.cli.main import main
from tests.support.chat_server import Item, chat_server, say, tools
from tests.support.foreign import EVA_AGENT, EVA_RECORD, TAU2_DATABASE, TAU2_POLICY, TAU2_TASK, write_files

Importer = Callable[[Sequence[Path], Path], ImportReport]
EVA = {"desk__json": EVA_AGENT, "records__json": [EVA_RECORD]}
TAU2 = {"tasks__json": [TAU2_TASK], "policy__md": TAU2_POLICY, "db__json": TAU2_DATABASE}
GOOD_EVA = [
    ("get_order", {"order_code": "lq7741", "last_name": "quill"}),
    ("move_delivery", {"order_code": "LQ7741", "fee": 12.5, "slot": "pm"}),
]
GOOD_TAU2 = [("get_order", {"order_id": "LQ7741"}), ("move_delivery", {"order_id": "LQ7741", "day": "2026-05-22", "fee": 5})]


def _caller(speech: str, *steps: str, done: bool = False) -> Item:
    return say(json.dumps({"speech": speech, "expressed": steps, "done": done}))


@pytest.mark.parametrize(
    ("importer", "files", "calls"), [(import_eva, EVA, GOOD_EVA), (import_tau2, TAU2, GOOD_TAU2)], ids=["eva", "tau2"]
)
def test_a_good_call_meets_every_expected_action(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    importer: Importer,
    files: dict[str, object],
    calls: list[tuple[str, dict[str, object]]],
) -> None:
    """Both calls are answered as the source says, the added tool ends the call, and no action is left unmet."""
    monkeypatch.setenv("RINGBACK_CACHE", str(tmp_path / "cache"))
    importer(write_files(tmp_path, **files), tmp_path / "lamps")
    caller = [say("ready"), _caller("Hi, it is about my lamp.", "open_call"), _caller("Thank you, goodbye.", done=True)]
    moved = say("It is moved. The fee is 5 dollars. Anything else?")
    agent = [say("ready"), say("Lamp desk, hello."), tools(*calls, speech="One moment."), moved]
    ended = tools(("end_call", {}), speech="Goodbye.")
    with chat_server({"caller": caller, "agent": [*agent, ended]}) as server:
        parties = ("--caller", server.party("caller"), "--candidate", server.party("agent"))
        run = tmp_path / "run"
        assert EXIT_OK == main(("run", str(tmp_path / "lamps"), *parties, "--concurrency", "1", "--out", str(run), "-q"))
    (trace_file,) = run.glob("cases/*/trace.json")
    trace = read_data(trace_file)
    assert "tool_end" == trace["end"]
    assert ["matched", "matched"] == [event["outcome"] for event in trace["tool_events"][:2]]
    (grade_file,) = run.glob("grades/*/*.json")
    items = {item["id"]: item["label"] for item in read_data(grade_file)["items"] if item["id"].startswith("call_")}
    assert {"call_1": "met", "call_2": "met"} == items
