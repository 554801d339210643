"""How far raters agree beyond chance: Cohen's kappa, Krippendorff's alpha and raw agreement, with bootstrap intervals.

Every measure is a function of one square matrix over the categories that is a *sum over cases*: the confusion table of two
raters (kappa), or the coincidences of any number of raters (alpha). So redrawing cases is reweighting the sum, and all samples
are computed at once. Leading axes of a matrix are samples.

    kappa = 1 - sum(w o) / sum(w e)     Cohen 1968; w = 0 on the diagonal, else 1 (nominal), |i - j| (linear), (i - j)^2
                                        (quadratic); o the confusion table, e the one expected from its margins
    alpha = 1 - sum(d o) / sum(d e)     Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"; d is 0/1 (nominal),
                                        (i - j)^2 (interval), or the squared number of values between the two (ordinal)

Where a denominator is 0 (one category only, so nothing could disagree) the measure is undefined: NaN here, null in files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from core.schemas.agreement import Metric, Weights
from core.stats.bootstrap import LEVEL, Interval, Place, sample_counts

Matrix = npt.NDArray[np.float64]
"""Square over the categories, with any leading axes."""

Measure = Callable[[Matrix], Matrix]
"""From matrices to one number each."""


def confusion(pairs: Sequence[Sequence[int]], categories: int) -> Matrix:
    """How often the first of two raters said i where the second said j, shape (categories, categories)."""
    table = np.zeros((categories, categories))
    for first, second in pairs:
        table[first, second] += 1
    return table


def coincidences(units: Sequence[Sequence[int]], categories: int) -> Matrix:
    """Krippendorff's coincidence matrix; each unit holds the values its raters gave, missing ones left out.

    A unit of m values adds each ordered pair of its values with the weight 1 / (m - 1); units of one value add nothing.
    """
    table = np.zeros((categories, categories))
    for unit in units:
        if len(unit) < 2:
            continue
        counts = Counter(unit)
        for first, n in counts.items():
            for second, m in counts.items():
                table[first, second] += n * (m - (first == second)) / (len(unit) - 1)
    return table


def raw_agreement(table: Matrix) -> Matrix:
    """Share of all pairs on the diagonal, 0 to 1."""
    return _ratio(np.trace(table, axis1=-2, axis2=-1), table.sum(axis=(-2, -1)))


def kappa(table: Matrix, weights: Weights) -> Matrix:
    """Cohen's kappa of confusion tables, at most 1."""
    apart = np.abs(np.subtract.outer(np.arange(table.shape[-1]), np.arange(table.shape[-1]))).astype(np.float64)
    weight = {Weights.NOMINAL: np.minimum(apart, 1.0), Weights.LINEAR: apart, Weights.QUADRATIC: apart**2}[weights]
    expected = table.sum(axis=-1)[..., :, np.newaxis] * table.sum(axis=-2)[..., np.newaxis, :]
    total = table.sum(axis=(-2, -1))
    return 1.0 - _ratio((weight * table).sum(axis=(-2, -1)) * total, (weight * expected).sum(axis=(-2, -1)))


def alpha(table: Matrix, metric: Metric) -> Matrix:
    """Krippendorff's alpha of coincidence matrices, at most 1."""
    margins = table.sum(axis=-1)
    expected = margins[..., :, np.newaxis] * margins[..., np.newaxis, :]
    total = margins.sum(axis=-1)
    distance = _distances(margins, metric)
    # The expected pairs of a value with itself are no disagreement, so their finite-sample correction cancels.
    return 1.0 - _ratio((distance * table).sum(axis=(-2, -1)) * (total - 1.0), (distance * expected).sum(axis=(-2, -1)))


def estimate(measure: Measure, places: Sequence[Place], tables: Sequence[Matrix], seed: int) -> Interval | None:
    """A measure of the summed matrices with its 95 % hierarchical bootstrap interval over cases; None where it is undefined.

    `tables[i]` is the matrix of the case at `places[i]`; each place is named once. There is no interval for fewer than two
    cases; samples that leave the measure undefined are left out of it.
    """
    pairs = sorted(zip(places, tables, strict=True), key=lambda pair: pair[0])
    if not pairs:
        return None
    stacked = np.stack([table for _place, table in pairs])
    found = float(measure(stacked.sum(axis=0)))
    if np.isnan(found):
        return None
    if len(pairs) < 2:
        return Interval(found, None, None)
    samples = measure(np.einsum("sc,cij->sij", sample_counts(tuple(place for place, _table in pairs), seed), stacked))
    defined = samples[~np.isnan(samples)]
    if not len(defined):
        return Interval(found, None, None)
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(found, float(low), float(high))


def _distances(margins: Matrix, metric: Metric) -> Matrix:
    """Squared distance of each two categories, shape (..., categories, categories)."""
    ranks = np.arange(margins.shape[-1], dtype=np.float64)
    match metric:
        case Metric.NOMINAL:
            return np.not_equal.outer(ranks, ranks).astype(np.float64)
        case Metric.INTERVAL:
            return np.subtract.outer(ranks, ranks) ** 2
        case Metric.ORDINAL:
            # Values from the middle of one category to the middle of the other.
            middles = np.cumsum(margins, axis=-1) - margins / 2
            return np.asarray((middles[..., :, np.newaxis] - middles[..., np.newaxis, :]) ** 2)


def _ratio(numerator: Matrix, denominator: Matrix) -> Matrix:
    """The quotient, NaN where the denominator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(denominator) > 0, np.divide(numerator, denominator), np.nan)
