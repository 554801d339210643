"""Runs with chat models over HTTP: threads, preflight, costs, budget, judges that fail, resuming."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import EXIT_GATE, EXIT_INFRASTRUCTURE, EXIT_INPUT, EXIT_OK
from core.runs.store import RunStore
from core.schemas.base import Condition
from core.schemas.run import CaseKey, JournalState, Summary, Timing
from gateway.running import THREADS
from models.chat.candidate import PROBE
from models.chat.client import _PROBE
from tests.support.chat_server import (
    Answer,
    Body,
    ChatServer,
    broken,
    chat_server,
    error,
    no_model,
    refuse,
    refused_key,
    too_long,
)
from tests.support.shell import Shell
from tests.support.small_talk import CENT, REQUESTS, SCRIPT, caller, candidate, judge, run_of


def _summary(folder: str = "run") -> Summary:
    return RunStore.open(Path(folder)).summary()


def _asked(server: ChatServer) -> Counter[str]:
    """Requests by model, without those of the check."""
    checks = {PROBE, _PROBE[0]["content"]}
    return Counter(body["model"] for body in server.bodies() if body["messages"][0]["content"] not in checks)


def _name(repeat: int) -> str:
    return CaseKey(scenario="renew-loan", condition=Condition.TEXT, repeat=repeat).name


# -- costs --------------------------------------------------------------------------------------------------------------


def test_what_each_role_used_is_told_from_case_to_summary(shell: Shell) -> None:
    """In timing.json of the case, in the journal, summed with checks in the summary, printed; a finished run asks nobody."""
    with chat_server(SCRIPT) as server:
        command = run_of(server, "caller", "candidate", "judge")
        assert EXIT_OK == shell(*command)
        asked = len(server.requests)
        assert EXIT_OK == shell(*command)
        assert asked == len(server.requests)
    used = _summary().usage
    assert {role: 1 + 4 * count for role, count in REQUESTS.items()} == {role: each.requests for role, each in used.items()}
    assert (0.05, 0.09, 0.09) == tuple(used[role].cost_usd for role in ("caller", "candidate", "judge"))
    assert "caller 5 requests, 500 tokens sent, 50 received" in shell.words
    assert "Cost: 0.23 USD." in shell.words
    timing = Timing.model_validate_json(Path("run", "cases", _name(0), "timing.json").read_bytes())
    assert {"caller": 1, "candidate": 2} == {role: each.requests for role, each in timing.usage.items()}
    lines = RunStore.open(Path("run")).journal()
    paid = {line.state: sum(each.cost_usd for each in line.usage.values()) for line in lines if line.case == _name(0)}
    assert {JournalState.STARTED: 0.0, JournalState.FINISHED: 0.03, JournalState.GRADED: 0.02} == paid


def test_calls_of_chat_models_wait_at_the_same_time(shell: Shell) -> None:
    """Eight threads where nothing sounds, as many as --concurrency where it is given; the traces are the same."""
    most, now, wanted, change = [0], [0], [0], threading.Condition()

    def slow(body: Body) -> Answer:
        if PROBE in str(body["messages"]):  # the check before the first call comes alone
            return candidate(body)
        with change:
            now[0] += 1
            most[0] = max(most[0], now[0])
            change.notify_all()
            change.wait_for(lambda: most[0] >= wanted[0], timeout=20)  # until as many as should be are here
        time.sleep(0.05)  # one more than that would come now
        with change:
            now[0] -= 1
        return candidate(body)

    widths = {}
    with chat_server({**SCRIPT, "candidate": slow}) as server:
        for width in (1, 3, None):
            most[0], wanted[0] = 0, width or THREADS
            more = [] if width is None else ["--concurrency", str(width)]
            options = f"{CENT}&cache=off"
            assert EXIT_OK == shell(*run_of(server, "caller", "candidate", options=options, repeats=9, out=f"w{width}"), *more)
            widths[width] = most[0]
    assert {1: 1, 3: 3, None: THREADS} == widths
    traces = [
        {path.parent.name: path.read_bytes() for path in Path(out).glob("cases/*/trace.json")} for out in ("w1", "w3", "wNone")
    ]
    assert 9 == len(traces[0])
    assert traces[0] == traces[1] == traces[2]


# -- preflight ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["caller", "candidate", "judge"])
@pytest.mark.parametrize(("fault", "said"), [(refused_key, "key"), (no_model, "model")])
def test_every_party_is_checked_before_the_first_call(shell: Shell, role: str, fault: Callable[[], Answer], said: str) -> None:
    """A bad key or an unknown model, of whichever role: exit 3, one line, and nothing is written."""
    with chat_server({**SCRIPT, role: lambda _body: fault()}) as server:
        assert EXIT_INFRASTRUCTURE == shell(*run_of(server, "caller", "candidate", "judge"))
        assert not _asked(server)
    (line,) = shell.err.splitlines()
    assert line.startswith(f"ringback: error: litellm:openai/{role}")
    assert said in line
    assert not Path("run").exists()


def test_grading_again_checks_the_judge_first(shell: Shell) -> None:
    """And asks nobody where every call is graded."""
    with chat_server({**SCRIPT, "judge": refuse(refused_key(), refused_key(), refused_key(), then=judge)}) as server:
        assert EXIT_OK == shell(*run_of(server, repeats=1))
        party = server.party("judge", CENT)
        assert EXIT_INFRASTRUCTURE == shell("grade", "run", "--judge", party)
        assert [] == [line for line in RunStore.open(Path("run")).journal() if line.state is JournalState.UNGRADED]


# -- budget -------------------------------------------------------------------------------------------------------------


def test_a_budget_stops_the_run_and_a_larger_one_goes_on(shell: Shell) -> None:
    """Three cents a call, two for each check: 9 cents buy three calls, graded and reported; exit 1, one line; the rest later."""
    with chat_server(SCRIPT) as server:
        command = [*run_of(server, "caller", "candidate"), "--concurrency", "1"]
        assert EXIT_GATE == shell(*command, "--budget", "0.09")
        told = "the budget of 0.09 USD is spent (0.11 USD): 1 of 4 calls were not started; run the same command with a larger"
        assert f"ringback: {told} --budget to go on\n" == shell.err
        text = _summary().conditions[Condition.TEXT]
        assert (3, 1, 4) == (text.n, text.unplayed, text.planned)
        assert "1 of 4 declared cases are not finished and graded" in _summary().official_reasons
        assert EXIT_GATE == shell(*command, "--budget", "0.12")
        assert {"caller": 3, "candidate": 6} == _asked(server)
        assert EXIT_OK == shell(*command, "--budget", "1")
        assert {"caller": 4, "candidate": 8} == _asked(server)
    assert (4, 0) == (_summary().conditions[Condition.TEXT].n, _summary().conditions[Condition.TEXT].unplayed)


def test_judging_is_part_of_the_budget(shell: Shell) -> None:
    """Offline parties cost nothing, the judge two cents a call."""
    with chat_server(SCRIPT) as server:
        assert EXIT_GATE == shell(*run_of(server, "judge"), "--concurrency", "1", "--budget", "0.04")
    text = _summary().conditions[Condition.TEXT]
    assert (2, 2, 0) == (text.n, text.unplayed, text.ungraded)


@pytest.mark.parametrize("role", ["caller", "candidate", "judge"])
def test_a_budget_needs_prices(shell: Shell, role: str) -> None:
    """A model whose price nobody knows cannot be held to a budget: refused before the first call, with the remedy."""
    with chat_server(SCRIPT) as server:
        assert EXIT_INPUT == shell(*run_of(server, role, options=""), "--budget", "5")
    assert f"--budget 5: nobody knows what the {role} costs: give it price_in and price_out" in shell.err
    assert not Path("run").exists()


def test_without_a_budget_unknown_prices_are_told(shell: Shell) -> None:
    """The cost is then a lower bound, and says so."""
    with chat_server(SCRIPT) as server:
        assert EXIT_OK == shell(*run_of(server, "caller", "candidate", options="", repeats=1))
    assert "Cost: at least 0.00 USD, since 5 requests have no known price." in shell.words


def test_what_an_error_stopped_had_cost_is_counted_and_the_cost_is_a_lower_bound(shell: Shell) -> None:
    """A key withdrawn in mid-run: the replies of the call it hit are paid for; what others waited for is not known."""
    withdrawn = refuse(candidate, candidate, candidate, candidate, refused_key(), then=candidate)
    with chat_server({**SCRIPT, "candidate": withdrawn}) as server:
        command = [*run_of(server, "caller", "candidate"), "--concurrency", "1"]
        assert EXIT_INFRASTRUCTURE == shell(*command)
        paid = len(server.requests) - 1
        assert paid == sum(used.requests for used in RunStore.open(Path("run")).spending.usage().values())
        assert EXIT_OK == shell(*command)
        paid = len(server.requests) - 1
    assert paid == sum(used.requests for used in _summary().usage.values())
    assert 1 == _summary().cuts
    why = "the command was killed or stopped once and what was under way then is not known"
    assert f"Cost: at least {paid / 100:.2f} USD, since {why}." in shell.words
    assert EXIT_INPUT == shell("gate", "run", "--max", "cost=5")


def test_most_replies_from_the_cache_are_told_in_a_line(shell: Shell) -> None:
    """Another folder, the same seed: nobody is asked, and the reader is told that the model was not."""
    with chat_server(SCRIPT) as server:
        assert EXIT_OK == shell(*run_of(server, "candidate", repeats=2))
        assert "from the cache" not in shell.words
        assert EXIT_OK == shell(*run_of(server, "candidate", repeats=2, out="again"))
    assert {"candidate": (1, 6)} == {role: (used.requests, used.cached) for role, used in _summary("again").usage.items()}
    assert "6 of 7 replies came from the cache, as the model behind the name was then: cache=off asks anew." in shell.words


# -- requests that are refused for good -----------------------------------------------------------------------------------


def test_a_call_that_the_caller_s_endpoint_refuses_is_not_played_for_ever(shell: Shell) -> None:
    """Dropped by a word of its own, told in a line beside exit 0; the same command asks nobody, `--again` does."""
    with chat_server({**SCRIPT, "caller": refuse(caller, error(400, "no such words, please"), then=caller)}) as server:
        command = [*run_of(server, "caller"), "--concurrency", "1"]
        for _time in range(2):
            assert EXIT_OK == shell(*command)
            (line,) = shell.err.splitlines()
            assert line.startswith(f"ringback: could not play {_name(0)}: refused: litellm:openai/caller")
            assert line.endswith("it would be refused again; run the same command with --again to ask once more")
            text = _summary().conditions[Condition.TEXT]
            assert (3, {"infrastructure": {"refused": 1}}) == (text.n, text.dropped)
        assert {"caller": 4} == _asked(server)
        assert "1 of 4 declared cases were dropped by the infrastructure" in _summary().official_reasons
        assert EXIT_OK == shell(*command, "--again")
    assert ("", 4) == (shell.err, _summary().conditions[Condition.TEXT].n)


def test_a_run_of_which_every_call_is_refused_has_failed(shell: Shell) -> None:
    """Exit 3: that is no run, but a setting."""
    with chat_server({**SCRIPT, "caller": refuse(caller, then=lambda _body: error(400, "no"))}) as server:
        for _time in range(2):
            assert EXIT_INFRASTRUCTURE == shell(*run_of(server, "caller", repeats=2))
            assert "could not play" in shell.err
            assert "and 1 more; run the same command with --again to ask once more" in shell.err
    assert {"infrastructure": {"refused": 2}} == _summary().conditions[Condition.TEXT].dropped


def test_what_a_provider_does_not_let_the_candidate_answer_is_its_own_fault(shell: Shell) -> None:
    """Whoever calls such an agent hears nothing: the call ends as `protocol_error` and is graded."""
    moderated = error(400, "Your prompt was flagged as potentially violating our usage policy.")
    with chat_server({**SCRIPT, "candidate": refuse(candidate, candidate, moderated, then=candidate)}) as server:
        assert EXIT_OK == shell(*run_of(server, "candidate", repeats=1))
    assert {"protocol_error": 1} == _summary().conditions[Condition.TEXT].ends
    trace = json.loads(Path("run", "cases", _name(0), "trace.json").read_bytes())
    assert "moderated: litellm:openai/candidate" in json.dumps(trace)


# -- judges that fail -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("again", ["run", "grade", "report"])
def test_a_judge_that_fails_leaves_its_case_ungraded_and_the_rest_is_graded(shell: Shell, again: str) -> None:
    """Exit 3 with one line at the end; any command judges what is missing when the judge is back, and no call is repeated."""
    check = judge
    trouble = refuse(check, broken(), broken(), then=judge)
    with chat_server({**SCRIPT, "judge": trouble}) as server:
        options = f"{CENT}&attempts=2&patience=30"
        command = [*run_of(server, "caller", "candidate", "judge", options=options), "--concurrency", "1"]
        assert EXIT_INFRASTRUCTURE == shell(*command)
        (line,) = shell.err.splitlines()
        assert line.startswith(f"ringback: error: could not judge {_name(0)}: judge: litellm:openai/judge")
        assert line.endswith("; run the same command to do what is missing")
        text = _summary().conditions[Condition.TEXT]
        assert (3, 1, {"judge": 1}) == (text.n, text.ungraded, text.ungraded_reasons)
        assert "text: 4 calls planned = 3 graded + 1 ungraded (judge 1) + 0 not played." in shell.words
        calls = (_asked(server)["caller"], _asked(server)["candidate"])
        missing = command if again == "run" else [again, "run", "--judge", server.party("judge", options)]
        assert EXIT_OK == shell(*missing)
        assert calls == (_asked(server)["caller"], _asked(server)["candidate"])
    text = _summary().conditions[Condition.TEXT]
    assert (4, 0, {}) == (text.n, text.ungraded, text.ungraded_reasons)


def test_a_judge_whose_model_cannot_read_the_whole_call_says_so_by_name(shell: Shell) -> None:
    """Nothing of it is the agent's: the call stays ungraded, and a judge that reads more can judge it."""
    with chat_server({**SCRIPT, "judge": refuse(judge, too_long(), then=judge)}) as server:
        command = [*run_of(server, "judge", repeats=1), "--concurrency", "1"]
        assert EXIT_INFRASTRUCTURE == shell(*command)
        assert f"could not judge {_name(0)}: context_overflow: litellm:openai/judge" in shell.err
        assert {"context_overflow": 1} == _summary().conditions[Condition.TEXT].ungraded_reasons
        assert EXIT_OK == shell(*command)


def test_a_failing_provider_drops_its_case_and_no_other(shell: Shell) -> None:
    """`dropped: infrastructure`, exit 3; the same command plays it again and asks for nothing else."""
    with chat_server({**SCRIPT, "candidate": refuse(candidate, broken(), broken(), then=candidate)}) as server:
        options = f"{CENT}&attempts=2&patience=30"
        command = [*run_of(server, "caller", "candidate", options=options), "--concurrency", "1"]
        assert EXIT_INFRASTRUCTURE == shell(*command)
        assert {"infrastructure": {"provider": 1}} == _summary().conditions[Condition.TEXT].dropped
        assert f"could not play {_name(0)}: provider: litellm:openai/candidate" in shell.err
        before = len(server.requests)
        assert EXIT_OK == shell(*command)
        again = server.bodies()[before:]
    assert {"caller": 2, "candidate": 3} == Counter(body["model"] for body in again)  # one check each, one call
    assert 4 == _summary().conditions[Condition.TEXT].n


# -- whose grades -----------------------------------------------------------------------------------------------------------


def test_a_report_tells_the_grades_of_the_run_s_own_judge(shell: Shell) -> None:
    """Without `--judge` nobody is asked and nothing is graded anew; another judge's grades are told where they are named."""
    with chat_server(SCRIPT) as server:
        assert EXIT_OK == shell(*run_of(server, "judge", repeats=1))
        before = len(server.requests)
        assert EXIT_OK == shell("report", "run")
        assert before == len(server.requests)
        judge_ = _summary().signature.judge
        assert judge_.startswith("litellm:openai/judge")
        assert "there are others" not in shell.words
        assert EXIT_OK == shell("report", "run", "--judge", "offline:rules")
        assert "offline:rules" == _summary().signature.judge
        assert f"grades of offline:rules; there are others, told with --judge: {judge_}" in shell.words
    assert EXIT_OK == shell("report", "run")
    assert judge_ == _summary().signature.judge


def test_a_report_tells_whoever_graded_a_run_that_its_own_judge_did_not(shell: Shell) -> None:
    """Its own judge failed at every call: where others graded it, they are told, and else which calls are not graded."""
    with chat_server({**SCRIPT, "judge": refuse(judge, then=lambda _body: broken())}) as server:
        assert EXIT_INFRASTRUCTURE == shell(*run_of(server, "judge", options=f"{CENT}&attempts=1", repeats=2))
        asked = len(server.requests)
        assert EXIT_INFRASTRUCTURE == shell("report", "run")
        assert asked == len(server.requests)
        assert "not_judged" not in shell.err
        assert "; name litellm:openai/judge" in shell.err
        assert "with --judge, as the run was given it" in shell.err
        assert EXIT_OK == shell("grade", "run")
    assert EXIT_OK == shell("report", "run")
    assert ("offline:rules", 2) == (_summary().signature.judge, _summary().conditions[Condition.TEXT].n)


# -- the same run ---------------------------------------------------------------------------------------------------------


def test_other_settings_of_a_chat_model_are_another_run(shell: Shell) -> None:
    """What decides replies is part of the configuration; patience, limits and prices are not."""
    with chat_server(SCRIPT) as server:
        first = f"{CENT}&temperature=0"
        assert EXIT_OK == shell(*run_of(server, "candidate", options=first, repeats=1))
        for role, options in (("candidate", f"{CENT}&temperature=1"), ("candidate", f"{CENT}&temperature=0&top_p=0.5")):
            assert EXIT_INPUT == shell(*run_of(server, role, options=options, repeats=1))
            assert "holds a run with another configuration (candidate: " in shell.err
        assert EXIT_OK == shell(*run_of(server, "candidate", options="price_in=1&price_out=2&temperature=0&timeout=9", repeats=1))


@pytest.mark.parametrize("role", ["caller", "judge"])
def test_another_prompt_is_another_run(shell: Shell, role: str) -> None:
    """The hashes of a party's prompts are in the manifest: a run begun with other words is not gone on with."""
    with chat_server(SCRIPT) as server:
        command = run_of(server, role, repeats=1)
        assert EXIT_OK == shell(*command)
        path = Path("run", "run.json")
        manifest: dict[str, Any] = json.loads(path.read_bytes())
        prompts = manifest[role]["settings"]["prompts"]
        assert prompts
        prompts[next(iter(prompts))] = "0" * 64
        path.write_text(json.dumps(manifest), encoding="utf-8")
        assert EXIT_INPUT == shell(*command)
    assert f"holds a run with another configuration ({role}: " in shell.err
