"""How far a run is, what it cost and how long it will take: one line on stderr, on a terminal only, which vanishes at the end."""

from __future__ import annotations

import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable

from core.report.text import columns
from core.runs.runner import CaseResult


class CallProgress:
    """Shows `[12/40] 3.1 calls/min, 0.42 USD, 9 min left, 1 dropped (1 simulation): <case>`."""

    def __init__(self, total: int, *, quiet: bool, clock: Callable[[], float] = time.monotonic) -> None:
        """`total` counts the planned cases; `clock` gives seconds and is only read to show a rate."""
        self._total = total
        self._clock = clock
        self._shown = not quiet and sys.stderr.isatty()
        self._lost: Counter[str] = Counter()
        self._before = self._done = 0
        self._spent_usd = 0.0
        self._started_s = 0.0

    def begin(self, done: int, spent_usd: float) -> None:
        """Begin with some cases done before, and what they cost."""
        self._before = self._done = done
        self._spent_usd = spent_usd
        self._started_s = self._clock()

    def step(self, result: CaseResult) -> None:
        """Count one case and show where the run stands."""
        self._done += 1
        judged = result.judged
        used = [*result.usage.values(), *(judged.usage.values() if judged else ())]
        self._spent_usd += sum(each.cost_usd for each in used)
        if result.drop_class is not None:
            self._lost[result.drop_class.value] += 1
        elif judged is not None and judged.reason:
            self._lost["judge"] += 1
        if self._shown:
            self._show(self._line(result))

    def close(self) -> None:
        """Wipe the line."""
        if self._shown:
            self._show("")

    def _line(self, result: CaseResult) -> str:
        parts = []
        seconds, now = self._clock() - self._started_s, self._done - self._before
        if seconds > 0:
            parts.append(f"{60 * now / seconds:.1f} calls/min")
        if self._spent_usd:
            parts.append(f"{self._spent_usd:.2f} USD")
        if seconds > 0 and self._done < self._total:
            parts.append(f"{_duration(seconds * (self._total - self._done) / now)} left")
        if self._lost:
            told = ", ".join(f"{count} {name}" for name, count in sorted(self._lost.items()))
            parts.append(f"{self._lost.total()} lost ({told})")
        note = result.case if result.drop_class is None else f"{result.case} dropped: {result.reason}"
        return f"[{self._done}/{self._total}] {', '.join(parts)}: {note}" if parts else f"[{self._done}/{self._total}] {note}"

    def _show(self, line: str) -> None:
        """Write over the line before; what does not fit is cut, since a second line could not be wiped."""
        width = shutil.get_terminal_size((100, 24)).columns - 1
        while columns(line) > width:
            line = line[:-1]
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    """`40 s`, `9 min` or `2.5 h`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"
