"""What each effect of a channel costs: its variants are played as runs of their own, which resume and are never played twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from core.errors import UsageError
from core.files import write_atomic
from core.report.ablation import ablation_markdown
from core.runs.ablation import Variant, ablation
from core.schemas.ablation import Ablation, VariantKind
from core.schemas.base import Condition, pretty_json
from gateway.reporting import Outcome
from gateway.running import ProgressBar, RunRequest, evaluate
from gateway.settings import Settings
from speech.channel.presets import CLEAN, ChannelSpec, parse_channel


@dataclass(frozen=True)
class Ablated:
    """An ablation and what could not be played for it."""

    result: Ablation
    """The figures."""
    outcomes: tuple[Outcome, ...]
    """How each run ended."""


def ablate(request: RunRequest, settings: Settings, progress: Callable[[int], ProgressBar]) -> Ablated:
    """Play every variant of the request's channel below `request.out`, and write `ablation.json` and `ablation.md` there.

    Raises:
        UsageError: the channel has no effect to leave out.
    """
    spec = parse_channel(request.channel)
    if not spec.effects:
        raise UsageError(f"the channel {request.channel!r} has no effect whose price could be found: choose one that has")
    variants: list[Variant] = []
    outcomes: list[Outcome] = []
    for kind, effect, channel in variants_of(spec):
        folder = kind.value if effect is None else f"{kind.value}-{effect}"
        left = None if request.budget_usd is None else max(0.0, request.budget_usd - sum(map(_cost_usd, outcomes)))
        own = replace(request, conditions=(Condition.ASR,), channel=str(channel), out=request.out / folder, budget_usd=left)
        outcome = evaluate(own, settings, progress)
        variants.append(Variant(kind, effect, str(channel), folder, outcome.summary))
        outcomes.append(outcome)
    result = ablation(variants, str(spec), spec.effects)
    write_atomic(request.out / "ablation.json", pretty_json(result.to_json()))
    write_atomic(request.out / "ablation.md", ablation_markdown(result).encode())
    return Ablated(result, tuple(outcomes))


def _cost_usd(outcome: Outcome) -> float:
    return sum(used.cost_usd for used in outcome.summary.usage.values())


def variants_of(spec: ChannelSpec) -> Iterator[tuple[VariantKind, str | None, ChannelSpec]]:
    """Kind, effect and channel of every variant; a channel with one effect has none without it or with it alone."""
    effects = spec.effects
    yield VariantKind.CLEAN, None, ChannelSpec(CLEAN)
    yield VariantKind.WHOLE, None, spec
    yield VariantKind.BARE, None, spec.keeping(())
    if len(effects) > 1:
        for effect in effects:
            yield VariantKind.WITHOUT, effect, spec.keeping([other for other in effects if other != effect])
        for effect in effects:
            yield VariantKind.ALONE, effect, spec.keeping([effect])
