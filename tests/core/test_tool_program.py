"""Issue 4, backends: a program answers the tools over a copy of the state, what it changed is recorded and graded."""

from __future__ import annotations

import copy
import sys
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from core.backend import ParsedArguments, parse_arguments
from core.errors import ProviderError, UsageError
from core.schemas.call_trace import Outcome
from core.schemas.scenario import Scenario
from core.tool_program import Program, ProgramBackend, changed, changes
from tests.support.parties import call
from tests.support.scenes import SCENARIO_FILE, agent, data_of

AGENT = agent()
STATE: dict[str, Any] = {"cards": {"0441": {"loans": 1}}, "log": []}


def _scenario() -> Scenario:
    data = data_of(SCENARIO_FILE)
    data["backend"] = {"program": "python:desk:Desk", "state": copy.deepcopy(STATE)}
    return Scenario.model_validate(data)


class Mute(Exception):
    """An error that fails to say what it is."""

    def __str__(self) -> str:
        raise ValueError("no words")


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


class Desk:
    """Tools with every habit of a user's code."""

    def __init__(self, state: dict[str, Any], seed: int) -> None:
        self.state, self.seed = state, seed

    def find_card(self, card_number: str) -> Any:
        """Finds, or raises KeyError after it has written half of what it meant to."""
        self.state["log"].append(card_number)
        return {"status": "found", "card": self.state["cards"][card_number], "seed": self.seed}

    def renew_loan(self, card_number: str, title: str) -> Any:
        """Answers or leaves what JSON cannot carry, by title."""
        self.state["cards"][card_number]["loans"] = float("nan") if title == "nan" else 2
        if title == "quits":
            sys.exit(3)
        if title == "mute":
            raise Mute
        if title == "ends":
            raise GeneratorExit
        if title == "deep":
            return {"a": _nested(101)}
        return {"a": {1, 2}} if title == "set" else [] if title == "list" else {"status": "renewed"}

    def end_call(self, reason: str = "") -> Any:
        """Ends."""
        return {"status": "ended" if reason == "done" else "open"}


def _backend(program: Program = Desk, seed: int = 7) -> ProgramBackend:
    return ProgramBackend(AGENT, _scenario(), program, seed)


def _call(backend: ProgramBackend, tool: str, arguments: Any) -> tuple[Outcome, dict[str, JsonValue]]:
    answer = backend.call(tool, parse_arguments(call(tool, arguments), AGENT.tool(tool)))
    return answer.outcome, answer.result


def test_a_tool_is_a_method_that_gets_arguments_state_and_seed() -> None:
    """The answer is what the method returns; state and seed are those of the attempt."""
    answer = _call(_backend(), "find_card", {"card_number": "0441"})
    assert (Outcome.ANSWERED, {"status": "found", "card": {"loans": 1}, "seed": 7}) == answer


def test_every_attempt_has_its_own_copy_of_the_state() -> None:
    """What one attempt changes, no other and not the scenario sees; an answer is not the state itself."""
    scene = _scenario()
    first, second = (ProgramBackend(AGENT, scene, Desk, 0) for _ in range(2))
    answer = _call(first, "find_card", {"card_number": "0441"})[1]
    answer["card"]["loans"] = 99  # type: ignore[call-overload, index]
    _call(first, "renew_loan", {"card_number": "0441", "title": "a"})
    assert [(("cards", "0441", "loans"), 1, 2), (("log",), [], ["0441"])] == [
        (item.path, item.before, item.after) for item in first.state_diff()
    ]
    assert () == second.state_diff()
    assert STATE == scene.backend.state


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("find_card", {"card_number": "9"}, "KeyError: '9'"),
        ("find_card", {}, "missing 1 required positional argument: 'card_number'"),
        ("find_card", {"card_number": "0441", "x": 1}, "unexpected keyword argument 'x'"),
        ("renew_loan", {"card_number": "0441", "title": "quits"}, "SystemExit: 3"),
        ("renew_loan", {"card_number": "0441", "title": "set"}, "the answer holds what JSON cannot carry"),
        ("renew_loan", {"card_number": "0441", "title": "deep"}, "more than 100 lists and objects in each other"),
        ("renew_loan", {"card_number": "0441", "title": "list"}, "the answer is an object, not a list"),
        ("renew_loan", {"card_number": "0441", "title": "mute"}, "Mute"),
        ("renew_loan", {"card_number": "0441", "title": "ends"}, "GeneratorExit"),
        ("renew_loan", {"card_number": "0441", "title": "nan"}, "the state holds what JSON cannot carry"),
    ],
)
def test_a_tool_that_fails_gives_a_typed_error_and_changes_nothing(tool: str, arguments: dict[str, Any], message: str) -> None:
    """Whatever the program does: one line as the result, the state as it was, and the next call works."""
    backend = _backend()
    outcome, result = _call(backend, tool, arguments)
    assert (Outcome.TOOL_ERROR, "tool_error") == (outcome, result["error"])
    assert message in str(result["message"])
    assert () == backend.state_diff()
    assert Outcome.ANSWERED is _call(backend, "find_card", {"card_number": "0441"})[0]


class Holder:
    """Tools that keep parts of the state by names of their own, and fail when they are told to."""

    def __init__(self, state: dict[str, Any], seed: int) -> None:
        del seed
        self.state, self.cards, self.log = state, state["cards"], state["log"]

    def find_card(self, card_number: str) -> Any:
        """What the program itself sees."""
        return {"cards": self.cards, "log": self.log, "same": self.cards is self.state["cards"], "asked": card_number}

    def renew_loan(self, card_number: str, title: str) -> Any:
        """Writes into all it holds, takes a part out and puts another in, and then fails or not."""
        card = self.cards.pop(card_number)
        card["loans"] += 1
        self.log.append(title)
        self.state["cards"] = {card_number: card}
        self.cards = self.state["cards"] if title != "fails" else self.cards
        if title == "fails":
            raise RuntimeError
        return {"status": "renewed"}

    def end_call(self, reason: str = "") -> Any:
        """Ends."""
        return {"status": reason}


def test_a_failing_tool_takes_nothing_away_from_a_program_that_holds_parts_of_the_state() -> None:
    """What it half wrote is undone where the program looks, and what it writes afterwards is recorded."""
    backend = _backend(Holder)
    before = _call(backend, "find_card", {"card_number": "x"})[1]
    assert Outcome.TOOL_ERROR is _call(backend, "renew_loan", {"card_number": "0441", "title": "fails"})[0]
    assert before == _call(backend, "find_card", {"card_number": "x"})[1]
    assert ({"0441": {"loans": 1}}, [], True) == (before["cards"], before["log"], before["same"])
    assert Outcome.ANSWERED is _call(backend, "renew_loan", {"card_number": "0441", "title": "a"})[0]
    assert Outcome.TOOL_ERROR is _call(backend, "renew_loan", {"card_number": "9", "title": "b"})[0]
    assert Outcome.ANSWERED is _call(backend, "renew_loan", {"card_number": "0441", "title": "c"})[0]
    assert [(("cards", "0441", "loans"), 3), (("log",), ["a", "c"])] == [(item.path, item.after) for item in backend.state_diff()]


def test_a_tool_that_hangs_is_no_answer_and_ends_the_call() -> None:
    """Whatever hangs may still change the state, so nothing that came after could be trusted: the infrastructure's fault."""
    let_go = Event()

    class Hangs(Desk):
        def find_card(self, card_number: str) -> Any:
            let_go.wait()

    backend = ProgramBackend(AGENT, _scenario(), Hangs, 0, limit_s=0.1)
    with pytest.raises(ProviderError, match=r"backend 'python:desk:Desk': find_card: turn_timeout: no answer within 0\.1 s"):
        _call(backend, "find_card", {"card_number": "0441"})
    let_go.set()


def test_state_and_answers_are_recorded_as_a_file_holds_them() -> None:
    """A tuple is a list there, as it is for the candidate; the trace takes what is recorded."""

    class Tuples(Desk):
        def find_card(self, card_number: str) -> Any:
            self.state["log"] = (card_number, {"at": (1, 2)})
            return {"found": (1, (2,))}

    backend = _backend(Tuples)
    assert (Outcome.ANSWERED, {"found": [1, [2]]}) == _call(backend, "find_card", {"card_number": "0441"})
    assert [["0441", {"at": [1, 2]}]] == [item.after for item in backend.state_diff()]


def test_calls_that_reach_no_tool() -> None:
    """Unknown tools, arguments that cannot be parsed and calls past the chain limit never reach the program."""
    backend = _backend()
    assert Outcome.UNKNOWN_TOOL is _call(backend, "sing", {})[0]
    assert Outcome.PARSE_ERROR is _call(backend, "find_card", "{broken")[0]
    assert Outcome.CHAIN_LIMIT is backend.chain_limit().outcome
    assert () == backend.state_diff()


def test_success_of_a_call_ending_tool_is_read_off_its_answer() -> None:
    """As with fixtures: the result decides, not the call."""
    backend = _backend()
    ended = [backend.call("end_call", ParsedArguments({"reason": reason}, None)).ended_call for reason in ("", "done")]
    assert [False, True] == ended


def test_tools_that_are_not_there_are_found_before_the_call() -> None:
    """A program without a method for each tool, or one that cannot be made, is refused."""
    with pytest.raises(UsageError, match="has no method find_card, renew_loan, end_call"):
        _backend(_without_methods)
    with pytest.raises(UsageError, match="cannot be made: ZeroDivisionError"):
        _backend(_that_fails)
    with pytest.raises(UsageError, match="cannot be made: TypeError: the state holds what JSON cannot carry"):
        _backend(_that_leaves_a_set)


def _without_methods(state: dict[str, Any], seed: int) -> object:
    del state, seed
    return object()


def _that_fails(state: dict[str, Any], seed: int) -> object:
    del state
    return seed // 0


def _that_leaves_a_set(state: dict[str, Any], seed: int) -> object:
    state["seen"] = set()
    return Desk(state, seed)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["a", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "a.b"]), inner, max_size=3),
    max_leaves=8,
)
STATES = st.dictionaries(st.sampled_from(["a", "b", "a.b"]), JSON, max_size=3)


@given(STATES, STATES)
def test_the_state_before_and_its_changes_are_the_state_after(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Nothing is lost, nothing is recorded where nothing changed, and neither state is touched."""
    kept = copy.deepcopy((before, after))
    diff = tuple(changes(before, after))
    assert repr(after) == repr({key: changed(before, diff)[key] for key in after})
    assert after.keys() == changed(before, diff).keys()
    assert () == tuple(changes(after, changed(before, diff)))
    assert kept == (before, after)
    if not diff:
        assert before == after
