"""A delivery ablation for a terminal."""

from __future__ import annotations

from core.report.text import clean, table, wrapped
from core.schemas.delivery_ablation import AblatedDetector, DeliveryAblation
from core.schemas.snapshots import Label
from core.snapshots.delivery_ablation import ENOUGH

HEAD = ("detector", "given", "F1 with", "F1 without", "change", "BA with", "BA without", "change", "answers changed")


def ablation_lines(found: DeliveryAblation, width: int = 100) -> list[str]:
    """What was compared, a row for each detector and mode, and what it came to."""
    fraud = sum(call.label is Label.FRAUD for call in found.calls)
    total = len(found.calls)
    what = f"{total} calls of {found.trees} trees ({fraud} fraud, {total - fraud} lawful)"
    lines = [
        f"{found.config.snapshot_id}: {what}, said in their deliveries and as in small talk",
        f"heard with CER {found.delivery_cer:.3f} with delivery, {found.neutral_cer:.3f} without",
    ]
    if found.config.recordings_sha256 is not None:
        lines.append(f"not the frozen recordings, but made again elsewhere ({found.config.recordings_sha256[:12]})")
    if found.passed_over:
        lines.append(f"passed over, since they failed quality control without delivery: {len(found.passed_over)}")
    rows = [HEAD, *(_cells(each) for each in found.detectors)]
    change = found.pooled_neutral_f1 - found.pooled_delivery_f1
    pooled = (found.pooled_delivery_f1, found.pooled_neutral_f1)
    largest = ", ".join(f"{clean(name)} {value:.3f}" for name, value in found.largest_change.items())
    notes = [
        f"all answers together: F1 {pooled[0]:.3f} with delivery, {pooled[1]:.3f} without, change {change:+.3f}",
        f"largest change of F1 by detector: {largest}",
        _note(total),
    ]
    return [*lines, "", *table(rows, right=range(2, len(HEAD))), "", *(wrapped(note, width) for note in notes)]


def _note(calls: int) -> str:
    few = f" Fewer than {ENOUGH} calls are too few to say anything." if calls < ENOUGH else ""
    return (
        f"A change is without delivery less with it. With {calls} calls one more right answer moves a recall by several points:"
        f" a small change is no finding.{few}"
    )


def _cells(each: AblatedDetector) -> tuple[str, ...]:
    prompt = f", {each.prompt_language}" if each.prompt_language else ""
    return (
        clean(each.detector),
        f"{each.mode}{prompt}",
        f"{each.delivery.fraud_f1:.3f}",
        f"{each.neutral.fraud_f1:.3f}",
        f"{each.fraud_f1_change:+.3f}",
        f"{each.delivery.balanced_accuracy:.3f}",
        f"{each.neutral.balanced_accuracy:.3f}",
        f"{each.balanced_accuracy_change:+.3f}",
        f"{each.changed} of {each.delivery.n}",
    )
