"""A scenario with a secret in every field, to be searched for in all that a party is given."""

from __future__ import annotations

from typing import Any

from core.schemas.scenario import Scenario
from tests.support.scenes import SCENARIO_FILE, data_of

BRIEF = {
    "context": "caller.context",
    "reason": "caller.reason",
    "unknown": "caller.unknown.0",
    "trigger": "caller.plan.0.trigger",
    "meaning": "caller.plan.1.meaning",
    "fact": "caller.facts.secret_fact",
    "mood": "caller.voice.mood",
}
"""What the caller sees: name of the secret to where it stands."""
HIDDEN = {
    "title": "title",
    "tag": "tags.0",
    "goal": "goal",
    "state": "backend.state.loan.shelf_mark",
    "deep state": "backend.state.deep",
    "unmatched result": "backend.fixtures.find_card.queue.1.result.status",
    "mismatch": "backend.fixtures.renew_loan.queue.0.mismatch.status",
    "default": "backend.fixtures.renew_loan.default.status",
    "matcher": "backend.fixtures.renew_loan.queue.0.args.title.equals",
    "expected argument": "expected.1.args.title",
    "statement": "criteria.0.statement",
    "anchor": "criteria.0.anchors.partial",
    "check": "criteria.1.check.met.last_speech.matcher.regex",
    "cue": "offline.steps.give_card.cues.0",
    "line": "offline.steps.give_card.line",
    "substitute": "channel.asr_events.0.with",
}
"""What it does not."""


def secret(name: str) -> str:
    """What stands where the secret of that name was planted."""
    return f"zq-{name.replace(' ', '-')}-zq"


def _plant(data: Any, path: str, value: Any) -> None:
    *parents, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
    for part in parents:
        data = data[part]
    data[last] = value


def planted_scene() -> Scenario:
    """The small bundle's scenario with a secret in every field of BRIEF and HIDDEN, and `zq-intended-zq` dropped on the line."""
    data = data_of(SCENARIO_FILE)
    data["caller"]["facts"]["secret_fact"] = {"value": "x"}
    data["caller"]["voice"] = {}
    lost = {"id": "event_2", "at": {"turn": 2}, "kind": "drop", "span": "zq-intended-zq"}
    unheard = {"id": "event_1", "at": {"turn": 2}, "kind": "substitute", "span": "not said", "with": "x"}
    data["channel"] = {"asr_events": [unheard, lost]}
    for name, path in (BRIEF | HIDDEN).items():
        values = {"fact": {"value": secret(name)}, "expected argument": {"equals": secret(name)}}
        _plant(data, path, values.get(name, secret(name)))
    return Scenario.model_validate(data)
