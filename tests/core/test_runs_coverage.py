"""SPEC 6: below 0.8 coverage no headline is printed, and whatever stands on the overall score needs both pillars."""

from __future__ import annotations

import pytest

from core.runs.coverage import not_covered, shortfall
from core.schemas.base import Diagnostic
from core.schemas.run import ConditionSummary, Score
from tests.support.summaries import condition


def _held(task: float | None, conversation: float | None, overall: float | None = None) -> ConditionSummary:
    scores = {"task": task, "conversation": conversation, "overall": overall}
    return condition(**{name: Score(score=90.0, coverage=coverage) for name, coverage in scores.items()})


@pytest.mark.parametrize(
    ("held", "short"),
    [
        (_held(1.0, 1.0, 1.0), set()),
        (_held(0.8, 0.8, 0.8), set()),
        (_held(0.79, 1.0, 0.9), {"task", "overall", "success", "passes"}),
        (_held(1.0, 0.5, 0.9), {"conversation", "overall", "success", "passes"}),
        (_held(None, None), set()),
    ],
)
def test_what_stands_on_both_pillars_needs_both(held: ConditionSummary, short: set[str]) -> None:
    """A well-judged pillar does not make up for the other; without anything applicable there is nothing to fall short of."""
    measures = ("task", "conversation", "overall", "success", "passes", "wer", "cer", "known_value_accuracy")

    assert short == {measure for measure in measures if not_covered(held, measure)}
    assert short == {measure for measure in measures if shortfall(held, measure) is not None}


def test_a_diagnostic_has_its_own_coverage() -> None:
    """Only its own items count; a diagnostic nobody measured falls short of nothing."""
    diagnostics = {Diagnostic.MEMORY: Score(score=90.0, coverage=0.5), Diagnostic.CLOSING: Score(score=90.0, coverage=1.0)}
    held = condition(diagnostics=diagnostics)

    assert [True, False, False] == [not_covered(held, name) for name in ("memory", "closing", "rules")]


def test_the_reason_names_the_worst_coverage() -> None:
    """A reader learns how much was judged and how much is needed."""
    assert "only 0.50 of the applicable weight was judged (at least 0.8 is needed)" == shortfall(_held(0.7, 0.5, 0.5), "overall")
