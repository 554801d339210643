"""What people said of the calls of a month, as plain text for a terminal."""

from __future__ import annotations

from core.report.phrases import number
from core.report.text import clean, table
from core.schemas.experts import ExpertReport, PacketResult
from core.schemas.snapshots import Label

NOTE = (
    "Agreement is the share of calls with the label of the month; its mean is over packets. Kappa and alpha take off what chance "
    "gives: 1 is full agreement, 0 is chance; a dash where nothing could differ, or nobody answered."
)
SHOWN_DOUBTS = 20


def expert_lines(found: ExpertReport) -> list[str]:
    """Lines of every table; the caller wraps the note."""
    head = ["packet", "calls", "agreement", "kappa", *(label.value for label in Label), "confidence", "sufficient", "correct"]
    lines = [*table([head, *(_packet(packet) for packet in found.packets)], right=range(1, len(head))), ""]
    counted = ", ".join(f"{count} {label.value}" for label, count in found.labels.items())
    agreed = f"agreement {found.agreement:.3f} ({found.lowest:.3f} to {found.highest:.3f}), kappa {number(found.kappa, 3)}"
    lines.append(f"{found.snapshot_id}: {len(found.packets)} packets filled, {found.labelled} labels: {counted}")
    lines.append(f"{agreed}, mean confidence {number(found.confidence, 3)}")
    lines.append(
        f"sufficient {_share(found.sufficient, found.sufficient_answers)}, correct {_share(found.correct, found.correct_answers)}"
    )
    if found.unfilled:
        lines.append(f"not filled, and not counted: {', '.join(found.unfilled)}")
    if found.pairs:
        rows = [
            [f"{pair.first}, {pair.second}", str(pair.items), f"{pair.agreement:.3f}", number(pair.kappa, 3)]
            for pair in found.pairs
        ]
        lines += [
            "",
            *table([["two people", "calls", "agreement", "kappa"], *rows], right=(1, 2, 3)),
            f"alpha over all {number(found.alpha, 3)}",
        ]
    return [*lines, "", *_doubts(found)]


def _packet(packet: PacketResult) -> list[str]:
    figures = [f"{packet.agreement:.3f}", number(packet.kappa, 3), *(str(count) for count in packet.labels.values())]
    return [packet.file, str(packet.items), *figures, number(packet.confidence, 3), str(packet.sufficient), str(packet.correct)]


def _share(yes: int, answers: int) -> str:
    return f"{yes} of {answers} ({yes / answers:.3f})" if answers else "- (nobody answered)"


def _doubts(found: ExpertReport) -> list[str]:
    lines = [
        f"{len(found.agreed_only)} calls on which everybody agrees with the month, {len(found.doubted)} that somebody doubts"
    ]
    doubted = [item for item in found.items if item.sample_id in set(found.doubted)]
    for item in doubted[:SHOWN_DOUBTS]:
        said = ", ".join(f"{file.removesuffix('.csv')} {label.value}" for file, label in item.given.items())
        notes = f" ({clean('; '.join(item.notes))})" if item.notes else ""
        lines.append(f"  {item.sample_id} is {item.label.value}; said {said}{notes}")
    return [*lines, f"  and {len(doubted) - SHOWN_DOUBTS} more"] if len(doubted) > SHOWN_DOUBTS else lines
