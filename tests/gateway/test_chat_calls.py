"""Whole calls of chat parties through the command, over HTTP: SPEC 3's table of faults, row by row, in one run.

Every row is a scenario of its own, told apart by a word in its instructions and in its brief. A second run, in which nothing
goes wrong, shows what each call is without its fault, and that no fault touched the call beside it.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.runs.store import RunStore
from core.schemas.base import sha256
from core.schemas.call_trace import CallerTurn, EndReason, Message, Outcome, Role, Trace
from core.schemas.run import DropClass, JournalState
from gateway.cli.main import main
from tests.support.chat_server import (
    Body,
    ChatServer,
    Item,
    broken,
    chat_server,
    fenced,
    hang,
    no_model,
    rate_limited,
    refused_key,
    say,
    thinking,
    too_long,
    tools,
    truncated,
    web_page,
)
from tests.support.command import Command, Finished
from tests.support.scenes import MINIMAL, NOISY_FILE, change, put

pytestmark = pytest.mark.slow
ASK = {"speech": "Hello, does my library card work?", "expressed": ["ask_card"], "done": False}
GIVE = {"speech": "It is 5519 0368.", "expressed": ["give_card"], "done": False}
BYE = {"speech": "Thank you, goodbye.", "expressed": [], "done": True}
FIND = ("find_card", {"card_number": "55190368"})
ELEVEN = [tools(FIND)] * 11
FAULTS: dict[str, list[Item]] = {
    "caller-fenced": [fenced(ASK)],
    "caller-thoughts": [thinking("I was greeted.", json.dumps(ASK))],
    "caller-boolean": [say(json.dumps({**ASK, "done": "false"}))],
    "caller-truncated": [truncated(ASK)],
    "caller-empty": [say("")],
    "caller-blank": [say(json.dumps({**ASK, "speech": " \n"}))],
    "caller-invalid": [truncated(ASK)] * 8,
    "caller-limited": [rate_limited(1)],
    "caller-broken": [broken(500)],
    "caller-hang": [hang()],
    "caller-dead": [broken(500)] * 2,
    "caller-parts": [say([{"type": "text", "text": part} for part in (json.dumps(ASK)[:20], json.dumps(ASK)[20:])])],
    "caller-calls": [say(None, tool_calls=[{"id": "c"}], finish="tool_calls")],
    "caller-overflow-dead": [too_long()],
    "agent-thoughts": [thinking("I look it up.", "Yes, it works.")],
    "agent-text": [tools(("find_card", '"55190368"'))],
    "agent-cut": [tools(("find_card", '{"card_number": "5519'))],
    "agent-unknown": [tools(("cancel_card", {}))],
    "agent-eleven": [*ELEVEN],
    "agent-blank": [say(" \n ")],
    "agent-empty": [say("")],
    "agent-limited": [rate_limited(1)],
    "agent-broken": [broken(503)],
    "agent-hang": [hang()],
    "agent-dead": [broken(500)] * 2,
    "agent-nameless": [say("One moment.", tool_calls=[{"id": "c", "type": "function"}], finish="tool_calls")],
    "agent-overflow": [too_long()],
}
"""Scenario to what comes instead of the caller's first reply, or of the agent's reply to it."""
CONTROLS = ("control-one", "control-two", "control-three")
OPTIONS = "timeout=2&attempts=2&price_in=1&price_out=1"


class _Models:
    """Answers for both parties: as it should be, but for what is planted."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.faults: dict[str, list[Item]] = {}

    def caller(self, body: Body) -> Any:
        """Three turns: the question, the number, goodbye."""
        said = sum(message["role"] == "assistant" for message in body["messages"])
        return (said == 0 and self._fault("caller", body)) or json.dumps((ASK, GIVE, BYE)[min(said, 2)])

    def candidate(self, body: Body) -> Any:
        """A greeting, one look at the card, the result, goodbye."""
        last, heard = body["messages"][-1]["role"], sum(message["role"] == "user" for message in body["messages"])
        if heard == 1 and (planted := self._fault("agent", body)):
            return planted
        if heard == 1 and last == "user":
            return tools(FIND, speech="One moment.")
        return {0: "Corner Library, what is your card number?", 1: "It works. Anything else?"}.get(heard, "Goodbye.")

    def _fault(self, party: str, body: Body) -> Item | None:
        first = str(body["messages"][0]["content"])
        with self._lock:
            for name, left in self.faults.items():
                if name.startswith(party) and f"({name})" in first and left:
                    return left.pop(0)
        return None


def _bundle(root: Path) -> Path:
    """A scenario for each fault and each control."""
    shutil.copytree(MINIMAL, root)
    shutil.rmtree(root / "scenarios")
    change(root / "bundle.yaml", put("demo", []))
    for name in (*FAULTS, *CONTROLS):
        target = root / Path(NOISY_FILE).with_name(f"{name}.yaml")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(MINIMAL / NOISY_FILE, target)
        context = f"You want to know whether your card works. ({name})"
        change(
            target, put("id", name), put("channel", {}), put("caller.context", context), put("variables.today", f"today ({name})")
        )
    return root


@dataclass(frozen=True)
class _Runs:
    """A run with every fault, the same resumed, and one without faults."""

    server: ChatServer
    home: Path
    faulty: Finished
    clean: tuple[int, str]

    def store(self, name: str) -> RunStore:
        return RunStore.open(self.home / name)

    def trace(self, case: str, run: str = "faulty") -> Trace:
        return self.store(run).trace(f"{case}--text--r0")


def _command(server: ChatServer, home: Path, out: str) -> list[str]:
    parties = [f"--{role}={server.party(role, OPTIONS)}" for role in ("caller", "candidate")]
    return ["run", str(home / "minimal"), *parties, "--out", str(home / out)]


def _here(server: ChatServer, home: Path, out: str, cache: str) -> tuple[int, str]:
    """The command in this process, which has loaded litellm already: its exit code and what it wrote to stderr."""
    told = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
        patch.setenv("RINGBACK_CACHE", str(home / cache))
        return main(_command(server, home, out)), told.getvalue()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Runs]:
    """Both runs ask the same server, since its address stands in the traces; each has a cache of its own."""
    home, models = tmp_path_factory.mktemp("chat"), _Models()
    _bundle(home / "minimal")
    with chat_server({"caller": models.caller, "candidate": models.candidate}) as server:
        clean = _here(server, home, "clean", "cache-clean")
        models.faults = {name: list(items) for name, items in FAULTS.items()}
        yield _Runs(server, home, Command(home, home / "cache")(*_command(server, home, "faulty")), clean)


def _agent(trace: Trace) -> list[Message]:
    return [message for message in trace.messages if message.role is Role.AGENT]


# -- without faults ----------------------------------------------------------------------------------------------------


def test_calls_of_chat_parties_are_played_and_graded(runs: _Runs) -> None:
    """Caller, candidate and rules judge, all cases, exit 0."""
    assert (0, "") == runs.clean
    trace = runs.trace("control-one", "clean")
    assert [ASK["speech"], GIVE["speech"], BYE["speech"]] == [turn.intended for turn in trace.caller_turns]
    assert "One moment." == _agent(trace)[1].content
    assert Outcome.MATCHED is trace.tool_events[0].outcome
    assert EndReason.CALLER_DONE is trace.end
    summary = runs.store("clean").summary()
    assert len(FAULTS) + len(CONTROLS) == summary.conditions[trace.header.condition].n


def test_parties_and_their_prompts_stand_in_manifest_and_trace(runs: _Runs) -> None:
    """The same record in both, with prompts by hash and no limits or prices."""
    run, header = runs.store("clean").run(), runs.trace("control-one", "clean").header
    assert (run.caller, run.candidate) == (header.caller, header.candidate)
    assert {"caller-1", "caller-turn-1"} == set(dict(run.caller.settings["prompts"]))  # type: ignore[arg-type]
    assert "price_in" not in json.dumps([run.caller.to_json(), run.candidate.to_json()])


# -- the caller's faults -----------------------------------------------------------------------------------------------


def _first(runs: _Runs, case: str) -> CallerTurn:
    turn = runs.trace(case).caller_turns[0]
    assert ASK["speech"] == turn.intended
    return turn


@pytest.mark.parametrize(
    ("case", "raw"),
    [
        ("caller-fenced", "Here you are:\n```json\n"),
        ("caller-thoughts", "<think>I was greeted."),
        ("caller-boolean", '"done": "false"'),
        ("caller-parts", json.dumps(ASK)),
    ],
)
def test_what_stands_around_a_callers_reply_is_read_and_kept(runs: _Runs, case: str, raw: str) -> None:
    """Fenced or prefixed JSON, thoughts, booleans as text: parsed, raw reply kept."""
    turn = _first(runs, case)
    assert () == turn.rejected
    assert raw in turn.raw


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ("caller-truncated", "not valid JSON"),
        ("caller-empty", "not valid JSON"),
        ("caller-calls", "not valid JSON"),
        ("caller-blank", "empty speech"),
    ],
)
def test_an_invalid_caller_turn_is_asked_for_once_more(runs: _Runs, case: str, reason: str) -> None:
    """Truncated, empty and whitespace turns: both attempts and the reason are in the trace."""
    turn = _first(runs, case)
    (rejected,) = turn.rejected
    assert rejected.reasons[0].startswith(reason)
    assert 0 == runs.trace(case).header.rerun


def test_a_caller_that_stays_invalid_is_run_again_three_times_and_then_dropped(runs: _Runs) -> None:
    """Two attempts in each of four conversations, then `dropped: simulation`; nothing half-finished is saved."""
    store = runs.store("faulty")
    line = store.dropped()["caller-invalid--text--r0"]
    assert (DropClass.SIMULATION, True) == (line.drop_class, line.reason.startswith("caller_invalid: not valid JSON"))
    assert not store.case_folder("caller-invalid--text--r0").exists()
    asked = [body for body in runs.server.bodies("caller") if "(caller-invalid)" in body["messages"][0]["content"]]
    assert 8 + 3 == len(asked)  # and the three turns of the clean run
    seeds = Counter(body["seed"] for body in asked)  # each rerun is another sample, where the endpoint takes a seed
    assert [2 + 3, 2, 2, 2] == list(seeds.values())


@pytest.mark.parametrize(
    ("case", "told"),
    [("caller-limited", "429: too many requests; waited 1 s"), ("caller-broken", "500"), ("caller-hang", "no answer within 2 s")],
)
def test_a_callers_provider_in_trouble_is_asked_again_in_the_same_stage(runs: _Runs, case: str, told: str) -> None:
    """429 after the time it names, 5xx and silence after a pause: no reply is rejected, no conversation run again."""
    turn = _first(runs, case)
    assert told in turn.attempts[0]
    assert (0, ()) == (runs.trace(case).header.rerun, turn.rejected)


# -- the agent's faults ------------------------------------------------------------------------------------------------


def test_an_agents_thoughts_are_not_spoken(runs: _Runs) -> None:
    """Speech without them, the raw reply with them."""
    message = _agent(runs.trace("agent-thoughts"))[1]
    assert ("Yes, it works.", True) == (message.content, "I look it up." in message.raw)


@pytest.mark.parametrize(("case", "raw"), [("agent-text", '"55190368"'), ("agent-cut", '{"card_number": "5519')])
def test_arguments_that_are_no_object_get_the_mismatch_response(runs: _Runs, case: str, raw: str) -> None:
    """The raw arguments are in the trace, and the call goes on."""
    (event,) = runs.trace(case).tool_events
    assert (Outcome.PARSE_ERROR, raw, {"status": "not_found"}) == (event.outcome, event.raw_arguments, event.result)
    assert EndReason.CALLER_DONE is runs.trace(case).end


def test_an_unknown_tool_is_answered_with_a_typed_error(runs: _Runs) -> None:
    """By its name, and the agent's fault; a call that names no function has an empty one."""
    for case, name in (("agent-unknown", "cancel_card"), ("agent-nameless", "")):
        (event,) = runs.trace(case).tool_events
        assert (name, Outcome.UNKNOWN_TOOL) == (event.tool, event.outcome)
        assert EndReason.CALLER_DONE is runs.trace(case).end


def test_the_eleventh_chained_call_gets_the_chain_limit(runs: _Runs) -> None:
    """With its index, and then the agent speaks."""
    events = runs.trace("agent-eleven").tool_events
    assert 11 == len(events)
    assert [10] == [event.index for event in events if event.outcome is Outcome.CHAIN_LIMIT]
    assert "It works. Anything else?" in [message.content for message in _agent(runs.trace("agent-eleven"))]


@pytest.mark.parametrize("case", ["agent-blank", "agent-empty"])
def test_blank_speech_is_heard_as_silence_and_graded(runs: _Runs, case: str) -> None:
    """Never dropped: the caller hears nothing, and the call goes on."""
    assert "" == _agent(runs.trace(case))[1].content
    heard = [body["messages"] for body in runs.server.bodies("caller") if f"({case})" in body["messages"][0]["content"]]
    assert any(messages[-1]["content"].startswith("(silence)") for messages in heard)


@pytest.mark.parametrize(
    ("case", "told"),
    [("agent-limited", "429: too many requests; waited 1 s"), ("agent-broken", "503"), ("agent-hang", "no answer within 2 s")],
)
def test_an_agents_provider_in_trouble_is_asked_again(runs: _Runs, case: str, told: str) -> None:
    """And nothing but the attempts tells this call from one without trouble."""
    trace, clean = runs.trace(case), runs.trace(case, "clean")
    (message,) = [message for message in trace.messages if message.attempts]
    assert told in message.attempts[0]
    assert clean.messages == tuple(message.model_copy(update={"attempts": ()}) for message in trace.messages)


def test_an_agent_whose_conversation_no_longer_fits_its_model_ends_the_call(runs: _Runs) -> None:
    """Its own fault, by name, graded as it stands; a caller's or a judge's is the infrastructure's."""
    trace = runs.trace("agent-overflow")
    assert (EndReason.PROTOCOL_ERROR, True) == (trace.end, trace.end_detail.startswith("context_overflow: litellm:openai/"))
    line = runs.store("faulty").dropped()["caller-overflow-dead--text--r0"]
    assert (DropClass.INFRASTRUCTURE, True) == (line.drop_class, line.reason.startswith("context_overflow: litellm:openai/"))
    (condition,) = runs.store("faulty").summary().conditions.values()
    assert {"context_overflow": 1, "provider": 2} == condition.dropped["infrastructure"]
    assert 1 == condition.ends["protocol_error"]


# -- the run -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["caller-dead", "agent-dead"])
def test_a_provider_that_stays_in_trouble_drops_the_case_as_infrastructure(runs: _Runs, case: str) -> None:
    """With the reason, and the command says so at its end: exit 3."""
    line = runs.store("faulty").dropped()[f"{case}--text--r0"]
    assert (DropClass.INFRASTRUCTURE, True) == (line.drop_class, line.reason.startswith("provider: litellm:openai/"))
    assert "500" in line.reason
    assert 3 == runs.faulty.returncode


def test_nothing_is_lost(runs: _Runs) -> None:
    """Planned = graded + dropped by class, in one summary."""
    summary = runs.store("faulty").summary()
    (condition,) = summary.conditions.values()
    dropped = {kind: sum(reasons.values()) for kind, reasons in condition.dropped.items()}
    assert {"simulation": 1, "infrastructure": 3} == dropped
    assert len(FAULTS) + len(CONTROLS) == condition.planned == condition.n + condition.ungraded + 4


@pytest.mark.parametrize("case", CONTROLS)
def test_no_fault_changes_another_case(runs: _Runs, case: str) -> None:
    """The calls beside 27 faulty ones are byte for byte what they are beside sound ones."""
    faulty, clean = (runs.store(run).case_folder(f"{case}--text--r0") / "trace.json" for run in ("faulty", "clean"))
    assert sha256(clean.read_bytes()) == sha256(faulty.read_bytes())


def test_the_same_command_plays_what_the_infrastructure_dropped_and_nothing_else(runs: _Runs) -> None:
    """When the provider is well again: each call from its beginning, with what was paid for not paid for again.

    What was too long for the caller's model would be so again, and says how to ask all the same.
    """
    before = len(runs.server.requests)
    shutil.copytree(runs.home / "faulty", runs.home / "again")
    code, told = _here(runs.server, runs.home, "again", "cache")
    assert 0 == code
    assert told.startswith("ringback: could not play caller-overflow-dead--text--r0: context_overflow: ")
    assert told.endswith("it would be refused again; run the same command with --again to ask once more\n")
    store = runs.store("again")
    assert {"caller-invalid--text--r0", "caller-overflow-dead--text--r0"} == set(store.dropped())
    finished = [line.case for line in store.journal() if line.state is JournalState.FINISHED]
    assert len(set(finished)) == len(finished) == len(FAULTS) + len(CONTROLS) - 2
    asked = [str(body["messages"][0]["content"]) for body in runs.server.bodies()[before:]]
    assert {"You answer with one word.", "You answer the phone. Say hello."} >= {
        content for content in asked if "-dead)" not in content
    }  # what checks ask before the first call
    assert runs.trace("agent-dead", "again").messages == runs.trace("agent-dead", "clean").messages


# -- before the first case ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["caller", "candidate"])
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (refused_key, "401: Incorrect API key provided"),
        (no_model, "404: The model `nobody` does not exist"),
        (web_page, "web page"),
    ],
    ids=["bad key", "unknown model", "no chat endpoint"],
)
def test_a_party_that_cannot_work_stops_the_run_before_its_first_case(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    role: str,
    answer: Callable[[], Item],
    told: str,
) -> None:
    """Operator error, exit 3, one line that says what to mend, after one request and with nothing written."""
    monkeypatch.setenv("RINGBACK_CACHE", str(tmp_path / "cache"))
    with chat_server({role: lambda _body: answer()}) as server:  # type: ignore[dict-item,return-value]
        code = main(["run", str(MINIMAL), f"--{role}", server.party(role), "--out", str(tmp_path / "run")])
        assert 1 == len(server.requests)
    (line,) = capsys.readouterr().err.splitlines()
    assert (3, True) == (code, told in line)
    assert not (tmp_path / "run").exists()


def test_an_address_where_nobody_answers_stops_the_run_before_its_first_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A refused connection is the operator's to mend, and not asked again and again."""
    monkeypatch.setenv("RINGBACK_CACHE", str(tmp_path / "cache"))
    with chat_server({}) as server:
        party = server.party("candidate")
    code = main(["run", str(MINIMAL), "--candidate", party, "--out", str(tmp_path / "run")])
    assert (3, True) == (code, "cannot be reached" in capsys.readouterr().err)
    assert not (tmp_path / "run").exists()
