"""Attribution case by case; how it does on hundreds of calls stands in tests/models/test_attribution_planted.py."""

from __future__ import annotations

from typing import Any

import pytest

from core.grading.grade import grade
from core.runs.attribution import attribute
from core.runs.hearing import case_hearing
from core.schemas.base import Condition
from core.schemas.call_trace import EndReason, Recording, Trace
from core.schemas.run import Attribution
from core.schemas.scenario import Fact, Scenario
from models.parties.rules import RulesJudge
from tests.core.grading_samples import HASH, PROMPT, Called, CallScript, scenario

NUMBER = "four eight two zero one nine seven three five five"
MISHEARD = "four eight two zero one nine seven three six five"


def _made(wants: dict[str, str], *more: dict[str, Any], **facts: tuple[str, str]) -> Scenario:
    """A scenario of these facts whose action `find_1` wants some of them by argument."""
    args = {name: {"equals": f"$caller.facts.{key}"} for name, key in wants.items()}
    made = scenario(expected=[{"id": "find_1", "tool": "find", "args": args}, *more])
    known = {key: Fact.model_validate({"value": value, "kind": kind}) for key, (value, kind) in facts.items()}
    return made.model_copy(update={"caller": made.caller.model_copy(update={"facts": known})}) if facts else made


def _blamed(trace: Trace, made: Scenario) -> list[Attribution]:
    graded = grade(trace, made, PROMPT, RulesJudge(), trace_sha256=HASH)
    return attribute("case", trace, graded, made, case_hearing(trace, made).turns)


def _number_call(heard: str, sent: dict[str, Any] | None) -> CallScript:
    script = CallScript(Condition.AUTHORED).agent("Number?").caller(NUMBER, heard)
    return script.agent("One moment.", *([] if sent is None else [Called("find", sent)]))


def test_a_date_that_is_still_found_but_read_otherwise_is_misheard() -> None:
    """A doubled word leaves day and month to be found, and gives a listener another year."""
    made = _made({"born": "born"}, born=("2026-06-23", "date"))
    script = CallScript(Condition.AUTHORED).agent("When?")
    script.caller("June twenty third, twenty twenty six.", "June twenty third, twenty twenty twenty six.")
    trace = script.agent("One moment.", Called("find", {"born": "2020-06-23"})).trace()

    (found,) = _blamed(trace, made)
    assert ("born", "2020-06-23", 1, 2, 0, 3) == (
        found.fact,
        found.heard,
        found.turn,
        found.message,
        found.tool_event,
        found.tool_message,
    )


def test_a_value_that_is_part_of_another_has_not_arrived_by_it() -> None:
    """A surname that was lost, and comes up in the address only, is still missing."""
    made = _made({"name": "surname"}, surname=("Okonkwo", "name"), address=("okonkwo91@mailhaven.com", "email"))
    script = CallScript(Condition.AUTHORED).agent("Name?").caller("It's Okonkwo.", "It's.")
    trace = script.agent("Address?").caller("It's okonkwo nine one at mailhaven dot com.").agent("Goodbye.").trace()

    assert [("surname", 1)] == [(found.fact, found.turn) for found in _blamed(trace, made)]


def test_another_fact_in_the_place_of_a_lost_one_is_a_lack() -> None:
    """A candidate that never got the one number and sends the other had nothing better."""
    made = _made({"number": "account_no"})
    with_zip, made_up = ({"number": number} for number in ("47906", "1111111111"))

    assert ["account_no"] == [found.fact for found in _blamed(_number_call("mm", with_zip).trace(), made)]
    assert [] == _blamed(_number_call("mm", made_up).trace(), made)
    assert [] == _blamed(_number_call(NUMBER, with_zip).trace(), made)


def test_every_call_of_the_action_counts_while_the_fact_never_arrived() -> None:
    """A second, closer call without the damage does not excuse the first one, unless the fact arrived in between."""
    made = _made({"number": "account_no", "zip": "zip_code"})
    script = _number_call(MISHEARD, {"number": "4820197365"})
    again = Called("find", {"number": "1111111111", "zip": "47906"})

    assert [("account_no", 0)] == [
        (found.fact, found.tool_event) for found in _blamed(script.agent("Once more.", again).trace(), made)
    ]
    corrected = _number_call(MISHEARD, {"number": "4820197365"}).caller(NUMBER).agent("Once more.", again)
    assert [] == _blamed(corrected.trace(), made)


def test_a_consequence_names_the_action_it_had_to_wait_for() -> None:
    """What was not done after a broken action is put down to the same fact, through that action, link by link."""
    pay, tell = ({"id": f"{name}_1", "tool": name, "after": [before]} for name, before in (("pay", "find_1"), ("tell", "pay_1")))
    found = _blamed(_number_call(MISHEARD, {"number": "4820197365"}).trace(), _made({"number": "account_no"}, pay, tell))

    assert [("find_1", None), ("pay_1", "find_1"), ("tell_1", "pay_1")] == [(each.action, each.through) for each in found]


@pytest.mark.parametrize(
    ("end", "facts"), [(EndReason.CALLER_DONE, ["account_no"]), (EndReason.AGENT_DISCONNECTED, []), (EndReason.AGENT_IDLE, [])]
)
def test_nothing_is_missing_where_the_agent_is_gone(end: EndReason, facts: list[str]) -> None:
    """An agent that hung up explains its missing call by itself."""
    trace = _number_call("mm", None).trace(end)

    assert facts == [found.fact for found in _blamed(trace, _made({"number": "account_no"}))]


def test_the_clip_of_the_damage_is_named() -> None:
    """Where the call was recorded: the file below the case's folder and the hash of its sound."""
    trace = _number_call(MISHEARD, {"number": "4820197365"}).trace()
    sound = Recording(sample_rate=16_000, samples=1, pcm_sha256=HASH, segments=(), clips={"002": "1" * 64, "003": "2" * 64})
    recorded = trace.model_copy(update={"recording": sound})
    made = _made({"number": "account_no"})

    assert [("clips/002.flac", "1" * 64)] == [(found.clip, found.clip_sha256) for found in _blamed(recorded, made)]
    assert [(None, None)] == [(found.clip, found.clip_sha256) for found in _blamed(trace, made)]
