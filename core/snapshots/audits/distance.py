"""How far the calls of one tree lie apart, against calls of different trees, by vectors that an encoder makes of their words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from core.schemas.audits import TreeDistance
from core.schemas.snapshots import SnapshotCall
from core.seeds import generator
from core.snapshots.audits.samples import Part, Sample, samples

Vectors = npt.NDArray[np.float64]


class Encoder(NamedTuple):
    """What makes vectors of texts."""

    id: str
    """Name and version: equal ids make equal vectors."""
    encode: Callable[[Sequence[str]], Vectors]
    """Texts to vectors, shape (texts, dimensions); no row of zeros."""


def tree_distances(calls: Sequence[SnapshotCall], encoder: Encoder, seed: int) -> tuple[TreeDistance, TreeDistance]:
    """Distances of the whole calls, which the common opening draws together, and of what follows it.

    Raises:
        ValueError: as `tree_distance` does.
    """
    whole, suffix = samples(calls), samples(calls, Part.SUFFIX)
    return tree_distance(whole, encoder, seed, "whole"), tree_distance(suffix, encoder, seed, "suffix")


def tree_distance(texts: Sequence[Sample], encoder: Encoder, seed: int, part: Literal["whole", "suffix"]) -> TreeDistance:
    """Mean cosine distance within trees and across trees, over unordered pairs, and their ratio.

    Raises:
        ValueError: fewer than two trees, no tree with two calls, or an encoder that makes nothing of a text.
    """
    groups = np.unique([text.group for text in texts], return_inverse=True)[1]
    distances = _cosine_distances(encoder.encode([text.text for text in texts]))
    within, cross = _means(distances, groups)
    shuffled = _means(distances, generator(seed, "shuffled-trees", part).permutation(groups))
    return TreeDistance(
        part=part,
        encoder=encoder.id,
        calls=len(texts),
        trees=int(groups.max()) + 1,
        within=within,
        cross=cross,
        ratio=_ratio(cross, within),
        shuffled_ratio=_ratio(shuffled[1], shuffled[0]),
    )


def _cosine_distances(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.all(np.isfinite(lengths)) or not np.all(lengths > 0):
        raise ValueError("the encoder made no vector of a text: its length is zero or no number")
    unit = vectors / lengths
    distances: Vectors = 1.0 - unit @ unit.T
    return np.clip(distances, 0.0, 2.0)


def _means(distances: Vectors, groups: npt.NDArray[np.int64]) -> tuple[float, float]:
    upper = np.triu(np.ones(distances.shape, dtype=bool), k=1)
    same = groups[:, None] == groups[None, :]
    inside, outside = distances[upper & same], distances[upper & ~same]
    if not len(inside) or not len(outside):
        raise ValueError("distances need two trees, and one tree with two calls")
    return float(inside.mean()), float(outside.mean())


def _ratio(cross: float, within: float) -> float | None:
    return cross / within if within > 0 else None
