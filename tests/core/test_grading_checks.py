"""Checks are decided on a judge's view: what was said when, which calls and results there were, and what it cites."""

from __future__ import annotations

from typing import Any

import pytest

from core.grading.building import build_task_view
from core.grading.checks import CheckVerdict, evaluate_check, label_by_check
from core.grading.resolving import resolve_check
from core.matchers.references import References
from core.schemas.call_trace import Outcome, Trace
from core.schemas.checks import Check
from core.schemas.grade import Label
from tests.core.grading_samples import PROMPT, Called, CallScript, scenario

FACTS = scenario()


def _trace() -> Trace:
    return (
        CallScript()  # 0 is the system prompt
        .agent("Hello, what is your account number?")  # 1
        .caller("It is 4820197355.", "It is 4820197365.")  # 2
        .agent("Any smoke or wires? I will look.", Called("find", {"number": "4820197365"}, {"status": "found"}))  # 3, 4
        .agent("Found it. Is anything else wrong?")  # 5
        .caller("No thanks.", "No", "thanks.")  # 6, 7
        .agent("Good   BYE then.", Called("hang_up", {}, {"status": "ended"}, ended=True))  # 8, 9
        .trace()
    )


def _check(rule: dict[str, Any], trace: Trace | None = None) -> CheckVerdict:
    check = resolve_check(Check.model_validate({"met": rule}), References.of(FACTS))
    return evaluate_check(check.met, build_task_view(trace or _trace(), FACTS, PROMPT))


@pytest.mark.parametrize(("asked", "expected"), [("No thanks", Label.NOT_MET), ("May I take a tablet", None)])
def test_a_check_without_its_occasion_is_not_applicable(asked: str, expected: Label | None) -> None:
    """Where `applies` does not hold, the criterion has no label, whatever was said; where it holds, the other rules decide."""
    rules = {"applies": _said({"contains": asked}, "caller"), "met": _said({"contains": "the nurse"})}
    check = resolve_check(Check.model_validate(rules), References.of(FACTS))
    assert expected is label_by_check(check, build_task_view(_trace(), FACTS, PROMPT)).label


def _said(matcher: dict[str, Any], role: str = "agent", **fields: Any) -> dict[str, Any]:
    return {"said": {"role": role, "matcher": matcher, **fields}}


@pytest.mark.parametrize(
    ("rule", "expected", "evidence"),
    [
        (_said({"contains": "good bye"}), True, (8,)),
        (_said({"contains": "good"}), True, (8,)),
        (_said({"contains": "goo"}), False, ()),
        (_said({"regex": "smoke|fire"}), True, (3,)),
        (_said({"regex": "SMOKE"}), False, ()),
        (_said({"regex": "SMOKE", "compare": "casefold"}), True, (3,)),
        (_said({"contains": "$caller.facts.account_no"}, "caller"), True, (2,)),
        (_said({"contains": "4820197365"}, "caller"), False, ()),
        (_said({"contains": "no thanks"}, "caller"), True, (6,)),
        (_said({"contains": "$caller.facts.account_no", "kind": "digits"}, "caller"), True, (2,)),
        (_said({"contains": "4820197365", "kind": "digits"}, "caller"), False, ()),
        (_said({"not": {"contains": "hello"}}), True, (3,)),
        (_said({"any": [{"contains": "fire"}, {"contains": "found it"}]}), True, (5,)),
    ],
)
def test_said_searches_speech(rule: dict[str, Any], expected: bool, evidence: tuple[int, ...]) -> None:
    """`contains` compares normalised whole words, `regex` may match anywhere; the caller's words are the intended ones."""
    verdict = _check(rule)

    assert expected == verdict.ok
    assert evidence == verdict.evidence


@pytest.mark.parametrize(
    ("text", "window", "expected"),
    [
        ("smoke", {"before": {"tool": "find"}}, True),
        ("found it", {"before": {"tool": "find"}}, False),
        ("smoke", {"after": {"tool": "find"}}, False),
        ("found it", {"after": {"tool": "find"}}, True),
        ("found it", {"before": {"tool": "never_called"}}, True),
        ("found it", {"after": {"tool": "never_called"}}, False),
        ("found it", {"before": {"turn": 2}}, True),
        ("bye", {"before": {"turn": 2}}, False),
        ("found it", {"after": {"turn": 2}}, False),
        ("bye", {"after": {"turn": 2}}, True),
        ("bye", {"after": {"turn": 9}}, False),
        ("found it", {"after": {"turn": 1}, "before": {"turn": 2}}, True),
    ],
)
def test_moments_bound_the_search(text: str, window: dict[str, Any], expected: bool) -> None:
    """Speech with a call counts as before it; a moment that never came leaves `before` open and `after` empty."""
    assert expected == _check(_said({"contains": text}, **window)).ok


@pytest.mark.parametrize(
    ("rule", "expected", "evidence"),
    [
        ({"called": {"tool": "find"}}, True, (3,)),
        ({"called": {"tool": "find", "args": {"number": {"equals": "4820197365"}}}}, True, (3,)),
        ({"called": {"tool": "find", "args": {"number": {"equals": "$caller.facts.account_no"}}}}, False, (3,)),
        ({"called": {"tool": "transfer"}}, False, ()),
        ({"result": {"tool": "find", "matcher": {"subset": {"status": {"equals": "found"}}}}}, True, (4,)),
        ({"result": {"tool": "find", "matcher": {"subset": {"status": {"equals": "gone"}}}}}, False, (4,)),
        ({"result": {"tool": "transfer", "matcher": {"present": True}}}, False, ()),
        ({"last_speech": {"matcher": {"contains": "bye"}}}, True, (8,)),
        ({"last_speech": {"matcher": {"contains": "hello"}}}, False, (8,)),
        ({"language": {"code": "en"}}, True, ()),
        ({"language": {"code": "hi"}}, False, (1, 3, 5, 8)),
    ],
)
def test_calls_results_language_and_last_speech(rule: dict[str, Any], expected: bool, evidence: tuple[int, ...]) -> None:
    """Each kind of check with what it cites."""
    verdict = _check(rule)

    assert (expected, evidence) == (verdict.ok, verdict.evidence)


@pytest.mark.parametrize(
    ("code", "speech", "expected"),
    [
        ("zh", "您好，请说您的账号。", True),
        ("zh", "Please say your number.", False),
        ("ja", "お電話ありがとうございます。", True),
        ("ja", "Please say your number.", False),
        ("ko", "전화 주셔서 감사합니다.", True),
        ("ko", "Please say your number.", False),
        ("sr", "Dobar dan, kako mogu pomoći?", True),
        ("sr", "Добар дан, како могу помоћи?", True),
        ("xx", "Whatever this is.", True),
    ],
)
def test_a_language_named_alone_is_told_by_any_of_its_usual_scripts(code: str, speech: str, expected: bool) -> None:
    """One script of several is enough; a language that the table does not know is not tested."""
    assert expected is _check({"language": {"code": code}}, CallScript().agent(speech).trace()).ok


def test_combinations() -> None:
    """`all`, `any` and `not`, and the evidence of what decided."""
    smoke, fire = _said({"contains": "smoke"}), _said({"contains": "fire"})

    assert _check({"all": [smoke, {"called": {"tool": "find"}}]}).ok
    assert not _check({"all": [smoke, fire]}).ok
    assert (3,) == _check({"any": [fire, smoke]}).evidence
    assert _check({"not": fire}).ok
    assert not _check({"not": smoke}).ok
    assert (3,) == _check({"not": smoke}).evidence


@pytest.mark.parametrize("outcome", [Outcome.CHAIN_LIMIT, Outcome.UNKNOWN_TOOL])
def test_refused_calls_were_not_made(outcome: Outcome) -> None:
    """A call that reached no tool is neither called nor a moment."""
    trace = CallScript().agent("Hello.", Called("find", {}, outcome=outcome)).agent("Bye.").trace()

    assert not _check({"called": {"tool": "find"}}, trace).ok
    assert not _check(_said({"contains": "bye"}, after={"tool": "find"}), trace).ok


def test_broken_arguments_match_no_call_with_matchers_or_without() -> None:
    """A call whose arguments could not be parsed was made, but not with any arguments."""
    trace = CallScript().agent("", Called("find", "{broken")).trace()

    assert not _check({"called": {"tool": "find"}}, trace).ok


@pytest.mark.parametrize(
    ("speech", "count"),
    [
        ("What is your account number?", 1),
        ("Please tell me your ACCOUNT  NUMBER.", 1),
        ("Your account number is on the bill.", 0),
        ("I have your account number. Is it dark outside?", 0),
        ("Which account?", 0),
    ],
)
def test_asked_times_counts_questions(speech: str, count: int) -> None:
    """A message asks for a fact when one of its questions, or requests, holds one of the phrases."""
    trace = CallScript().agent(speech).trace()
    verdict = _check({"asked_times": {"fact": "account_no", "max": 0, "words": ["account number"]}}, trace)

    assert (count == 0) == verdict.ok
    assert (1,) * count == verdict.evidence


def test_asked_times_allows_its_maximum() -> None:
    """Two questions: met with max 2, not with max 1."""
    trace = CallScript().agent("Your zip?").caller("47906").agent("Your zip, once more?").trace()
    rule = {"fact": "zip_code", "words": ["zip"]}

    assert [True, False] == [_check({"asked_times": {**rule, "max": most}}, trace).ok for most in (2, 1)]


def test_silence_says_nothing() -> None:
    """An agent that never spoke fails language and last speech."""
    trace = CallScript().agent("  ", Called("find", {})).trace()

    assert not _check({"language": {"code": "en"}}, trace).ok
    assert not _check({"last_speech": {"matcher": {"present": True}}}, trace).ok


@pytest.mark.parametrize(
    ("met", "partial", "expected"),
    [
        ("smoke", None, Label.MET),
        ("fire", "smoke", Label.PARTIAL),
        ("fire", "flood", Label.NOT_MET),
        ("fire", None, Label.NOT_MET),
        ("smoke", "fire", Label.MET),
    ],
)
def test_a_check_gives_a_label(met: str, partial: str | None, expected: Label) -> None:
    """Met before partial before not met."""
    rules = {"met": _said({"contains": met})} | ({"partial": _said({"contains": partial})} if partial else {})
    check = Check.model_validate(rules)

    assert expected == label_by_check(check, build_task_view(_trace(), FACTS, PROMPT)).label


def test_a_value_that_looks_like_a_reference_stays_a_value() -> None:
    """A fact worth `$state.x` is looked for as these characters, not resolved a second time."""
    odd = scenario(caller={**FACTS.caller.model_dump(mode="json"), "facts": {"odd_1": {"value": "$state.x", "kind": "text"}}})
    check = Check.model_validate({"met": _said({"contains": "$caller.facts.odd_1"})})
    trace = CallScript().agent("I read $state.x here").trace()
    resolved = resolve_check(check, References.of(odd))

    assert evaluate_check(resolved.met, build_task_view(trace, FACTS, PROMPT)).ok
