"""Runs whose providers are busy, leave settings out or do not count: no call is lost to it, and every record says so."""

from __future__ import annotations

import html
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

from core.errors import EXIT_INFRASTRUCTURE, EXIT_OK
from core.runs.store import RunStore
from core.schemas.base import Condition
from core.schemas.run import CaseKey, Summary, Timing
from models.chat.candidate import PROBE
from tests.support.chat_server import Answer, Body, chat_server, no_setting, rate_limited
from tests.support.shell import Shell
from tests.support.small_talk import CENT, SCRIPT, caller, candidate, judge, run_of

CASE = CaseKey(scenario="renew-loan", condition=Condition.TEXT, repeat=0).name


def _summary() -> Summary:
    return RunStore.open(Path("run")).summary()


def test_a_setting_that_an_endpoint_does_not_take_is_told_wherever_the_run_is(shell: Shell) -> None:
    """Every record of the party says that seeds were sent; that they were not stands in case, journal, summary, text and page."""

    def unseeded(body: Body) -> Answer:
        return no_setting("seed") if "seed" in body else candidate(body)

    with chat_server({**SCRIPT, "candidate": unseeded}) as server:
        assert EXIT_OK == shell(*run_of(server, "caller", "candidate", "judge", repeats=1))
    used = _summary().usage
    assert {"caller": (), "candidate": ("seed",), "judge": ()} == {role: each.left_out for role, each in used.items()}
    told = "The candidate's endpoint does not take seed: requests went out without"
    assert told in shell.words
    assert told in html.unescape(Path("run", "report.html").read_text("utf-8"))
    timing = Timing.model_validate_json(Path("run", "cases", CASE, "timing.json").read_bytes())
    assert ("seed",) == timing.usage["candidate"].left_out
    lines = RunStore.open(Path("run")).journal()
    assert [("seed",)] == [line.usage["candidate"].left_out for line in lines if "candidate" in line.usage]


def test_a_reply_whose_tokens_nobody_counted_ends_no_budget(shell: Shell) -> None:
    """The prices are given, so its cost is reckoned from lengths: the run goes on, and says that the cost is about right."""
    counted, lock = [False], threading.Lock()

    def uncounted(body: Body) -> Answer:
        answer = candidate(body)
        if body["messages"][0]["content"] == PROBE:
            return answer
        with lock:
            before, counted[0] = counted[0], True
        return answer if before else Answer(json.dumps({**json.loads(answer.body), "usage": None}).encode())

    with chat_server({**SCRIPT, "candidate": uncounted}) as server:
        command = run_of(server, "caller", "candidate", "judge", options=CENT)
        assert EXIT_OK == shell(*command, "--budget", "50")
        assert EXIT_OK == shell(*command, "--budget", "50")
    assert (1, 0) == (_summary().usage["candidate"].estimated, _summary().usage["candidate"].unpriced)
    assert "Cost: about 0." in shell.words
    assert "the tokens of 1 requests were not counted by the endpoint" in shell.words


def test_a_provider_whose_quota_is_used_up_stops_the_run_and_drops_nothing(shell: Shell) -> None:
    """Each call that meets it would be lost for nothing; what is not played is played by the same command later."""
    full = [True]

    def quota(body: Body) -> Answer:
        return (
            rate_limited(400)
            if full and len(body["messages"]) > 1 and body["messages"][0]["content"] != PROBE
            else candidate(body)
        )

    with chat_server({**SCRIPT, "candidate": quota}) as server:
        command = run_of(server, "caller", "candidate", "judge")
        assert EXIT_INFRASTRUCTURE == shell(*command)
        assert "429: too many requests; it asks for 400 s more, and patience=300: run the same command later" in shell.err
        assert {} == RunStore.open(Path("run")).dropped()
        full.clear()
        assert EXIT_OK == shell(*command)


def test_many_threads_and_a_small_quota_lose_no_call(shell: Shell) -> None:
    """Eight calls at once, a server that takes one request in 0.04 s: the default attempts do, however often it says 429."""
    last, lock = [0.0], threading.Lock()

    def quota(answer: Callable[[Body], Answer]) -> Callable[[Body], Answer]:
        def limited(body: Body) -> Answer:
            with lock:
                if time.monotonic() - last[0] < 0.04:
                    return rate_limited(0.05)
                last[0] = time.monotonic()
            return answer(body)

        return limited

    with chat_server({"caller": quota(caller), "candidate": quota(candidate), "judge": quota(judge)}) as server:
        assert EXIT_OK == shell(*run_of(server, "caller", "candidate", "judge", repeats=8))
    assert {} == RunStore.open(Path("run")).dropped()
