"""SPEC 3's table, first row: what chat models put around the one object they were asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.replies import json_object, without_thoughts

ANSWER = '{"label": "met", "evidence": [3], "why": {"a": 1}}'
READ = {"label": "met", "evidence": [3], "why": {"a": 1}}


@pytest.mark.parametrize(
    "raw",
    [
        ANSWER,
        f"\n  {ANSWER}\n",
        f"```json\n{ANSWER}\n```",
        f"```JSON\n{ANSWER}",
        f"~~~\n{ANSWER}\n~~~",
        f"I fill in {{label}} and {{evidence}}: {ANSWER}",
        f"{ANSWER}\nThe {{braces}} above are all.",
        f"<think>A draft: {{\"label\": \"partial\"}}</think>{ANSWER}",
        f"<THINKING>\none\n</THINKING>\n<reasoning>two</reasoning>\n{ANSWER}",
        f"The tag was opened by the template. {{\"label\": \"draft\"}}\n</think>\n\n{ANSWER}",
        f"[{ANSWER}]",
    ],
)  # fmt: skip
def test_what_stands_around_the_object_is_left_out(raw: str) -> None:
    """Fences, prose with braces in it, thoughts with drafts in them, and a tag that only closes."""
    assert READ == json_object(raw)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", "not valid JSON: Expecting value at character 0"),
        ("  \n", "not valid JSON: Expecting value at character 0"),
        ("I would rather not.", "not valid JSON: Expecting value at character 0"),
        ("{'label': 'met'}", "not valid JSON: Expecting property name enclosed in double quotes at character 1"),
        (ANSWER[:-1], f"not valid JSON: Expecting ',' delimiter at character {len(ANSWER) - 1}"),
        ('{"items": [{"id": "a"}', "not valid JSON: Expecting ',' delimiter at character 22"),
        (f"<think>So I say {ANSWER}", "not valid JSON: Expecting value at character 0"),
        (f"{ANSWER}\n{ANSWER}", "not valid JSON: Extra data: more than one object"),
        (f"Either {ANSWER} or {ANSWER[:9]}", "not valid JSON: Extra data: more than one object"),
        ('{"verdict": "1", "verdict": "5"}', "not valid JSON: the key 'verdict' stands twice in an object"),
        ('{"a": [{"b": {"c": 1, "d": 2, "c": 1}}]}', "not valid JSON: the key 'c' stands twice in an object"),
        ("[1, 2]", "wrong reply: reply is a list, not an object"),
        ("true", "wrong reply: reply is a bool, not an object"),
        ('{"a": NaN}', "wrong reply: half of a surrogate pair, or a number that JSON cannot write"),
        ('{"a": 1e999}', "wrong reply: half of a surrogate pair, or a number that JSON cannot write"),
        ('{"a": "\\udc00"}', "wrong reply: half of a surrogate pair, or a number that JSON cannot write"),
        ('{"a": ' + '{"a": ' * 100_000, "not valid JSON: nested too deeply"),
    ],
    ids=lambda text: text[:30],
)
def test_none_a_broken_one_or_several_are_refused_with_one_reason(raw: str, reason: str) -> None:
    """A piece of a truncated reply, a draft in unfinished thoughts, or one of two answers is never taken for the answer."""
    with pytest.raises(ValueError, match=r"reply|JSON") as caught:
        json_object(raw)
    assert reason == str(caught.value)


def test_a_number_of_thousands_of_digits_is_refused_in_one_line() -> None:
    """Python itself refuses to read it, by another error."""
    with pytest.raises(ValueError, match=r"^not valid JSON: Exceeds the limit"):
        json_object('{"a": ' + "9" * 5000 + "}")


def test_a_think_tag_inside_a_value_is_part_of_it() -> None:
    """Only what stands outside the object is thought."""
    assert {"speech": "Say <think> aloud, and </think> too."} == json_object('{"speech": "Say <think> aloud, and </think> too."}')


@pytest.mark.parametrize(
    ("raw", "rest"),
    [
        ("Hello.", "Hello."),
        ("<think>greet</think>Hello.", "Hello."),
        ("<think></think>\n\nHello.", "\n\nHello."),
        ("greet</think>Hello.", "Hello."),
        ("Hello.<think>what now", "Hello."),
        ("<think>what now", ""),
        ("I think so.", "I think so."),
    ],
)
def test_thoughts_are_cut_closed_unopened_and_unclosed(raw: str, rest: str) -> None:
    """What a listener hears is what is left."""
    assert rest == without_thoughts(raw)


@given(
    st.dictionaries(
        st.text(),
        st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x, max_size=3)),
        min_size=1,
    ),
    st.sampled_from(["{}", "```json\n{}\n```", "Here it is: {} Done.", "<think>hm</think> {}"]),
    st.booleans(),
)
def test_any_object_survives_whatever_stands_around_it(value: dict[str, Any], around: str, ascii_only: bool) -> None:
    """Reading gives back what was written."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert value == json_object(around.replace("{}", text))


@given(st.text() | st.text(alphabet='{}[]",: <>/think`a\\u0'))
def test_no_text_does_anything_but_give_an_object_or_a_one_line_reason(raw: str) -> None:
    """Whatever a model writes, the harness goes on."""

    def read() -> dict[str, Any] | str:
        try:
            return json_object(raw)
        except ValueError as reason:
            return str(reason)

    answer = read()
    assert isinstance(answer, dict) or (answer and "\n" not in answer)
