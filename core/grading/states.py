"""What the tools made of the hidden state, graded by program from the changes that the trace records."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from core.matchers.evaluate import MISSING, Missing, evaluate
from core.matchers.references import References
from core.schemas.call_trace import Trace
from core.schemas.grade import LABEL_VALUE, Item, Label, Source, Status
from core.schemas.scenario import Scenario
from core.tool_program import changed


def grade_state(trace: Trace, scenario: Scenario) -> Iterator[Item]:
    """One item per expectation of the final state, in the scenario's order. References are to the state before the call."""
    final = changed(scenario.backend.state, trace.state_diff or ())
    for expected in scenario.expected_state:
        verdict = evaluate(expected.matcher, value_at(final, expected.path), References.of(scenario))
        label = Label.MET if verdict.ok else Label.NOT_MET
        yield Item(
            id=expected.id,
            source=Source.STATE,
            diagnostic=expected.diagnostic,
            importance=expected.importance,
            status=Status.SCORED,
            label=label,
            value=LABEL_VALUE[label],
            reason=f"state {expected.path}: {verdict.reason}",
        )


def value_at(state: JsonValue, path: str) -> JsonValue | Missing:
    """The value at a dotted path, MISSING where there is none."""
    node = state
    for part in path.split("."):
        if isinstance(node, dict) and part in node:
            node = node[part]
        elif isinstance(node, list) and part.isdecimal() and int(part) < len(node):
            node = node[int(part)]
        else:
            return MISSING
    return node
