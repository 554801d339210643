"""What an effect costs: each variant beside the one it is compared with, on the calls both completed."""

from __future__ import annotations

import pytest

from core.report.ablation import ablation_markdown, render_ablation
from core.runs.ablation import Variant, ablation
from core.schemas.ablation import Ablation, VariantKind
from core.schemas.base import Condition
from core.schemas.hearing import ErrorRate
from core.schemas.run import Score
from tests.support.summaries import case, condition, summary

ASR = Condition.ASR


def _variant(kind: VariantKind, effect: str | None, scores: dict[str, float], edits: int) -> Variant:
    """A run of the given scores; the first call has `edits` word errors in 10 words, the others none."""
    wrong = [edits, *[0] * (len(scores) - 1)]
    cases = [
        case(scenario, ASR, score, score).model_copy(update={"wer": ErrorRate(rate=errors / 10, reference=10)})
        for (scenario, score), errors in zip(scores.items(), wrong, strict=True)
    ]
    mean = Score(score=sum(scores.values()) / len(scores), low=1.0, high=99.0, coverage=1.0)
    held = condition(n=len(cases), overall=mean, wer=ErrorRate(rate=edits / 10 / len(scores)))
    name = kind.value if effect is None else f"{kind.value}-{effect}"
    return Variant(kind, effect, f"landline:{name}", name, summary({ASR: held}, *cases))


@pytest.fixture
def found() -> Ablation:
    """Noise costs 40 points and 2 words of 10 in one of two calls; loss costs nothing alone, and the rest beside noise."""
    return ablation(
        [
            _variant(VariantKind.CLEAN, None, {"a": 100.0, "b": 80.0}, 0),
            _variant(VariantKind.WHOLE, None, {"a": 40.0, "b": 80.0}, 5),
            _variant(VariantKind.BARE, None, {"a": 100.0, "b": 80.0}, 0),
            _variant(VariantKind.WITHOUT, "noise", {"a": 80.0, "b": 80.0}, 3),
            _variant(VariantKind.WITHOUT, "loss", {"a": 60.0}, 2),
            _variant(VariantKind.ALONE, "noise", {"a": 60.0, "b": 80.0}, 2),
            _variant(VariantKind.ALONE, "loss", {"a": 100.0, "b": 80.0}, 0),
        ],
        "landline:whole",
        ["noise", "loss"],
    )


def test_an_effect_left_out_is_compared_with_the_whole_and_alone_with_none(found: Ablation) -> None:
    """Changes are this variant less the other: scores rise without a harmful effect, errors with it alone."""
    changes = {
        (result.kind.value, result.effect): (change.against.value, change.n, change.mean)
        for result in found.variants
        if (change := result.score_change) is not None
    }
    errors = [result.wer_change.mean for result in found.variants if result.wer_change is not None]

    assert {
        ("whole", None): ("clean", 2, -30.0),
        ("bare", None): ("clean", 2, 0.0),
        ("without", "noise"): ("whole", 2, 20.0),
        ("without", "loss"): ("whole", 1, 20.0),
        ("alone", "noise"): ("clean", 2, -20.0),
        ("alone", "loss"): ("clean", 2, 0.0),
    } == changes
    assert [0.25, 0.0, -0.1, -0.3, 0.1, 0.0] == errors


def test_a_change_holds_an_interval_where_it_can(found: Ablation) -> None:
    """Two scenarios give an interval that holds the mean; one gives none."""
    two, one = (result.score_change for result in found.variants if result.kind is VariantKind.WITHOUT)

    assert two is not None
    assert one is not None
    assert two.low is not None
    assert two.high is not None
    assert two.low <= 20.0 <= two.high
    assert (None, None) == (one.low, one.high)


def test_the_table_tells_every_variant(found: Ablation) -> None:
    """Terminal and Markdown hold a row per variant, with both changes, and a terminal of 100 columns holds it."""
    text, page = render_ablation(found), ablation_markdown(found)

    rows = [line for line in text.splitlines() if line.startswith(("no channel", "whole", "every", "without", "alone"))]
    assert 7 == len(rows)
    assert max(map(len, text.splitlines())) <= 100
    assert ["without", "loss", "0.200", "-", "-", "60.0", "-0.300", "+20.0"] == rows[4].split()
    assert "| without loss | 0.200 |" in page
    assert all(note[:40] in text and note[:40] in page for note in found.notes)
    assert "seed 7, 2 calls a line" in " ".join(text.split())
