"""Options of a chat party: read, checked, and written back as a name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from gateway.party_spec import is_secret, parse_party
from models.chat.client import ChatClient
from models.chat.request import SEEDS, build
from models.chat.settings import Access, ChatSettings, Role, chat_settings

_MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello."}]
_OPTIONS = {
    "api_base": "http://127.0.0.1:9/v1",
    "temperature": "0.5",
    "top_p": "0.9",
    "top_k": "20",
    "seed": "off",
    "max_tokens": "300",
    "reasoning": "low",
    "extra_body": '{"a": {"b": "c&d"}}',
    "system": "off",
    "json": "prompt",
    "user_first": "on",
    "fragments": "joined",
    "tools": "text",
    "speech_or_tools": "on",
    "parallel_tools": "off",
}


def _settings(options: dict[str, str], role: Role = "candidate") -> ChatSettings:
    return chat_settings("openai/some/model", options, "litellm:openai/some/model", role)


def test_every_option_is_read_by_its_type() -> None:
    """Numbers, switches, words and JSON."""
    read = _settings({**_OPTIONS, "timeout": "9", "rpm": "60"})
    assert ("openai/some/model", "openai", 0.5, 20, False, {"a": {"b": "c&d"}}, "prompt", True, 9.0, 60) == (
        read.model, read.provider, read.temperature, read.top_k, read.seed, read.extra_body, read.replies, read.user_first,
        read.timeout, read.rpm,
    )  # fmt: skip


@given(st.sets(st.sampled_from(sorted(_OPTIONS))))
def test_a_party_s_own_name_makes_the_same_party(names: set[str]) -> None:
    """The name in a record, parsed again, has the same deciding settings and the same name, whatever options were given."""
    made = _settings({name: _OPTIONS[name] for name in names})
    spec = parse_party(made.party)
    again = chat_settings(spec.name, spec.options, spec.text, "candidate")
    assert (made.party, made.decisive()) == (again.party, again.decisive())


def test_a_name_has_no_defaults_and_no_limits() -> None:
    """A limit, a price, a timeout or the place of the key changes no reply, so a run resumes and a grade stands under others."""
    given = {"seed": "on", "rpm": "9", "tpm": "9", "in_flight": "2", "timeout": "3", "attempts": "2", "patience": "9"}
    given |= {"price_in": "1", "price_out": "2", "cache": "off", "auth": "MY_KEY"}
    assert "litellm:openai/some/model" == _settings(given).party
    assert _settings({}).decisive() == _settings(given).decisive()


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("gpt-5", {}, "write litellm:<provider>/<model>"),
        ("openai/a", {"temprature": "1"}, "unknown option 'temprature': it takes api_base, auth, temperature"),
        ("openai/a", {"tools": "text"}, "unknown option 'tools'"),
        ("openai/a", {"temperature": "2.5"}, "temperature='2.5': Input should be less than or equal to 2"),
        ("openai/a", {"temperature": "nan"}, "temperature='nan'"),
        ("openai/a", {"timeout": "0"}, "timeout='0'"),
        ("openai/a", {"json": "yes"}, "json='yes': Input should be 'schema' or 'prompt'"),
        ("openai/a", {"extra_body": "[1]"}, "extra_body='\\[1\\]'"),
        ("openai/a", {"extra_body": "{"}, "this is no JSON object"),
        ("openai/a", {"price_in": "1"}, "price_in and price_out are given together"),
        ("openai/a", {"api_base": "chat.example"}, "this is no plain address"),
        ("openai/a", {"api_base": "https://chat.example/v1?key=1"}, "this is no plain address"),
    ],
)
def test_a_wrong_option_is_refused_in_one_line(name: str, options: dict[str, str], said: str) -> None:
    """What was found, where, and what is valid."""
    with pytest.raises(UsageError, match=said) as caught:
        chat_settings(name, options, f"litellm:{name}", "judge")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("options", [{"auth": "sk-very-secret"}, {"api_base": "https://me:sk-very-secret@chat.example/v1"}])
def test_a_key_in_the_wrong_place_is_refused_without_repeating_it(options: dict[str, str]) -> None:
    """A message ends up in logs and terminals."""
    with pytest.raises(UsageError) as caught:
        _settings(options)
    assert "very-secret" not in str(caught.value)


def test_no_option_looks_like_a_secret() -> None:
    """An option whose name says secret would be hidden in records, and two different parties would look the same."""
    names = [field.alias or name for name, field in ChatSettings.model_fields.items()]
    assert [] == [name for name in names if is_secret(name)]


def test_a_judge_s_own_options_are_let_through() -> None:
    """They say how it is asked and are none of the model; other roles have none of them."""
    made = chat_settings("a/b", {"protocol": "holistic", "top_k": "3"}, "litellm:a/b", "judge")
    assert "litellm:a/b?top_k=3" == made.party
    with pytest.raises(UsageError, match="unknown option 'protocol'"):
        chat_settings("a/b", {"protocol": "holistic"}, "litellm:a/b", "caller")


def test_a_detector_has_room_for_thoughts_and_is_asked_for_no_json() -> None:
    """Its longest reply is not left to endpoints, some of which cut it after a few words; its name says so."""
    made = chat_settings("a/b", {}, "audio-chat:a/b", "detector")
    assert (2048, "litellm:a/b?max_tokens=2048") == (made.max_tokens, made.party)
    assert 9 == chat_settings("a/b", {"max_tokens": "9"}, "audio-chat:a/b", "detector").max_tokens
    for option in ("json", "tools", "protocol"):
        with pytest.raises(UsageError, match=f"'audio-chat:a/b.*unknown option '{option}': it takes api_base, auth"):
            chat_settings("a/b", {option: "text"}, "audio-chat:a/b", "detector")
    with pytest.raises(UsageError, match="write audio-chat:<provider>/<model>"):
        chat_settings("b", {}, "audio-chat:b", "detector")


def test_a_request_has_what_was_set_and_nothing_else() -> None:
    """What is not set is the endpoint's own default, and is not sent."""
    assert {"model": "openai/some/model", "messages": _MESSAGES} == build(_settings({}), _MESSAGES, seed=None)
    sent = build(_settings({"temperature": "0", "reasoning": "off", "top_k": "5"}), _MESSAGES, seed=SEEDS + 3)
    assert {"temperature": 0.0, "reasoning_effort": "none", "top_k": 5, "seed": 3} == {
        name: value for name, value in sent.items() if name not in ("model", "messages")
    }


def test_a_seed_that_is_off_is_not_sent() -> None:
    """For endpoints that refuse or ignore it."""
    assert "seed" not in build(_settings({"seed": "off"}), _MESSAGES, seed=3)


def test_without_a_system_role_the_instructions_go_to_the_user() -> None:
    """Models whose template has no system role read the same words at the same place."""
    made = build(_settings({"system": "off"}), _MESSAGES, seed=None)
    assert [{"role": "user", "content": "Be brief.\n\nHello."}] == made["messages"]


def test_a_schema_is_handed_over_or_written_down() -> None:
    """`json=prompt` is for endpoints without JSON Schema; the instructions then stay the same through a call."""
    schema: dict[str, Any] = {"type": "object", "properties": {"speech": {"type": "string"}}}
    handed = build(_settings({}), _MESSAGES, seed=None, schema=schema)
    assert (schema, _MESSAGES) == (handed["response_format"]["json_schema"]["schema"], handed["messages"])
    written = build(_settings({"json": "prompt"}), _MESSAGES, seed=None, schema=schema)
    assert "response_format" not in written
    assert written["messages"][0]["content"].startswith("Be brief.\n\nAnswer with one JSON object")
    assert '{"properties":{"speech":{"type":"string"}},"type":"object"}' in written["messages"][0]["content"]
    assert _MESSAGES[1] == written["messages"][1]


def test_tools_go_out_with_their_choice() -> None:
    """One call at a time is asked for where that is set, and only then."""
    tool = {"type": "function", "function": {"name": "book", "parameters": {"type": "object"}}}
    sent = build(_settings({"parallel_tools": "off"}), _MESSAGES, seed=None, tools=[tool], tool_choice="none")
    assert ([tool], "none", False) == (sent["tools"], sent["tool_choice"], sent["parallel_tool_calls"])
    assert "parallel_tool_calls" not in build(_settings({}), _MESSAGES, seed=None, tools=[tool])


def test_a_record_holds_every_deciding_setting_and_no_secret(tmp_path: Path) -> None:
    """Versions, prompts and what the party adds stand beside the settings; the key stands nowhere."""
    access = Access(tmp_path, key="sk-very-secret")
    settings = _settings({"temperature": "0", "auth": "MY_KEY", "rpm": "3"})
    record = ChatClient(settings, access).record({"role": "candidate"})
    assert "litellm:openai/some/model?temperature=0.0" == record.party
    assert {**settings.decisive(), "role": "candidate"} == {
        name: value for name, value in record.settings.items() if name not in ("litellm", "json_prompt")
    }
    assert "sk-very-secret" not in repr(access) + record.model_dump_json()
