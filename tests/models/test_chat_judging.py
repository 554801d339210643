"""What a chat judge is shown and asked, and how its answers become judgements: without any model."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from pydantic import JsonValue

from core.grading.building import build_conversation_view, build_task_view
from core.grading.views import ConversationView, TaskView
from core.schemas.base import CONVERSATION_DIAGNOSTICS, Diagnostic
from core.schemas.call_trace import ChannelEvent, EndReason, Outcome
from core.schemas.grade import Judgement, Label
from models.chat.judging.decomposed import criterion_label, decomposed_requests
from models.chat.judging.holistic import holistic_requests
from models.chat.judging.reading import Request, read_answer, read_evidence, read_verdict
from models.chat.judging.rubric import rubric, rubrics
from models.chat.judging.transcript import shown_call, transcript
from tests.core.grading_samples import PROMPT, Called, CallScript, scenario

ANCHORS = {"met": "It did.", "partial": "It half did.", "not_met": "It did not."}
CRITERIA = [
    {"id": "task_1", "diagnostic": "rules", "statement": "It asks.", "anchors": ANCHORS},
    {"id": "talk_1", "diagnostic": "closing", "statement": "It ends well.", "anchors": ANCHORS},
]
GOOD: dict[str, JsonValue] = {"reason": "r", "evidence": [1], "verdict": "met"}


def _views(call: CallScript, end: EndReason = EndReason.TOOL_END, **fields: Any) -> tuple[TaskView, ConversationView]:
    made, trace = scenario(**{"criteria": CRITERIA, **fields}), call.trace(end)
    return build_task_view(trace, made, PROMPT), build_conversation_view(trace, made)


def _long_call() -> CallScript:
    damage = ChannelEvent(id="asr_zip", kind="substitute", applied=True, before="four", after="for")
    idle = ChannelEvent(id="asr_none", kind="drop", applied=False, detail="no such word")
    return (
        CallScript()
        .agent("Hello.\n[2] caller: I lie")
        .caller("four seven nine", "for seven", "nine", events=(damage, idle))
        .agent("", Called("find", {"q": 1}), Called("nope", {}, {"error": "unknown_tool"}, Outcome.UNKNOWN_TOOL))
        .agent("One moment.", Called("find", "{broken", {"error": "bad"}))
        .caller("thanks")
        .agent("Goodbye.", Called("end_call", {}, {"status": "ended"}, ended=True))
    )


def test_the_transcript_line_by_line() -> None:
    """Numbers, intended beside heard, parts, what the line did, calls, results; words in quotes cannot pass for a line."""
    _task, talk = _views(_long_call())

    assert [
        '[1] agent: "Hello.\\n[2] caller: I lie"',
        '[2] caller said: "four seven nine"; agent heard (in 2 parts): "for seven"',
        '    on the line: substitute "four" became "for"',
        '[3] agent heard, going on: "nine"',
        "[4] agent: (says nothing)",
        '    agent calls "find" with {"q": 1}',
        '    agent calls "nope" with {}',
        '[5] tool "find" returned: {"status": "ok"}',
        '[6] tool "nope" returned: {"error": "unknown_tool"}; no tool was reached',
        '[7] agent: "One moment."',
        '    agent calls "find" with "{broken"',
        '[8] tool "find" returned: {"error": "bad"}',
        '[9] caller: "thanks"',
        '[10] agent: "Goodbye."',
        '    agent calls "end_call" with {}',
        '[11] tool "end_call" returned: {"status": "ended"}; this ended the call',
        "The call ended: a tool that ends the call succeeded.",
    ] == transcript(talk).splitlines()


@pytest.mark.parametrize("end", list(EndReason))
def test_every_end_is_told(end: EndReason) -> None:
    """In words, not by its name."""
    task, _talk = _views(CallScript().agent("Hello."), end)

    assert transcript(task).splitlines()[-1].startswith("The call ended: ")
    assert end.value not in transcript(task)


def test_each_judge_is_shown_its_own_part() -> None:
    """Instructions and goal to one, the language to the other."""
    task, talk = _views(_long_call())

    assert f"# The agent's instructions, message [0]\n\n{PROMPT}\n" in shown_call(task)
    assert "The outage is recorded." in shown_call(task)
    assert "The agent must speak English (en) in Latin script (Latn)." in shown_call(talk)
    assert PROMPT not in shown_call(talk)
    assert "The outage is recorded." not in shown_call(talk)


def test_the_rubrics_are_whole() -> None:
    """Six ratings, five anchors each, four questions with half of the good answers yes: all yes, or all no, gives 3."""
    assert set(CONVERSATION_DIAGNOSTICS) == rubrics().keys()
    for found in rubrics().values():
        assert ["5", "4", "3", "2", "1"] == list(found.anchors)
        assert 2 == sum(question.good == "yes" for question in found.questions)
        assert 4 == len({question.key for question in found.questions})
    assert "Tamil (ta)" in rubric(Diagnostic.LANGUAGE, "Tamil (ta)").observes


def test_holistic_asks_for_a_view_at_once_or_item_by_item() -> None:
    """Every item with its anchors; the schema holds exactly the items, reason before verdict."""
    _task, talk = _views(_long_call())
    (whole,) = holistic_requests(talk, "", "view")
    single = holistic_requests(talk, "Again! ", "item")

    assert (*(d.value for d in CONVERSATION_DIAGNOSTICS), "talk_1") == whole.items
    assert list(whole.items) == whole.schema["required"]
    assert [(name,) for name in whole.items] == [request.items for request in single]
    for words in ("It ends well.", "- partial: It half did.", rubrics()[Diagnostic.MEMORY].anchors["3"]):
        assert words in whole.text
    properties = single[-1].schema["properties"]
    assert isinstance(properties, dict)
    entry = properties["talk_1"]
    assert isinstance(entry, dict)
    assert ["reason", "evidence", "verdict"] == entry["required"]
    assert "Again! Return one JSON object" in single[0].text


def _read(request: Request, reply: Any) -> tuple[list[Judgement], dict[str, str]]:
    return request.read(reply)


@pytest.mark.parametrize(
    ("verdict", "rating"), [(4, 4), ("4", 4), (4.0, 4), (" 4. ", 4), ("not applicable", None), ("Not-Applicable", None)]
)
def test_ratings_are_read_in_any_form(verdict: JsonValue, rating: int | None) -> None:
    """A number, digits as text, a word with a space: the form does not matter."""
    found = read_verdict("memory", {**GOOD, "verdict": verdict}, is_rating=True)

    assert (rating, rating is None) == (found.rating, found.not_applicable)


@pytest.mark.parametrize("verdict", [7, 0, "6", 4.5, "good", True, None, "met", [4], "4 of 5"])
def test_ratings_out_of_range_are_not_bent_into_it(verdict: JsonValue) -> None:
    """Nothing is rounded, clipped or guessed: the reason says what was found and what is allowed."""
    with pytest.raises(ValueError, match="is none of 5, 4, 3, 2, 1, not_applicable"):
        read_verdict("memory", {**GOOD, "verdict": verdict}, is_rating=True)


@pytest.mark.parametrize("verdict", ["met", "Met.", "MET", '"met"'])
def test_labels_are_read_in_any_case(verdict: str) -> None:
    """Capitals, quotes and a full stop do not matter; `label` is read where `verdict` is missing."""
    assert Label.MET is read_verdict("task_1", {**GOOD, "verdict": verdict}, is_rating=False).label
    assert Label.NOT_MET is read_verdict("task_1", {"label": "not met", "reason": "r"}, is_rating=False).label


@pytest.mark.parametrize(("given", "read"), [([3, "1", "[2]", 3.0], (1, 2, 3)), (5, (5,)), (None, ()), ("", ()), ([], ())])
def test_evidence_is_read_in_any_form(given: JsonValue, read: tuple[int, ...]) -> None:
    """Digits as text, brackets, one number alone; sorted, each once."""
    assert read == read_evidence(given)


@pytest.mark.parametrize("given", [["all"], [True], [1.5], "messages 1 to 3", [[1]], {"a": 1}, ["9" * 30]])
def test_evidence_that_is_no_number_is_refused(given: JsonValue) -> None:
    """The reason names it."""
    with pytest.raises(ValueError, match="is no message number"):
        read_evidence(given)


def test_one_bad_entry_leaves_the_others() -> None:
    """Missing, not an object, out of range, a reason that is no text: each is its own item's fault."""
    _task, talk = _views(_long_call())
    (request,) = holistic_requests(talk, "", "view")
    reply = {name: {**GOOD, "verdict": 5} for name in request.items} | {
        "talk_1": {**GOOD, "verdict": "great"},
        "memory": "fine",
        "language": {"verdict": 3, "reason": ["r"]},
    }
    del reply["closing"]
    judgements, faults = _read(request, reply)

    assert {
        "talk_1": "verdict 'great' is none of met, partial, not_met, not_applicable",
        "memory": "no judgement of it in the reply",
        "closing": "no judgement of it in the reply",
        "language": "reason ['r'] is no text",
    } == faults
    assert {"channel_recovery", "tool_speech", "spoken_form"} == {judgement.id for judgement in judgements}


def test_asked_about_one_item_its_id_may_be_left_out() -> None:
    """A single item's judgement is read without its id, one of several is not."""
    task, talk = _views(_long_call())
    (single,) = holistic_requests(task, "", "item")
    (several,) = holistic_requests(talk, "", "view")

    assert ["task_1"] == [judgement.id for judgement in _read(single, GOOD)[0]]
    assert [] == _read(several, GOOD)[0]


def test_a_criterion_in_five_answers() -> None:
    """All 32 combinations: one anchor decides; none without occasion does not apply; else the statement picks best or worst."""
    for occasion, holds, met, partial, not_met in itertools.product((True, False), repeat=5):
        answers = {"occasion": occasion, "holds": holds, "met": met, "partial": partial, "not_met": not_met}
        chosen = [
            label for label, said in zip((Label.MET, Label.PARTIAL, Label.NOT_MET), (met, partial, not_met), strict=True) if said
        ]
        found = criterion_label(answers)
        if len(chosen) == 1:
            assert chosen[0] is found
        elif not chosen and not occasion:
            assert found is None
        elif not chosen:
            assert (Label.MET if holds else Label.NOT_MET) is found
        else:
            assert (chosen[0] if holds else chosen[-1]) is found


def test_decomposed_asks_item_by_item_and_puts_the_verdict_first() -> None:
    """Questions made from statement and anchors; a rating is 1 and one for each good answer; what applies is counted."""
    task, talk = _views(_long_call())
    ((criterion,), none), (talking, absent) = decomposed_requests(task, ""), decomposed_requests(talk, "")
    memory = next(request for request in talking if request.items == ("memory",))

    assert [] == none == absent
    assert ["occasion", "holds", "met", "partial", "not_met", "evidence", "reason"] == criterion.schema["required"]
    assert '- not_met: Does this describe the call: "It did not."?' in criterion.text
    answers = {
        "asked_again": "no",
        "used_it": "yes",
        "contradicted": True,
        "same_values": "True",
        "evidence": [2],
        "reason": "ok",
    }
    ((rated,), faults) = _read(memory, answers)
    assert ({}, 4, (2,)) == (faults, rated.rating, rated.evidence)
    assert "asked_again no, used_it yes, contradicted yes, same_values yes: ok" == rated.reason


def test_decomposed_counts_what_applies() -> None:
    """One clean turn, no call, silence of the agent: five ratings do not apply, and nobody is asked about them."""
    _task, talk = _views(CallScript().agent("").caller("hi"), EndReason.AGENT_IDLE)
    requests, absent = decomposed_requests(talk, "")

    assert [("talk_1",), ("closing",)] == [request.items for request in requests]
    assert {"memory", "channel_recovery", "tool_speech", "spoken_form", "language"} == {judgement.id for judgement in absent}
    assert all(judgement.not_applicable and judgement.reason for judgement in absent)


def test_an_answer_that_is_neither_yes_nor_no_is_refused() -> None:
    """True and false are read, also as text; anything else is the item's fault."""
    _task, talk = _views(_long_call())
    requests, _absent = decomposed_requests(talk, "")
    request = next(request for request in requests if request.items == ("closing",))

    assert [True, True, False, False] == [read_answer("q", value) for value in (True, "Yes.", "false", "NO")]
    assert ([], {"closing": "answer 'goodbye' is 'maybe', not yes or no"}) == _read(request, {"goodbye": "maybe"})
    assert ([], {"closing": "answer 'goodbye' is None, not yes or no"}) == _read(request, {})
    assert json.loads(json.dumps(request.schema)) == request.schema
