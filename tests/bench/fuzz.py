"""Calls with random parties: the loop never raises, its trace is always whole, and replaying gives it again.

python -m tests.bench.fuzz [EXAMPLES]
"""

from __future__ import annotations

import json
import sys
from typing import Any

from hypothesis import given, seed, settings
from hypothesis import strategies as st

from core.caller import CallerInvalid
from core.candidate import AgentDisconnected, AgentProtocolError, AgentTurn
from core.grading.grade import grade_trace
from core.line import AuthoredLines, LineFactory, TextLines
from core.runs.replay import replay
from core.runs.store import trace_bytes
from core.schemas.call_trace import ToolCall, Trace
from models.parties.rules import RulesJudge
from tests.support.parties import GREETING, play, say, turn
from tests.support.scenes import minimal

SCENARIOS = tuple(minimal().scenarios)
LINES: dict[str, LineFactory] = {"text": TextLines(), "authored": AuthoredLines()}
WORDS = st.text(max_size=40) | st.sampled_from(
    ["", " \n", GREETING, "Goodbye.", "It is zero four four one, two nine zero seven."]
)
ARGUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.just('{"card_number": "044'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
) | st.fixed_dictionaries(
    {"card_number": st.sampled_from(["04412907", "55190368", "0", ""])}, optional={"concluding_message": WORDS}
)
CALLS = st.builds(
    lambda tool, arguments: ToolCall.model_construct(id="x", tool=tool, arguments=arguments),
    st.sampled_from(["find_card", "renew_loan", "end_call"]) | st.text(max_size=12),
    ARGUMENTS,
)
TURNS = st.lists(
    st.builds(lambda words, calls: AgentTurn(words, tuple(calls)), WORDS, st.lists(CALLS, max_size=4))
    | st.builds(AgentDisconnected, st.text(max_size=12))
    | st.builds(AgentProtocolError, st.text(max_size=12)),
    max_size=15,
)
STEPS = sorted({step.id for scenario in minimal().scenarios.values() for step in scenario.caller.plan})
SPOKEN = st.builds(
    lambda words, done: say(words, done=done), st.sampled_from(["Yes, please.", "It is 0441 2907."]), st.booleans()
)
REPLIES = st.lists(
    SPOKEN | SPOKEN | st.builds(say, WORDS, st.sampled_from(STEPS)) | st.text(max_size=40),
    min_size=1,
    max_size=10,
)


def check_call(name: str, line: str, turns: list[Any], replies: list[str]) -> Trace | None:
    """Play one call, read its record back, replay it, grade it; None where the caller stayed invalid."""
    bundle = minimal()
    scenario = bundle.scenarios[name]
    try:
        trace = play(
            [turn(GREETING), *turns],
            replies,
            scenario=scenario,
            agent=bundle.agent_of(scenario),
            line=LINES[line].open(scenario, 0),
        )
    except CallerInvalid:
        return None
    data = trace_bytes(trace)
    assert data == trace_bytes(Trace.model_validate_json(data))
    assert [] == replay(Trace.model_validate_json(data), bundle, LINES[line])
    grade = grade_trace(trace, bundle, RulesJudge())
    assert all(0 <= index < len(trace.messages) for item in grade.items for index in item.evidence)
    json.loads(json.dumps(grade.to_json(), allow_nan=False))
    return trace


def run(examples: int, chosen: int = 0) -> dict[str, int]:
    """Check that many random calls; returns how they ended, with the number of each."""
    ends: dict[str, int] = {}

    @seed(chosen)
    @settings(max_examples=examples, deadline=None, database=None)
    @given(st.sampled_from(SCENARIOS), st.sampled_from(sorted(LINES)), TURNS, REPLIES)
    def calls(name: str, line: str, turns: list[Any], replies: list[str]) -> None:
        trace = check_call(name, line, turns, replies)
        end = "caller_invalid" if trace is None else trace.end.value
        ends[end] = ends.get(end, 0) + 1

    calls()
    return dict(sorted(ends.items()))


if __name__ == "__main__":
    print(run(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
