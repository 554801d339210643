"""Plots: where points stand, and what is drawn when there is nothing to draw."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.report.plots import LISTED_SCENARIOS, Axis, condition_plot, nice_reach, paired_plot
from core.schemas.run import Paired, Score


def _elements(markup: str, name: str, *classes: str) -> list[ET.Element]:
    found: Iterable[ET.Element] = ET.fromstring(markup).iter(name)
    return [each for each in found if set(classes) <= set(each.get("class", "").split())]


def _paired(differences: dict[str, float], **more: float | None) -> Paired:
    mean = sum(differences.values()) / len(differences) if differences else None
    held: dict[str, float | None] = {"mean": mean, "low": None, "high": None, **more}
    return Paired(a="text", b="asr", n=len(differences), wins=0, losses=0, ties=0, differences=differences, **held)


def test_an_axis_maps_its_ends_to_its_edges_and_holds_what_lies_outside() -> None:
    """The lower end is the left edge, the upper the right; values beyond stay on the edge."""
    axis = Axis(0, 100, left=10, right=210)

    assert [10, 110, 210, 210, 10] == [axis.x(value) for value in (0, 50, 100, 140, -3)]


@pytest.mark.parametrize(("value", "reach"), [(0, 10), (9.9, 10), (10.1, 20), (42.5, 50), (50.1, 100), (100, 100)])
def test_the_scale_of_differences_is_round_and_wide_enough(value: float, reach: float) -> None:
    """1, 2 or 5 times a power of ten, never less than ten."""
    assert reach == nice_reach(value)


@given(st.floats(0, 1e6))
def test_the_scale_never_cuts_a_difference(value: float) -> None:
    """Whatever the largest difference, it fits."""
    assert nice_reach(value) >= value


def test_scores_stand_at_their_value_inside_their_interval() -> None:
    """One point per score, its whisker from the lower to the upper end."""
    score = Score(score=60.0, low=50.0, high=80.0, coverage=1.0)
    plot = condition_plot([("Task", [("text", score)])])
    axis = Axis(0, 100, left=110)
    whisker = _elements(plot, "rect", "whisker")[0]

    assert [str(axis.x(60.0))] == [each.get("cx") for each in _elements(plot, "circle", "point")]
    assert str(axis.x(50.0)) == whisker.get("x")
    assert axis.x(80.0) - axis.x(50.0) == pytest.approx(float(whisker.get("width", "0")), abs=0.02)


def test_a_score_with_too_little_judged_is_not_drawn() -> None:
    """Coverage below 0.8 gives no point, and the plot says `withheld`."""
    plot = condition_plot([("Task", [("text", Score(score=60.0, low=50.0, high=80.0, coverage=0.79))])])

    assert [] == _elements(plot, "circle", "point")
    assert "withheld" in plot


def test_differences_are_ordered_and_lead_to_their_calls() -> None:
    """Largest difference first; each row links where it was told to."""
    plot = paired_plot(_paired({"b": -5.0, "a": 10.0, "c": 0.0}), links={"a": "#compare/a"})
    names = [each.text for each in _elements(plot, "text", "label")]

    assert ["mean", "a", "c", "b"] == names
    assert ["#compare/a"] == [each.get("href") for each in _elements(plot, "a")]
    assert [1, 1, 1] == [len(_elements(plot, "circle", "dot", side)) for side in ("win", "tie", "loss")]


def test_many_scenarios_become_one_strip_with_a_dot_each() -> None:
    """Above the limit there are no names, but every scenario still has its dot."""
    count = LISTED_SCENARIOS + 60
    plot = paired_plot(_paired({f"s{number}": float(number % 7) for number in range(count)}))

    assert count == len(_elements(plot, "circle", "dot"))
    assert 1 == len(_elements(plot, "text", "label"))


def test_a_pair_without_common_scenarios_says_so() -> None:
    """No scenario on both sides: no diamond, a sentence instead."""
    plot = paired_plot(_paired({}))

    assert "no scenario was completed on both sides" in plot
    assert [] == _elements(plot, "path", "point")
