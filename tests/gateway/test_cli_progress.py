"""The progress of a run: rate, cost, time left and losses on one line of a terminal, and nothing anywhere else."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence

import pytest

from core.report.text import columns
from core.runs.runner import CaseResult, Judged
from core.schemas.run import DropClass
from core.schemas.usage import Usage
from gateway.cli.progress import CallProgress

WIPE = "\r\x1b[K"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(
    monkeypatch: pytest.MonkeyPatch,
    results: Sequence[CaseResult],
    total: int,
    *,
    width: int = 200,
    done: int = 0,
    spent: float = 0,
) -> list[str]:
    """The lines shown for results that come every ten seconds."""
    screen, clock = _Terminal(), iter(range(0, 1000, 10))
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("shutil.get_terminal_size", lambda _default: os.terminal_size((width, 24)))
    bar = CallProgress(total, quiet=False, clock=lambda: float(next(clock)))
    bar.begin(done, spent)
    for result in results:
        bar.step(result)
    bar.close()
    assert screen.getvalue().startswith(WIPE)
    return screen.getvalue().split(WIPE)[1:]


def test_rate_cost_time_left_and_losses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What each result adds: calls a minute, dollars of all roles, the time left, losses by class; then it is wiped."""
    dollar = {"candidate": Usage(cost_usd=1.0)}
    results = [
        CaseResult("a--text--r0", trace_sha256="0" * 64, usage=dollar, judged=Judged("k", usage={"judge": Usage(cost_usd=0.5)})),
        CaseResult("b--text--r0", drop_class=DropClass.SIMULATION, reason="caller_invalid: x", usage=dollar),
        CaseResult("c--text--r0", trace_sha256="0" * 64, judged=Judged("k", reason="judge: HTTP 503")),
    ]
    assert [
        "[1/40] 6.0 calls/min, 1.50 USD, 6 min left: a--text--r0",
        "[2/40] 6.0 calls/min, 2.50 USD, 6 min left, 1 lost (1 simulation): b--text--r0 dropped: caller_invalid: x",
        "[3/40] 6.0 calls/min, 2.50 USD, 6 min left, 2 lost (1 judge, 1 simulation): c--text--r0",
        "",
    ] == _shown(monkeypatch, results, 40)


def test_a_resumed_run_goes_on_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases and dollars of before count, the rate is that of now."""
    (line, wiped) = _shown(monkeypatch, [CaseResult("a--text--r0")], 11, done=9, spent=2.0)
    assert ("[10/11] 6.0 calls/min, 2.00 USD, 10 s left: a--text--r0", "") == (line, wiped)


@pytest.mark.parametrize(("total", "left"), [(6, "50 s"), (7, "1 min"), (1000, "2.8 h")])
def test_time_left_in_the_unit_that_fits(monkeypatch: pytest.MonkeyPatch, total: int, left: str) -> None:
    """Seconds, minutes, hours."""
    assert f" {left} left:" in _shown(monkeypatch, [CaseResult("a--text--r0")], total)[0]


@pytest.mark.parametrize("name", ["block-stolen-card--text--r0", "信用卡丢失--text--r0"])
def test_a_line_never_wraps(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A second line could not be wiped; wide characters count two columns."""
    (line, _) = _shown(monkeypatch, [CaseResult(name)], 40, width=50)
    assert 48 <= columns(line) <= 49


@pytest.mark.parametrize(("screen", "quiet"), [(io.StringIO(), False), (_Terminal(), True)], ids=["no terminal", "quiet"])
def test_silent_elsewhere(screen: io.StringIO, quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs and pipes get no control characters, and `-q` means quiet."""
    monkeypatch.setattr("sys.stderr", screen)
    bar = CallProgress(1, quiet=quiet)
    bar.begin(0, 0.0)
    bar.step(CaseResult("a--text--r0"))
    bar.close()
    assert "" == screen.getvalue()
