"""SPEC 6, what lies outside the intervals: how far another caller moves scores, leads and ranks of the same candidates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.errors import InputError
from core.report.swap import render_swap
from core.runs.compare import Side
from core.runs.swap import swapped
from core.schemas.base import Condition
from core.schemas.run import CaseSummary, Score
from tests.support.runs import run_file
from tests.support.summaries import case, condition, summary

TEXT = Condition.TEXT


def _side(candidate: str, caller: str, scores: list[float | None], on: Condition = TEXT, **changes: Any) -> Side:
    """A run of scenarios s0, s1, ... with these overall scores."""
    cases: list[CaseSummary] = [case(f"s{n}", on, score, score) for n, score in enumerate(scores)]
    run = run_file(**{"candidate": {"party": candidate}, "caller": {"party": caller}} | changes)
    return Side(f"runs/{candidate}-{caller}", run, summary({on: condition()}, *cases), on, lambda _case: {})


def _four(*, turned: bool = True) -> list[Side]:
    """Under ann one leads two by 10; under bob, where turned, it is 20 behind."""
    return [
        _side("one", "ann", [80.0, 60.0, 100.0]),
        _side("one", "bob", [50.0, 40.0, 30.0] if turned else [75.0, 55.0, 95.0]),
        _side("two", "ann", [70.0, 50.0, 90.0]),
        _side("two", "bob", [60.0, 60.0, 60.0]),
    ]


def test_scores_and_ranks_by_caller_by_hand() -> None:
    """Means of 80, 40, 70 and 60: the first place changes hands with the caller."""
    found = swapped(_four())

    assert (("one", "two"), ("ann", "bob"), 3, 3) == (found.candidates, found.callers, found.n, found.scenarios)
    assert [("one", "ann", 80.0, 1), ("one", "bob", 40.0, 2), ("two", "ann", 70.0, 2), ("two", "bob", 60.0, 1)] == [
        (cell.candidate, cell.caller, cell.mean, cell.rank) for cell in found.cells
    ]


def test_scores_and_leads_move_in_pairs() -> None:
    """One loses 30, 20 and 70, two loses 10 and 30 and wins 10; the lead of 10 everywhere becomes -10, -20 and -30."""
    found = swapped(_four())
    moved = [(each.subject, each.caller, each.before, each.after, each.mean) for each in found.changes]
    (lead,) = found.leads

    assert [("one", "bob", 80.0, 40.0, -40.0), ("two", "bob", 70.0, 60.0, -10.0)] == moved
    assert [(0, 3, 0), (1, 2, 0)] == [(each.wins, each.losses, each.ties) for each in found.changes]
    assert ("one - two", "bob", 10.0, -20.0, -30.0) == (lead.subject, lead.caller, lead.before, lead.after, lead.mean)
    assert lead.low is not None
    assert lead.high is not None
    assert -40.0 <= lead.low < -30.0 < lead.high <= -20.0
    assert ("one - two under bob",) == found.turned
    assert () == swapped(_four(turned=False)).turned
    behind = [_side("one", "ann", [1.0]), _side("one", "bob", [1.0]), _side("two", "ann", [2.0]), _side("two", "bob", [3.0])]
    assert () == swapped(behind).turned


def test_everything_stands_on_the_cases_of_every_run() -> None:
    """A scenario that one run did not finish, or could not grade, is in no figure of any run."""
    sides = _four()
    sides[3] = _side("two", "bob", [60.0, None])
    found = swapped(sides)

    assert (1, 1) == (found.n, found.scenarios)
    assert [80.0, 50.0, 70.0, 60.0] == [cell.mean for cell in found.cells]
    sides[3] = _side("two", "bob", [None])
    with pytest.raises(InputError, match="no case is graded in all of runs/one-ann, "):
        swapped(sides)


def test_equal_scores_share_their_rank() -> None:
    """Two firsts and a third."""
    scores = {"one": 50.0, "two": 50.0, "three": 40.0}
    found = swapped([_side(name, caller, [score]) for name, score in scores.items() for caller in ("ann", "bob")])

    assert {"one": 1, "two": 1, "three": 3} == {cell.candidate: cell.rank for cell in found.cells}
    assert 3 == len(found.leads)
    assert () == found.turned


def test_one_party_with_two_settings_is_two() -> None:
    """Another prompt or temperature makes another caller, told apart by the head of a hash."""
    cold, warm = _side("one", "ann", [50.0]), _side("one", "ann", [60.0])
    other = run_file(candidate=cold.run.candidate, caller={"party": "ann", "settings": {"temperature": 1}})
    found = swapped([cold, replace(warm, run=other)])

    assert 2 == len(set(found.callers))
    assert all(name.startswith("ann #") for name in found.callers)
    assert () == found.leads


@pytest.mark.parametrize(
    ("drop", "extra", "reason"),
    [
        (3, None, "a run is missing of two with bob: each candidate needs a run with each caller"),
        (None, _side("one", "ann", [1.0]), "5 runs of 4 pairs of candidate and caller"),
        (3, _side("two", "bob", [1.0], seed=8), "differ in more than candidate and caller: seed: 7 against 8"),
        (3, _side("two", "bob", [1.0], bundle="other"), "differ in more than candidate and caller: bundle: "),
        (3, _side("two", "bob", [1.0], Condition.AUTHORED), "condition: text against authored"),
    ],
    ids=["missing", "twice", "seed", "bundle", "condition"],
)
def test_runs_that_do_not_fit_are_refused(drop: int | None, extra: Side | None, reason: str) -> None:
    """One run for each candidate and caller, equal in all else; the message says what to do."""
    sides = [side for number, side in enumerate(_four()) if number != drop] + ([extra] if extra else [])
    with pytest.raises(InputError) as caught:
        swapped(sides)
    assert reason in str(caught.value)


def test_one_caller_is_no_swap() -> None:
    """Nothing was swapped."""
    with pytest.raises(InputError, match="every run has the caller ann: add runs of the same candidates with another caller"):
        swapped([_side("one", "ann", [1.0]), _side("two", "ann", [1.0])])


def test_a_score_that_is_no_headline_is_refused() -> None:
    """Too little was judged in one run: its score is withheld everywhere, so here too."""
    sides = _four()
    short = condition(task=Score(score=1.0, coverage=0.5))
    sides[1] = replace(sides[1], name="runs/short", summary=sides[1].summary.model_copy(update={"conditions": {TEXT: short}}))
    with pytest.raises(InputError, match=r"runs/short: the overall score is no headline: only 0\.50 of the applicable weight"):
        swapped(sides)


def test_the_terminal_says_what_turned() -> None:
    """Scores with ranks, changes, leads, and the verdict in a sentence."""
    text = render_swap(swapped(_four()), width=200)

    assert "one        80.0 [60.0, 100.0] #1  40.0 [30.0, 50.0] #2" in text
    assert "one - two  bob       10.0  -20.0   -30.0  [" in text
    assert "Another caller turns 1 of 1 leads: one - two under bob." in text
    assert "No caller turns the lead" in render_swap(swapped(_four(turned=False)), width=200)
