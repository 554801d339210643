"""Which cases a run has: scenarios chosen by pattern and language, times conditions, times repeats."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from core.bundle import Bundle
from core.errors import UsageError
from core.schemas.base import Condition
from core.schemas.run import CaseKey

MAX_CASES = 100_000
"""Cases of one run: far above any sound plan, and few enough to list."""


def plan_cases(
    bundle: Bundle,
    conditions: Sequence[Condition],
    *,
    agents: str = "*",
    scenarios: str = "*",
    languages: Sequence[str] = (),
    repeats: int = 1,
) -> tuple[CaseKey, ...]:
    """Every case in a fixed order: scenario by id, then condition, then repeat.

    `agents` and `scenarios` are comma-separated shell patterns. Raises UsageError where nothing is left.
    """
    chosen = [
        scenario.id
        for scenario in bundle.scenarios.values()
        if bundle.agent_of(scenario).active
        and _matches(scenario.agent, agents)
        and _matches(scenario.id, scenarios)
        and (not languages or scenario.language in languages or scenario.language.split("-")[0] in languages)
    ]
    if not chosen:
        raise UsageError(
            f"no active scenario of {bundle.file.id!r} matches --agents {agents!r} --scenarios {scenarios!r}"
            f"{' --languages ' + ','.join(languages) if languages else ''}; it has: {', '.join(bundle.scenarios)}"
        )
    count = len(chosen) * len(conditions) * repeats
    if count > MAX_CASES:
        raise UsageError(f"--repeats {repeats} plans {count} cases; a run holds at most {MAX_CASES}: repeat less or choose fewer")
    return tuple(
        CaseKey(scenario=scenario, condition=condition, repeat=repeat)
        for scenario in chosen
        for condition in conditions
        for repeat in range(repeats)
    )


def _matches(name: str, patterns: str) -> bool:
    return any(fnmatchcase(name, pattern.strip()) for pattern in patterns.split(","))
