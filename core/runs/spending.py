"""What the models of a run used, reply by reply as it was paid: a kill or an error loses no more than what was under way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from core.errors import FileError
from core.files import append_line, whole_lines
from core.metered import Metered, summed
from core.schemas.spending import SpendingLine, SpendingState
from core.schemas.usage import Usage

_Party = TypeVar("_Party")


class Spending:
    """`spending.jsonl` of a run, the one place that says what it cost; threads and processes may share it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, role: str, used: Usage, judge_key: str | None = None) -> None:
        """Keep what one reply used; a judge's with its key."""
        self._write(SpendingLine(state=SpendingState.USED, role=role, judge_key=judge_key, usage=used), synced=False)

    def of(self, role: str, party: _Party, judge_key: str | None = None) -> _Party:
        """The same party, whose every reply from now on is kept here."""
        if isinstance(party, Metered):
            party.tell(partial(self.add, role, judge_key=judge_key))
        return party

    @contextmanager
    def working(self) -> Iterator[None]:
        """While models are at work. Where this does not end well, what was under way is not known, now or later."""
        self._write(SpendingLine(state=SpendingState.BEGAN), synced=True)
        yield
        self._write(SpendingLine(state=SpendingState.ENDED), synced=True)

    def usage(self, judge_key: str | None = None) -> dict[str, Usage]:
        """What each role used in all; where a judge is named, without what others used for judging."""
        return summed(
            {line.role: line.usage}
            for line in self._lines()
            if line.role is not None and line.usage is not None and judge_key in (None, line.judge_key or judge_key)
        )

    def cuts(self) -> int:
        """How often models were at work and it did not end well; one that is at work now counts."""
        states = [line.state for line in self._lines()]
        return states.count(SpendingState.BEGAN) - states.count(SpendingState.ENDED)

    def _write(self, line: SpendingLine, *, synced: bool) -> None:
        append_line(self.path, line.model_dump_json(exclude_none=True).encode(), synced=synced)

    def _lines(self) -> Iterator[SpendingLine]:
        for number, raw in enumerate(whole_lines(self.path, "spending"), 1):
            try:
                yield SpendingLine.model_validate_json(raw)
            except ValidationError:
                raise FileError(f"{self.path}: line {number} is no line of spending: {raw[:60]!r}") from None
