"""SPEC 4, `authored`, in Mandarin: a text without spaces is damaged and cut at the same places as any other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.authored import apply_program
from core.schemas.call_trace import ChannelEvent
from core.schemas.scenario import Scenario
from tests.support.scenes import put, scenario

SPEECH = "我想续借一本书，我的卡号是零四四幺，二九零七，谢谢。"
CARD = "$caller.facts.card_number"


def _arrives(**channel: Any) -> tuple[tuple[str, ...], tuple[ChannelEvent, ...]]:
    puts = [put(f"channel.{key}", value) for key, value in channel.items()]
    scene: Scenario = scenario(put("language", "zh-CN"), put("script", "Hans"), *puts)
    return apply_program(scene, 1, SPEECH, (), np.random.default_rng(1))


@pytest.mark.parametrize(
    ("event", "heard"),
    [
        ({"kind": "drop", "span": CARD}, "我想续借一本书，我的卡号是，谢谢。"),
        ({"kind": "drop", "span": "续借"}, "我想一本书，我的卡号是零四四幺，二九零七，谢谢。"),
        ({"kind": "substitute", "span": "续借", "with": "须借"}, "我想须借一本书，我的卡号是零四四幺，二九零七，谢谢。"),
        ({"kind": "substitute", "span": CARD, "with": "零四四七"}, "我想续借一本书，我的卡号是零四四七，谢谢。"),
    ],
)
def test_spans_and_spoken_facts_are_damaged_where_they_stand(event: dict[str, str], heard: str) -> None:
    """A span is found between other characters, and a fact in its spoken form."""
    pieces, events = _arrives(asr_events=[{"id": "event_1", "at": {"turn": 1}, **event}])
    assert ((heard,), [True]) == (pieces, [item.applied for item in events])


def test_a_pause_falls_at_a_full_width_comma_inside_the_fact() -> None:
    """People pause between the groups of an id."""
    pieces, _ = _arrives(splits=[{"at": {"turn": 1}, "inside": CARD}])
    assert ("我想续借一本书，我的卡号是零四四幺，", "二九零七，谢谢。") == pieces


def test_the_seeded_mode_says_that_no_word_is_eligible() -> None:
    """A character is a word of its own there, shorter than the shortest word that may be changed."""
    _, events = _arrives(seeded_word=True)
    assert [(False, "no eligible word")] == [(item.applied, item.detail) for item in events]
