"""From the runs of an ablation to its figures: each variant beside the one it is compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.runs.estimates import rounded
from core.runs.notes import INTERVAL_NOTE
from core.schemas.ablation import Ablation, Difference, VariantKind, VariantResult
from core.schemas.base import Condition
from core.schemas.run import CaseSummary, Summary
from core.stats.bootstrap import Place
from core.stats.paired import compare

COMPARED_WITH = {
    VariantKind.WHOLE: VariantKind.CLEAN,
    VariantKind.BARE: VariantKind.CLEAN,
    VariantKind.ALONE: VariantKind.CLEAN,
    VariantKind.WITHOUT: VariantKind.WHOLE,
}
"""What a variant is compared with; `clean` with nothing."""

NOTES = (
    "Without an effect the channel is compared with the whole of it: what it gains is the price of the effect among the others.",
    "An effect alone is compared with no channel: what it loses is its price by itself. Prices need not add up.",
    "Every variant plays the same calls with the same seeds, and an effect draws the same chance in each.",
    "Differences are means over scenarios of what a call changed by; rates are pooled over calls, so they need not agree.",
    INTERVAL_NOTE,
)


@dataclass(frozen=True)
class Variant:
    """A variant of the channel and what its run came to."""

    kind: VariantKind
    """How it relates to the whole channel."""
    effect: str | None
    """The effect left out or alone."""
    channel: str
    """The channel in its canonical form."""
    run: str
    """Folder of the run."""
    summary: Summary
    """The run's summary; its calls were played under `asr`."""

    @property
    def cases(self) -> list[CaseSummary]:
        """Finished calls."""
        return [case for case in self.summary.cases if case.condition is Condition.ASR]


def ablation(variants: Sequence[Variant], channel: str, effects: Sequence[str]) -> Ablation:
    """The table of an ablation. `variants` holds one of kind clean and one of kind whole."""
    first = {variant.kind: variant for variant in reversed(variants)}
    signature = variants[0].summary.signature
    return Ablation(
        bundle=signature.bundle,
        bundle_hash=signature.bundle_hash,
        caller=signature.caller,
        candidate=signature.candidate,
        judge=signature.judge,
        seed=signature.seed,
        repeats=signature.repeats,
        channel=channel,
        effects=tuple(effects),
        variants=tuple(_result(variant, first) for variant in variants),
        notes=NOTES,
    )


def _result(variant: Variant, first: dict[VariantKind, Variant]) -> VariantResult:
    held = variant.summary.conditions[Condition.ASR]
    kind = COMPARED_WITH.get(variant.kind)
    other = first[kind] if kind else None
    return VariantResult(
        kind=variant.kind,
        effect=variant.effect,
        channel=variant.channel,
        run=variant.run,
        n=held.n,
        dropped=sum(sum(reasons.values()) for reasons in held.dropped.values()),
        wer=held.wer,
        cer=held.cer,
        known_values=held.known_value_accuracy,
        overall=held.overall,
        wer_change=_change(variant, other, lambda case: case.wer.rate if case.wer else None),
        cer_change=_change(variant, other, lambda case: case.cer.rate if case.cer else None),
        score_change=_change(variant, other, lambda case: case.overall),
    )


def _change(variant: Variant, other: Variant | None, measure: Callable[[CaseSummary], float | None]) -> Difference | None:
    if other is None:
        return None
    found = compare(_values(variant, measure), _values(other, measure), variant.summary.signature.seed)
    held = found.interval
    return Difference(
        against=other.kind,
        n=len(found.differences),
        mean=rounded(held.mean if held else None),
        low=rounded(held.low if held else None),
        high=rounded(held.high if held else None),
    )


def _values(variant: Variant, measure: Callable[[CaseSummary], float | None]) -> dict[Place, float]:
    values = {}
    for case in variant.cases:
        value = measure(case)
        if value is not None:
            values[Place(case.agent, case.scenario, case.repeat)] = value
    return values
