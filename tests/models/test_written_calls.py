"""Calls that a model writes into its text, as Qwen2.5-Coder, Llama and Hermes models do (vLLM issues 32926 and 33083)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.chat.written_calls import WrittenCall, split_calls

NAMES = ("find_card", "end_call")
FIND = '{"name": "find_card", "arguments": {"card_number": "0441"}}'
FOUND = WrittenCall("find_card", {"card_number": "0441"})
END = '{"name": "end_call", "arguments": {}}'
ENDED = WrittenCall("end_call", {})


@pytest.mark.parametrize(
    ("text", "speech", "calls"),
    [
        (FIND, "", (FOUND,)),
        (f"One moment.\n{FIND}", "One moment.", (FOUND,)),
        (f"```json\n{FIND}\n```", "", (FOUND,)),
        (f"```\n{FIND}", "", (FOUND,)),
        (f"I look it up.\n```json\n{FIND}\n```\nPlease hold.", "I look it up.\n\nPlease hold.", (FOUND,)),
        (f"<tool_call>\n{FIND}\n</tool_call>", "", (FOUND,)),
        (f"Sure.<tool_call>{FIND}", "Sure.", (FOUND,)),
        (f"<tool_call>{FIND}</tool_call>\n<tool_call>{END}</tool_call>", "", (FOUND, ENDED)),
        (f"{FIND}\n{END}", "", (FOUND, ENDED)),
        (f"[{FIND}, {END}]", "", (FOUND, ENDED)),
        (f'{{"type": "function", "function": {FIND}}}', "", (FOUND,)),
        (FIND.replace("arguments", "parameters"), "", (FOUND,)),
        ('{"name": "find_card", "arguments": "{\\"card_number\\": 1}"}', "", (WrittenCall("find_card", '{"card_number": 1}'),)),
    ],
)
def test_a_call_is_found_in_tags_in_a_fence_and_bare(text: str, speech: str, calls: tuple[WrittenCall, ...]) -> None:
    """What stands around the calls is what the caller hears."""
    assert (speech, calls) == split_calls(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "Your card is 0441.",
        "",
        '{"name": "Rosa", "arguments": {}}',
        '```json\n{"name": "cancel_card", "arguments": {}}\n```',
        '{"name": "find_card"}',
        '{"name": "find_card", "arguments": 5}',
        '{"name": 7, "arguments": {}}',
        '{"name": "find_card", "arguments": {"card',
        '{"tool": "find_card"}',
        "The set {find_card} is a set.",
    ],
)
def test_other_things_in_braces_are_words(text: str) -> None:
    """Outside of tags only a whole object with the name of one of our tools is a call: llama.cpp issue 18183 shows why."""
    assert (text, ()) == split_calls(text, NAMES)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ('<tool_call>{"name": "cancel_card", "arguments": {}}</tool_call>', WrittenCall("cancel_card", {})),
        (
            '<tool_call>{"name": "find_card", "arguments": {"card</tool_call>',
            WrittenCall("find_card", '{"name": "find_card", "arguments": {"card'),
        ),
        ("<tool_call>find_card(1)", WrittenCall("", "find_card(1)")),
    ],
)
def test_between_tags_everything_is_a_call(text: str, call: WrittenCall) -> None:
    """An unknown tool and broken arguments are the agent's faults, answered and recorded like those of native calls."""
    assert ("Well.", (call,)) == split_calls(f"Well. {text}", NAMES)


@given(st.text(alphabet=st.characters(exclude_characters="{}<`[],")), st.dictionaries(st.text(), st.integers()))
def test_any_arguments_are_read_after_any_words(words: str, arguments: dict[str, int]) -> None:
    """Reading a call gives back what was written, and the words before it."""
    text = json.dumps({"name": "find_card", "arguments": arguments})
    assert (words.strip(), (WrittenCall("find_card", arguments),)) == split_calls(f"{words}\n{text}", NAMES)


@given(st.text() | st.text(alphabet='{}[]"name:arguments,<tool_call>/ `'))
def test_no_text_does_any_harm(text: str) -> None:
    """Whatever a model writes gives words and calls, and the words never grow."""
    speech, calls = split_calls(text, NAMES)
    assert len(speech) <= len(text)
    assert all(isinstance(call.name, str) for call in calls)
