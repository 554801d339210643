"""A profile parts what a tree shares from what it varies, and is refused with the path of what is wrong."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from core.schemas.casefile import CaseAbstract, Profile
from core.validation import validate
from tests.core.snapshot_agents import CASE, profile_data


def test_a_whole_profile_is_read() -> None:
    """Nothing is wrong with it, and both parts are there."""
    found = validate(Profile, profile_data())
    assert [] == found.faults
    assert found.value is not None
    assert (1, set(CASE.risk_nodes)) == (found.value.format, {node.id for node in found.value.variable.risk_nodes})


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("variable", "risk_nodes"), [], "variable.risk_nodes"),
        (("variable", "risk_nodes"), None, "variable.risk_nodes"),
        (("variable", "mood"), "tense", "variable.mood"),
        (("shared", "vulnerability"), "lonely", "shared.vulnerability"),
        (("shared", "caller", "gender"), "neutral", "shared.caller.gender"),
        (("shared", "event"), "", "shared.event"),
        (("format",), 2, "format"),
        (("variable", "objectives"), [], "variable.objectives"),
    ],
)
def test_what_is_wrong_with_a_profile_is_named_by_its_path(path: tuple[str, ...], value: object, where: str) -> None:
    """Unknown fields, missing risk nodes and wrong values each name their place."""
    data: Any = copy.deepcopy(profile_data())
    place = data
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    assert [where] == [fault[0] for fault in validate(Profile, data).faults]


def test_a_case_without_risk_nodes_or_institution_is_refused() -> None:
    """The abstract is held to its schema in the same way."""
    data: Any = CASE.to_json()
    assert ["risk_nodes"] == [where for where, _ in validate(CaseAbstract, {**data, "risk_nodes": []}).faults]
    assert ["colour"] == [where for where, _ in validate(CaseAbstract, {**data, "colour": "blue"}).faults]
    unnamed = validate(CaseAbstract, {**data, "entities": {"shop": ["a shop"]}}).faults
    assert ["entities has no `institution`: name at least one invented institution"] == [reason for _, reason in unnamed]
