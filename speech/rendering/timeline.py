"""Two voices on one timeline: turns one after the other, with gaps that know neither what is said nor what the call is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.seeds import generator
from speech.clip import Clip, concat

SAMPLE_RATE = 24_000
"""Samples per second of every released recording."""
EDGE_S = 0.3
"""Seconds the line is open before the first turn and after the last."""
GAP_S = 0.45
GAP_SPREAD = 0.45
GAP_RANGE_S = (0.2, 1.4)
"""Gaps between turns: log-normal with this median and this spread of the logarithm, held within a range."""


def gaps(seed: int, tree_id: str, count: int) -> list[float]:
    """Seconds of silence before turns 1, 2, ... of any call of a tree: siblings wait alike at the same turn."""
    draws = generator(seed, "gaps", tree_id).standard_normal(count)
    return [round(min(max(GAP_S * math.exp(GAP_SPREAD * draw), GAP_RANGE_S[0]), GAP_RANGE_S[1]), 4) for draw in draws]


def joined(turns: Sequence[Clip], waits: Sequence[float]) -> tuple[Clip, list[tuple[int, int]]]:
    """Turns on one timeline and where each lies in samples; `waits[i]` is the gap after turn i.

    Raises:
        ValueError: a clip has another rate than recordings have, or a gap is missing.
    """
    edge = Clip.silence(EDGE_S, SAMPLE_RATE)
    pieces, spans, place = [edge], [], len(edge)
    for number, turn in enumerate(turns):
        if number:
            gap = Clip.silence(waits[number - 1], SAMPLE_RATE)
            pieces.append(gap)
            place += len(gap)
        pieces.append(turn)
        spans.append((place, place + len(turn)))
        place += len(turn)
    return concat(*pieces, edge), spans
