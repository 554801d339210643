"""`ringback grade`: against people's labels, with several judges, and with a chat judge over HTTP that fails and comes back."""

from __future__ import annotations

import json
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from core.runs.store import sole_worker
from gateway.cli.main import main
from tests.repository.tree import ROOT
from tests.support.chat_server import Answer, Body, broken, chat_server, refused_key, say
from tests.support.command import Command
from tests.support.small_talk import CENT

LABELS = ROOT / "tests" / "bundles" / "frontdesk-labels.yaml"
LABELLED = "block-stolen-card,checkup-booking,outage-whole-house,redelivery-friday"


@pytest.fixture(scope="module", name="home")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of the calls that are labelled, not to be played into."""
    home = tmp_path_factory.mktemp("judging")
    Command(home, home / "cache").passes(
        "run", "frontdesk", "--condition", "text,authored", "--scenarios", LABELLED, "--out", "run"
    )
    return home


@pytest.fixture
def ringback(home: Path) -> Command:
    """The command in that folder."""
    return Command(home, home / "cache")


class Here:
    """Runs commands in this process, where litellm is loaded once for all of them."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, code: int, *arguments: str) -> tuple[str, str]:
        """What a command that must exit with `code` writes to stdout and stderr."""
        found = main(arguments)
        out, err = self._capsys.readouterr()
        assert code == found, f"{arguments}: exit {found}\n{out}\n{err}"
        return out, err


@pytest.fixture
def here(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """The command in that folder, in this process."""
    monkeypatch.chdir(home)
    monkeypatch.setenv("RINGBACK_CACHE", str(home / "cache"))
    return Here(capsys)


def _agreement(home: Path, judge: str) -> dict[str, Any]:
    found = [json.loads(path.read_text()) for path in (home / "run" / "grades").glob("*/agreement.json")]
    (wanted,) = [each for each in found if each["judge"] == judge]
    return dict(wanted)


def test_against_a_hand_made_label_file(ringback: Command, home: Path) -> None:
    """The tables are printed, the figures kept as JSON, and nothing is judged again."""
    told = ringback.passes("grade", "run", "--against", LABELS)
    rows = {(row["raters"], row["scale"]): row for row in _agreement(home, "offline:rules")["rows"] if row["diagnostic"] is None}

    assert "0 calls judged now" in told
    assert re.search(r"^judge, labels +27 +4 +0\.96", told, re.MULTILINE)
    assert "people \\ judge" in told
    assert {("judge", "label"), ("judge", "rating"), ("program", "label")} == rows.keys()
    assert (27, 24, 5) == tuple(row["n"] for row in rows.values())
    assert 27 == sum(map(sum, rows["judge", "label"]["confusion"]))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("labels: [{case: nowhere--text--r0, item: memory, rating: 3, labeller: a}]", "no case 'nowhere--text--r0'"),
        ("labels: [{case: checkup-booking--text--r0, item: nothing, rating: 3, labeller: a}]", "has no item 'nothing'"),
        ("labels: [", "not valid YAML"),
    ],
)
def test_labels_that_do_not_fit_are_one_clear_line(here: Here, home: Path, text: str, fault: str) -> None:
    """Exit 2, one line, no table."""
    (home / "odd.yaml").write_text(text)

    _out, err = here(2, "grade", "run", "--against", "odd.yaml")
    assert fault in err
    assert 1 == len(err.splitlines())


def _verdict(body: Body) -> Answer:
    """The best of every item it is asked about."""
    text = body["messages"][1]["content"]
    items = re.findall(r"^## (\w+)$", text.rpartition("# What you judge")[2], re.MULTILINE)
    best = {name: "met" if f"## {name}\n" in text and "- met: " in _section(text, name) else "5" for name in items}
    return say(json.dumps({name: {"reason": "So it is.", "evidence": [1], "verdict": verdict} for name, verdict in best.items()}))


def _section(text: str, name: str) -> str:
    return text.rpartition(f"## {name}\n")[2].partition("\n## ")[0]


def test_two_judges_vote(here: Here, home: Path) -> None:
    """A program and a model: both are asked, every vote is kept, and their agreement with each other is told."""
    with chat_server({"judge": _verdict}) as server:
        told, _err = here(0, "grade", "run", "--judge", "offline:rules", "--judge", server.party("judge"))
        votes = _agreement(home, f"offline:rules + {server.party('judge')}")

    assert "8 calls judged now" in told
    assert re.search(r"^votes, labels +\d+ +8 +", told, re.MULTILINE)
    assert {"votes"} == {row["raters"] for row in votes["rows"]}


def test_a_judge_that_fails_repeats_no_call_and_is_asked_again_later(here: Here, home: Path) -> None:
    """The calls it failed at stay ungraded, exit 3; the next `grade` asks about them alone, the one after about none."""
    trace = home / "run" / "cases" / "checkup-booking--text--r0" / "trace.json"
    before = trace.stat().st_mtime_ns
    failing = True

    def answer(body: Body) -> Answer:
        return broken(500) if failing and "Brennan" in json.dumps(body) else _verdict(body)

    with chat_server({"judge": answer}) as server:
        judge = server.party("judge", "attempts=1")
        first, told = here(3, "grade", "run", "--judge", judge)
        failing = False
        asked = len(server.requests)
        second, _err = here(0, "grade", "run", "--judge", judge)
        again = len(server.requests) - asked
        third, _err = here(0, "grade", "run", "--judge", judge)
    grades = [json.loads(path.read_text()) for path in (home / "run" / "grades").glob("*/checkup-booking--text--r0.json")]

    assert "could not judge checkup-booking--" in told
    assert ("6", "2", "0") == tuple(re.findall(r"(\d) calls judged now", first + second + third))
    assert again <= 5  # two views of two calls, and the check of the party
    assert before == trace.stat().st_mtime_ns
    assert {"task", "conversation"} == {reply["view"] for grade in grades if not grade["votes"] for reply in grade["replies"]}


def test_a_budget_stops_judging_and_a_larger_one_goes_on(here: Here) -> None:
    """What this judge cost counts, a cent for the check, two for each call; exit 1, and a line says how many calls are left."""
    with chat_server({"judge": _verdict}) as server:
        judge = server.party("judge", f"{CENT}&top_p=0.5")
        command = ("grade", "run", "--judge", judge, "--concurrency", "1")
        told, err = here(1, *command, "--budget", "0.04")
        assert "2 calls judged now" in told
        why = "the budget of 0.04 USD is spent: 6 calls were not judged; run the same command with a larger --budget"
        assert f"ringback: {why} to go on\n" == err
        told, err = here(0, *command, "--budget", "1")
        assert ("6 calls judged now", "") == (re.search(r"\d calls judged now", told)[0], err)  # type: ignore[index]
        assert 2 + 2 * 8 == len(server.requests)
        _told, err = here(2, "grade", "run", "--judge", server.party("judge", "top_p=0.6"), "--budget", "1")
    assert "--budget 1: nobody knows what the judge costs" in err


@pytest.mark.parametrize(("options", "most"), [(("--concurrency", "2"), 2), ((), 8)])
def test_as_many_calls_are_judged_at_once_as_are_asked_for(here: Here, options: tuple[str, ...], most: int) -> None:
    """Up to eight of a chat model where nobody says how many."""
    now, seen, lock = [0], [0], threading.Lock()

    def slow(body: Body) -> Answer:
        with lock:
            now[0] += 1
            seen[0] = max(seen[0], now[0])
        time.sleep(0.3)
        with lock:
            now[0] -= 1
        return _verdict(body)

    with chat_server({"judge": slow}) as server:
        here(0, "grade", "run", "--judge", server.party("judge", f"top_k={most}"), *options)
    assert min(most, 3) <= seen[0] <= most


def test_a_run_is_played_or_judged_by_one_process_at_a_time(here: Here, home: Path) -> None:
    """`grade`, and `report` of a named judge, are refused while another is at work; `report` tells what is graded so far."""
    with chat_server({"judge": _verdict}) as server, sole_worker(home / "run"):
        for command in ("grade", "report"):
            _out, err = here(2, command, "run", "--judge", server.party("judge", "top_p=0.7"))
            assert "run: another process is playing or judging this run: wait until it has ended" in err
        here(0, "report", "run", "--judge", "offline:rules")
        here(0, "report", "run")
        assert [] == server.requests


def test_a_judge_without_a_key_stops_before_it_judges(here: Here) -> None:
    """Exit 3 with one line, after one request."""
    with chat_server({"judge": [refused_key()]}) as server:
        _out, err = here(3, "grade", "run", "--judge", server.party("judge", "temperature=0.5"))

    assert "key" in err
    assert (1, 1) == (len(err.splitlines()), len(server.requests))


def test_options_of_judges_are_checked_and_listed(here: Here) -> None:
    """An option that judges do not have: exit 2, and the valid ones, theirs among them."""
    _out, err = here(2, "grade", "run", "--judge", "litellm:openai/x?protocl=holistic")

    assert "unknown option 'protocl'" in err
    assert "protocol, per, votes" in err
