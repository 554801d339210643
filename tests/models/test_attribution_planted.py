"""Attribution against planted damage: it names the values that broke a call, and blames none where something else did."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from typing import Any

import pytest

from tests.support import planted
from tests.support.damage import Damage
from tests.support.filling import SCRIPTS
from tests.support.planted import Call, blamed, broken_actions, one_cause, truth

MANY = 200
pytestmark = pytest.mark.slow


def _some(calls: Iterable[Call], wanted: Callable[[Call], bool], many: int) -> tuple[Call, ...]:
    """The first `many` wanted ones of all, in an order that has no order."""
    mixed = list(calls)
    random.Random(3).shuffle(mixed)
    found = tuple(islice((call for call in mixed if wanted(call)), many))
    assert many == len(found)
    return found


@cache
def damaged() -> tuple[Call, ...]:
    """Calls in which planted damage broke an action."""
    return _some(planted.damaged(), lambda call: bool(truth(call)) and one_cause(call), MANY)


@cache
def harmless() -> tuple[Call, ...]:
    """Calls with damage that broke nothing."""
    return _some(planted.harmless(), lambda call: not broken_actions(call), 60)


@cache
def otherwise() -> tuple[Call, ...]:
    """Calls that fail, and would fail without the damage too."""
    return _some(planted.otherwise(), lambda call: bool(broken_actions(call)) and not truth(call), MANY)


@cache
def confusion() -> Counter[tuple[str, str, str]]:
    """Group, what was counted (`value` of a call or `action` and value) and outcome to number."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for group, calls in (("damaged", damaged()), ("harmless", harmless()), ("otherwise", otherwise())):
        for call in calls:
            true, named = truth(call), blamed(call)
            pairs: dict[str, tuple[set[Any], set[Any]]] = {
                "value": ({(fact,) for _, fact in true}, {(fact,) for _, fact in named}),
                "action": (true, named),
            }
            for what, (right, said) in pairs.items():
                counts[group, what, "named, rightly"] += len(right & said)
                counts[group, what, "named, wrongly"] += len(said - right)
                counts[group, what, "not named"] += len(right - said)
            counts[group, "call", "quiet, rightly"] += not true and not named
    return counts


def _rates(what: str) -> tuple[float, float]:
    """Precision and recall over all three groups."""
    total: Counter[str] = Counter()
    for (_group, counted, outcome), number in confusion().items():
        total[outcome] += number if counted == what else 0
    right = total["named, rightly"]
    return right / (right + total["named, wrongly"]), right / (right + total["not named"])


def test_the_broken_values_are_named_and_no_others() -> None:
    """Over 200 calls broken by damage, 60 damaged without harm and 200 broken by something else."""
    table = "\n".join(f"{' '.join(key):40}{number:6}" for key, number in sorted(confusion().items()))
    precision, recall = _rates("value")
    sys.stdout.write(f"\n{table}\nvalues: precision {precision:.3f}, recall {recall:.3f}\n")
    assert precision >= 0.9
    assert recall >= 0.9


def test_each_value_is_put_to_the_action_it_broke() -> None:
    """The same with the action that failed counted in: consequences of a broken action included."""
    precision, recall = _rates("action")
    assert precision >= 0.9
    assert recall >= 0.85


def test_calls_that_fail_for_another_reason_blame_nothing() -> None:
    """Wrong tools, refusals, slips of agent and caller, failing tools, an agent that is gone: beside harmless damage or none."""
    assert {None, "refuse", "leave", "wrong_tool", "garble", "alter", "omit"} == {
        call.slip.kind if call.slip else None for call in otherwise()
    }
    assert any(call.mistaken for call in otherwise())
    assert any(call.broken for call in otherwise())
    assert 50 < sum(bool(call.plants) for call in otherwise())
    assert MANY * 0.97 <= confusion()["otherwise", "call", "quiet, rightly"]
    assert 60 == confusion()["harmless", "call", "quiet, rightly"]


def test_the_planted_damage_is_of_every_kind() -> None:
    """Every kind of damage and value, three bundles and nine languages, one value or two, corrected in vain or not at all."""
    calls = damaged()
    kinds = {call.about.caller.facts[plant.fact].kind.value for call in calls for plant in call.plants if plant.fact}

    assert set(Damage) == {plant.damage for call in calls for plant in call.plants}
    assert {"digits", "code", "money", "date", "time", "email", "name", "choice", "number"} <= kinds
    assert {"workshop", "frontdesk", "forms"} == {call.bundle for call in calls}
    assert SCRIPTS.keys() == {call.about.language for call in calls}
    assert {1, 2} == {len(call.plants) for call in calls}
    assert {True, False} == {call.trusting for call in calls}
    assert any(call.slip for call in calls)


def test_the_same_call_blames_the_same() -> None:
    """Attribution of a call played again is equal."""
    call = damaged()[0]
    first = blamed(call)
    planted.played.cache_clear()

    assert first == blamed(call)
