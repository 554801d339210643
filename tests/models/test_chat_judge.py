"""Chat judges over HTTP: every fault of a reply has its outcome in the grade, nothing secret is sent, regrading is free."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import OperatorError, ProviderError, UsageError
from core.grading.grade import grade, judge_key
from core.grading.panel import Panel
from core.schemas.base import CONVERSATION_DIAGNOSTICS
from core.schemas.call_trace import ChannelEvent, MatcherResult, RejectedAttempt, Trace
from core.schemas.grade import Grade, Item, Label, Status, View
from core.schemas.scenario import Scenario
from models.chat.judge import ChatJudge, JudgeSettings, judge_settings
from tests.core.grading_samples import HASH, PROMPT, Called, CallScript, scenario
from tests.models.test_chat_judging import CRITERIA
from tests.support.chat_parties import Provider, contents, provider
from tests.support.chat_server import (
    Answer,
    Body,
    broken,
    fenced,
    hang,
    no_model,
    rate_limited,
    say,
    thinking,
    truncated,
)
from tests.support.chat_server import (
    Item as Reply,
)

RATINGS = [diagnostic.value for diagnostic in CONVERSATION_DIAGNOSTICS]
TASK = {"task_1": {"reason": "It asked.", "evidence": [1], "verdict": "met"}}
TALK = {name: {"reason": "Fine.", "evidence": [3], "verdict": "4"} for name in RATINGS} | {
    "talk_1": {"reason": "Half.", "evidence": [5], "verdict": "partial"}
}


def _text(value: Any) -> Answer:
    return say(json.dumps(value))


def _good(body: Body) -> Answer:
    """What a judge says that is right at once, whichever view it is shown."""
    return _text(TASK if "## task_1" in body["messages"][1]["content"] else TALK)


def _trace() -> Trace:
    call = CallScript().agent("Hello.").caller("hi").agent("One moment.", Called("find", {"q": 1})).caller("thanks").agent("Bye.")
    return call.trace()


def _grade(judge: ChatJudge | Panel, made: Scenario | None = None, trace: Trace | None = None) -> Grade:
    return grade(trace or _trace(), made or scenario(criteria=CRITERIA), PROMPT, judge, trace_sha256=HASH)


def _judge(model: Provider, cache: Path, options: str = "", **settings: Any) -> ChatJudge:
    return ChatJudge(model.client("judge", cache, options), JudgeSettings(**settings))


@pytest.fixture(scope="module", name="model")
def _model() -> Iterator[Provider]:
    with provider() as made:
        yield made


def _item(made: Grade, name: str) -> Item:
    return next(item for item in made.items if item.id == name)


class _Judged:
    """Grades one call with a judge that first says what a test wants, and is right ever after."""

    def __init__(self, model: Provider, cache: Path) -> None:
        self.model = model
        self.cache = cache

    def __call__(self, *trouble: Reply, options: str = "", **settings: Any) -> Grade:
        self.model.script("judge", *trouble, *[_good] * 20)
        return _grade(_judge(self.model, self.cache, options, **settings))


@pytest.fixture
def judged(model: Provider, tmp_path: Path) -> _Judged:
    """Grades one call."""
    return _Judged(model, tmp_path)


def test_a_whole_grade(judged: _Judged) -> None:
    """One request for each view: labels, ratings, reasons, evidence; the replies and what they cost are kept."""
    made = judged()

    assert (Label.MET, "It asked.", (1,)) == (
        _item(made, "task_1").label,
        _item(made, "task_1").reason,
        _item(made, "task_1").evidence,
    )
    assert (4, 0.75) == (_item(made, "memory").rating, _item(made, "memory").value)
    assert Label.PARTIAL is _item(made, "talk_1").label
    assert [(View.TASK, ("task_1",)), (View.CONVERSATION, (*RATINGS, "talk_1"))] == [(r.view, r.items) for r in made.replies]
    assert json.dumps(TASK) == made.replies[0].raw
    assert made.usage is not None
    assert (2, 200, 20, 2) == (
        made.usage.requests,
        made.usage.prompt_tokens,
        made.usage.completion_tokens,
        made.usage.unpriced,
    )


@pytest.mark.parametrize("reply", [thinking("Hm.", json.dumps(TASK)), say(json.dumps(TASK), reasoning_content="Hm.")])
def test_a_reply_is_kept_with_its_thoughts(judged: _Judged, reply: Answer) -> None:
    """SPEC 3: the raw reply is kept, wherever the endpoint puts what the model thought."""
    assert "<think>Hm.</think>" in judged(reply).replies[0].raw


def test_a_judge_that_declines_is_told_by_its_words(judged: _Judged) -> None:
    """Not as JSON that cannot be read."""
    declined = say(None, refusal="I would rather not.")
    made = judged(declined, declined)
    assert "declined by the model: I would rather not." in _item(made, "task_1").reason
    assert "I would rather not." == made.replies[0].raw


@pytest.mark.parametrize(
    "reply",
    [
        fenced(TASK),
        thinking('Is it {"task_1": 1}?', json.dumps(TASK)),
        say(f"Sure. {json.dumps(TASK)} Anything else?"),
        _text([TASK]),
    ],
)
def test_what_stands_around_the_json_is_read_past(judged: _Judged, reply: Answer) -> None:
    """Fences, thoughts and prose: judged at once, the raw reply kept."""
    made = judged(reply)

    assert Label.MET is _item(made, "task_1").label
    assert 2 == len(made.replies)
    # litellm takes thoughts out of a reply's words before anybody sees them.
    assert json.loads(reply.body)["choices"][0]["message"]["content"].endswith(made.replies[0].raw)


def _wrong(**changes: Any) -> dict[str, Any]:
    return {"task_1": TASK["task_1"] | changes}


FAULTS: dict[str, tuple[Answer, str]] = {
    "label out of range": (
        _text(_wrong(verdict="excellent")),
        "verdict 'excellent' is none of met, partial, not_met, not_applicable",
    ),
    "evidence not in the trace": (_text(_wrong(evidence=[999])), "evidence [999] is not in the trace"),
    "no reason": (_text(_wrong(reason=" ")), "no reason"),
    "no evidence": (_text(_wrong(evidence=[])), "no evidence: it lists the numbers of the messages that show it"),
    "a key twice": (
        say('{"task_1": {"reason": "r", "evidence": [1], "verdict": "not_met", "verdict": "met"}}'),
        "the key 'verdict' stands twice in an object",
    ),
    "an item left out": (_text({}), "no judgement of it in the reply"),
    "truncated": (truncated(TASK), "cut off at its largest length"),
    "no JSON": (say("The agent did well."), "not valid JSON"),
    "empty": (say(""), "not valid JSON"),
    "whitespace": (say(" \n "), "not valid JSON"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_asked_about_once_more(judged: _Judged, name: str) -> None:
    """With the reason and another seed; the second answer counts, and both replies are kept with what was wrong."""
    reply, fault = FAULTS[name]
    made = judged(reply)
    first, second, _talk = made.replies

    assert Label.MET is _item(made, "task_1").label
    assert (1, 2) == (first.attempt, second.attempt)
    assert fault in first.faults["task_1"]
    assert {} == second.faults
    again = judged.model.sent()[1]["messages"][1]["content"]
    assert re.search(rf"Your last answer was not accepted: task_1: .*{re.escape(fault)}.*\. Do it again, rightly\.", again)
    assert judged.model.sent()[0]["seed"] != judged.model.sent()[1]["seed"]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_twice_leaves_the_item_unjudged(judged: _Judged, name: str) -> None:
    """Never 0 for want of a judgement, and the other view is judged all the same."""
    reply, fault = FAULTS[name]
    made = judged(reply, reply)

    assert (Status.UNJUDGED, None) == (_item(made, "task_1").status, _item(made, "task_1").value)
    assert _item(made, "task_1").reason.startswith("the judgement was refused twice: ")
    assert fault in _item(made, "task_1").reason
    assert (4, Status.SCORED) == (_item(made, "memory").rating, _item(made, "memory").status)


def test_a_rating_of_seven_is_asked_about_alone(judged: _Judged) -> None:
    """Of eight items one is out of range: only that one is asked about again, and is unjudged when it is so again."""
    seven = TALK | {"memory": {**TALK["memory"], "verdict": 7}}

    def answer(body: Body) -> Answer:
        return _good(body) if "## task_1" in body["messages"][1]["content"] else _text(seven)

    made = judged(*[answer] * 3)

    assert [*RATINGS, "talk_1"] == list(made.replies[1].items)
    assert (("memory",), {"memory": "verdict 7 is none of 5, 4, 3, 2, 1, not_applicable"}) == (
        made.replies[2].items,
        made.replies[2].faults,
    )
    assert Status.UNJUDGED is _item(made, "memory").status
    assert [4] * 5 == [_item(made, name).rating for name in RATINGS if name != "memory"]


def test_a_busy_provider_is_waited_for(judged: _Judged) -> None:
    """429 with `Retry-After`, then 500: the same stage again, the failed requests beside the reply."""
    made = judged(rate_limited(0.1), broken(500), options="attempts=4")

    assert Label.MET is _item(made, "task_1").label
    assert ["429", "500"] == [attempt[:3] for attempt in made.replies[0].attempts]
    assert 1 == made.replies[0].attempt


@pytest.mark.parametrize("trouble", [broken(503), hang()])
def test_a_provider_that_stays_away_makes_no_grade(judged: _Judged, trouble: Answer) -> None:
    """No item is unjudged for the provider's sake: nothing is saved, so that the next `grade` asks again."""
    with pytest.raises(ProviderError, match="in the last of 2 attempts"):
        judged(*[trouble] * 5, options="attempts=2&timeout=0.3")


def test_an_unknown_model_is_the_operators(judged: _Judged) -> None:
    """Nobody is asked a second time."""
    with pytest.raises(OperatorError):
        judged(no_model())
    assert 1 == len(judged.model.sent())


def test_regrading_asks_nobody(judged: _Judged) -> None:
    """The same judge on the same call: every reply comes from the cache, and the judgements are the same."""
    first = judged()
    assert 2 == len(judged.model.sent())
    second = judged(broken(500))
    assert [] == judged.model.sent()

    assert first.model_copy(update={"usage": None}) == second.model_copy(update={"usage": None})
    assert second.usage is not None
    assert (0, 2, 0.0) == (second.usage.requests, second.usage.cached, second.usage.cost_usd)


def test_votes_are_different_requests(model: Provider, tmp_path: Path) -> None:
    """Three votes are three seeds, hence three requests for each view, and a majority."""
    said = {"met": 2, "not_met": 1}

    def answer(body: Body) -> Answer:
        if "## task_1" not in body["messages"][1]["content"]:
            return _text(TALK)
        verdict = next(label for label, left in said.items() if left)
        said[verdict] -= 1
        return _text(_wrong(verdict=verdict))

    model.script("judge", *[answer] * 6)
    made = _grade(Panel([_judge(model, tmp_path)] * 3))

    assert (3, 6) == (len({body["seed"] for body in model.sent()}), len(made.replies))
    assert (Label.MET, "2 of 3 votes: It asked.") == (_item(made, "task_1").label, _item(made, "task_1").reason)


def _yes(body: Body) -> Answer:
    """A judge who says yes to everything."""
    keys = re.findall(r"^- (\w+): ", body["messages"][1]["content"].rpartition("# Questions")[2], re.MULTILINE)
    return _text(dict.fromkeys(keys, "yes") | {"evidence": [], "reason": "Yes."})


def test_a_judge_who_only_says_yes_lands_in_the_middle(judged: _Judged) -> None:
    """Decomposed: half of the good answers are no, so a rating is 3; one that does not apply is not asked about."""
    made = judged(*[_yes] * 7, protocol="decomposed")

    assert {3} == {_item(made, name).rating for name in RATINGS if name != "channel_recovery"}
    assert Status.NOT_APPLICABLE is _item(made, "channel_recovery").status
    assert Label.MET is _item(made, "task_1").label
    assert 7 == len(judged.model.sent()) == len(made.replies)


def test_requests_begin_alike_so_that_endpoints_can_keep_the_beginning(judged: _Judged) -> None:
    """Asked item by item, all requests about one view share the rules and the call; what differs comes last."""
    judged(*[_yes] * 7, protocol="decomposed")
    texts = [contents(body) for body in judged.model.sent()][1:]

    assert 1 == len({text[0] for text in texts})
    assert 1 == len({text[1][1].partition("# Questions")[0] for text in texts})


def test_the_key_follows_everything_that_decides_a_judgement(model: Provider, tmp_path: Path) -> None:
    """Model, sampling, protocol, prompts: another key. Patience, limits and prices: the same key, so nothing is judged again."""

    def key(options: str = "", **settings: Any) -> str:
        return judge_key(_judge(model, tmp_path, options, **settings).record())

    assert key() == key("timeout=3&rpm=5&price_in=1&price_out=2")
    assert 5 == len({key(), key("temperature=0"), key("top_p=0.5"), key(protocol="decomposed"), key(per="item")})
    prompts = _judge(model, tmp_path).record().settings["prompts"]

    assert isinstance(prompts, dict)
    assert {"judge-task-1", "judge-conversation-1", "judge-verdicts-1", "judge-ratings-1"} == prompts.keys()


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"protocol": "guess"}, "protocol='guess': Input should be 'holistic' or 'decomposed'"),
        ({"votes": "0"}, "votes='0': Input should be greater than or equal to 1"),
        ({"per": "call"}, "per='call': "),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, str], fault: str) -> None:
    """One line with the option and what it may be."""
    with pytest.raises(UsageError) as caught:
        judge_settings(options, "litellm:a/b")

    assert f"'litellm:a/b': {fault}" in str(caught.value)


# -- who sees what --------------------------------------------------------------------------------------------------------


def _secrets(plant: Callable[[str], str]) -> dict[str, Any]:
    """A scenario with a secret of its own in every field that no judge may see."""
    return {
        "title": plant("title"),
        "tags": [plant("tag")],
        "variables": {"v": plant("variable")},
        "goal": "GOAL",
        "caller": {
            "context": plant("context"),
            "reason": plant("reason"),
            "now": "2026-03-10T18:52",
            "facts": {"fact_1": {"value": plant("fact"), "kind": "text"}},
            "unknown": [plant("unknown")],
            "plan": [{"id": plant("step"), "trigger": plant("trigger"), "meaning": plant("meaning")}],
            "voice": {"accent": plant("accent"), "mood": plant("mood")},
        },
        "backend": {"state": {"truth": plant("state")}, "fixtures": {"find": {"default": {"x": plant("fixture")}}}},
        "channel": {"asr_events": [{"id": "event_1", "at": {"turn": 1}, "kind": "drop", "span": plant("span")}]},
        "expected": [{"id": plant("action"), "tool": plant("tool"), "args": {"a": {"equals": plant("argument")}}}],
        "offline": {"steps": {plant("step"): {"cues": [plant("cue")], "line": plant("line")}}},
        "criteria": [
            {
                **criterion,
                "check": {"met": {"said": {"role": "agent", "matcher": {"contains": "$state.truth"}}}},
                "statement": f"{criterion['id']} STATEMENT",
            }
            for criterion in CRITERIA
        ],
    }


def _secret_trace(plant: Callable[[str], str]) -> Trace:
    """A trace with a secret of its own in every field that no judge may see."""
    trace = _trace()
    matcher = MatcherResult(argument=plant("matched"), ok=False, reason=plant("why"))
    rejected = RejectedAttempt(raw=plant("rejected"), reasons=(plant("reasons"),))
    idle = ChannelEvent(id=plant("event"), kind="drop", applied=False, before=plant("unapplied"), detail=plant("detail"))
    turn = {"raw": plant("raw"), "expressed": (plant("expressed"),), "rejected": (rejected,), "events": (idle,)}
    message = {"raw": plant("reply"), "attempts": (plant("attempt"),)}
    return trace.model_copy(
        update={
            "header": trace.header.model_copy(update={"line": {"x": plant("channel")}, "bundle": plant("bundle")}),
            "tool_events": tuple(event.model_copy(update={"matchers": (matcher,)}) for event in trace.tool_events),
            "caller_turns": tuple(each.model_copy(update=turn) for each in trace.caller_turns),
            "messages": tuple(each.model_copy(update=message) for each in trace.messages),
        }
    )


@pytest.mark.parametrize("settings", [{}, {"per": "item"}, {"protocol": "decomposed"}])
def test_no_request_holds_what_a_judge_may_not_see(model: Provider, tmp_path: Path, settings: dict[str, str]) -> None:
    """A secret in every forbidden field, faults that provoke a second attempt: no body of any request holds one."""
    planted: set[str] = set()

    def plant(name: str) -> str:
        planted.add(secret := f"xyzzy_{name}")
        return secret

    made, trace = scenario(**_secrets(plant)), _secret_trace(plant)
    model.script("judge", *[say("no")] * 40)
    _grade(_judge(model, tmp_path, **settings), made, trace)
    bodies = [json.dumps(body, ensure_ascii=False) for body in model.sent()]

    assert 30 <= len(planted)
    assert all(secret in f"{made!r}{trace!r}" for secret in planted)
    assert [] == [secret for secret in sorted(planted) for body in bodies if secret in body]
    task = [body for body in bodies if "task_1 STATEMENT" in body]
    talk = [body for body in bodies if body not in task]
    assert task
    assert talk
    assert all("GOAL" in body and PROMPT in body for body in task)
    assert not any("GOAL" in body or PROMPT in body or "task_1" in body for body in talk)
    assert not any("talk_1" in body for body in task)
