"""How a command that played or judged calls ends: with its exit code, and one line where something is missing."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from core.errors import EXIT_GATE, EXIT_OK, ProviderError
from core.report.phrases import cost_text
from core.runs.store import NOT_JUDGED
from gateway.reporting import Outcome

_AGAIN = "run the same command to do what is missing"
_ONCE_MORE = "run the same command with --again to ask once more"


def ended(outcomes: Sequence[Outcome], budget_usd: float | None) -> int:
    """The exit code of a command that played runs: 1 where the budget stopped it.

    Calls that an endpoint refused for good are told in a line; a run of which nothing else is left has failed.

    Raises:
        ProviderError: the infrastructure dropped calls, or the judge failed.
    """
    lost = [case for each in outcomes for case in each.lost]
    refused = [case for each in outcomes for case in each.refused]
    if refused and not lost and not any(each.summary.cases or each.unjudged for each in outcomes):
        _complain(refused, [], _ONCE_MORE)
    _complain(lost, [case for each in outcomes for case in each.unjudged])
    if refused:
        told = f"ringback: could not play {refused[0]}{_more(refused)}: it would be refused again; {_ONCE_MORE}"
        print(told, file=sys.stderr)
    planned = sum(held.planned for each in outcomes for held in each.summary.conditions.values())
    unplayed = sum(held.unplayed for each in outcomes for held in each.summary.conditions.values())
    if budget_usd is None or not unplayed:
        return EXIT_OK
    spent = f" ({cost_text([each.summary for each in outcomes])})"
    return _spent(budget_usd, f"{spent}: {unplayed} of {planned} calls were not started")


def judged(outcome: Outcome, *, remedy: str = _AGAIN, left: int = 0, budget_usd: float | None = None) -> int:
    """The exit code of a command that judged: 1 where the budget stopped it with so many calls `left`.

    Raises:
        ProviderError: other calls are not judged; the line ends with the `remedy`.
    """
    _complain([], [case for case in outcome.unjudged if not (left and f": {NOT_JUDGED}: " in case)], remedy)
    if budget_usd is None or not left:
        return EXIT_OK
    return _spent(budget_usd, f": {left} calls were not judged")


def _spent(budget_usd: float, more: str) -> int:
    told = f"ringback: the budget of {budget_usd:.2f} USD is spent{more}"
    print(f"{told}; run the same command with a larger --budget to go on", file=sys.stderr)
    return EXIT_GATE


def _complain(lost: Sequence[str], unjudged: Sequence[str], remedy: str = _AGAIN) -> None:
    told = [f"could not {what} {cases[0]}{_more(cases)}" for what, cases in (("play", lost), ("judge", unjudged)) if cases]
    if told:
        raise ProviderError(f"{'; '.join(told)}; {remedy}")


def _more(cases: Sequence[str]) -> str:
    return f", and {len(cases) - 1} more" if len(cases) > 1 else ""
