"""Success over repeats: pass@k (some of k tries succeed) and pass^k (all of k tries succeed).

Both are the unbiased estimators over all subsets of k out of the n repeats that were made:

    pass@k = 1 - C(n - c, k) / C(n, k)     Chen et al. 2021, "Evaluating Large Language Models Trained on Code", eq. 1
    pass^k = C(c, k) / C(n, k)             Yao et al. 2024, "tau-bench", section 3

with c successes among n repeats of one scenario; a run's value is the unweighted mean over scenarios with n >= k.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb


def pass_at(successes: int, repeats: int, k: int) -> float:
    """Probability, 0 to 1, that at least one of k repeats succeeds; raises ValueError for impossible counts."""
    _check(successes, repeats, k)
    return 1.0 - comb(repeats - successes, k) / comb(repeats, k)


def pass_hat(successes: int, repeats: int, k: int) -> float:
    """Probability, 0 to 1, that all of k repeats succeed; raises ValueError for impossible counts."""
    _check(successes, repeats, k)
    return comb(successes, k) / comb(repeats, k)


def mean_pass_at(scenarios: Iterable[tuple[int, int]], k: int) -> float | None:
    """Mean pass@k over (successes, repeats) of each scenario with at least k repeats; None where there is none."""
    return _mean([pass_at(successes, repeats, k) for successes, repeats in scenarios if repeats >= k])


def mean_pass_hat(scenarios: Iterable[tuple[int, int]], k: int) -> float | None:
    """Mean pass^k over (successes, repeats) of each scenario with at least k repeats; None where there is none."""
    return _mean([pass_hat(successes, repeats, k) for successes, repeats in scenarios if repeats >= k])


def _check(successes: int, repeats: int, k: int) -> None:
    if not (0 <= successes <= repeats and 1 <= k <= repeats):
        raise ValueError(
            f"{successes} successes, {repeats} repeats, k = {k}: need 0 <= successes <= repeats and 1 <= k <= repeats"
        )


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None
