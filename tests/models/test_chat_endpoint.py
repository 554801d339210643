"""The boundary to litellm: one attempt, in the dialects of several providers, and what became of it."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from typing import Any

import pytest

from models.chat.endpoint import Again, NotTaken, Outcome, Refused, Stop, TooLong, ask, unlisted
from models.chat.reply import Answered
from tests.support.chat_server import Answer, broken, chat_server, drip, error, rate_limited, refused_key, say, web_page

_ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello."}]
_DIALECTS = ["openai/m", "anthropic/m", "gemini/m", "mistral/m", "openrouter/m", "ollama_chat/m"]


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """litellm fetches nothing of its own, as the gateway's settings see to."""
    monkeypatch.setenv("LITELLM_OFFLINE_MODE", "True")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")


def _one(answer: Answer, model: str = "openai/m", grace_s: float = 5.0, timeout_s: float = 20.0, **more: Any) -> Outcome:
    with chat_server({"m": [answer]}) as server:
        request = {"model": model, "messages": _ASKED, "api_base": server.base, **more}
        return ask(request, key="sk-of-mine", timeout_s=timeout_s, grace_s=grace_s)


@pytest.mark.parametrize("model", _DIALECTS)
@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (broken(), Again("500: engine on fire")),
        (broken(529), Again("529: engine on fire")),
        (error(529, "full", headers={"Retry-After": "3"}), Again("529: full", 3.0)),
        (rate_limited(2), Again("429: too many requests", 2.0, busy=True)),
        (refused_key(), Stop("401: Incorrect API key provided")),
        (error(404, "no such model"), Stop("404: no such model")),
        (Answer(b'{"id": "cut'), Again("a broken answer")),
    ],
)
def test_a_failure_is_the_same_in_every_dialect(model: str, answer: Answer, outcome: Outcome) -> None:
    """litellm raises other errors for each provider, with the headers or without; the server's own status is what counts."""
    assert outcome == _one(answer, model)


@pytest.mark.parametrize("model", ["openai/m", "anthropic/m", "openrouter/m"])
def test_a_web_page_is_told_where_it_can_be_seen(model: str) -> None:
    """A wrong address, not a broken server."""
    assert Stop("answered with a web page: the address is not that of a chat endpoint") == _one(web_page(), model)


def test_a_failure_inside_a_success_is_a_failure() -> None:
    """OpenRouter answers 200 with the error of the provider behind it."""
    inside = Answer(b'{"error": {"message": "engine on fire", "code": 502}}')
    assert Again("502: engine on fire") == _one(inside, "openrouter/m")


def test_an_answer_in_drops_is_given_up() -> None:
    """Blanks that keep a connection alive are no answer, however long they come."""
    assert Again("no answer within 0.3 s", late=True) == _one(drip(), timeout_s=0.3, grace_s=0.5)


@pytest.mark.parametrize(
    ("more", "name"),
    [({"seed": 3}, "seed"), ({"temperature": 0.3, "top_p": 0.5}, "top_p")],
)
def test_what_litellm_itself_refuses_is_a_setting_not_taken(more: dict[str, Any], name: str) -> None:
    """Nothing goes out; which ones it refuses is its own list of the provider."""
    outcome = _one(say("Hello."), "anthropic/claude-opus-5", **more)
    assert isinstance(outcome, NotTaken)
    assert name == outcome.name


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Unsupported value: 'temperature' does not support 0.3 with this model. Only 1 is supported.", "temperature"),
        ("temperature=0.3 is not supported unless reasoning_effort is none", "temperature"),
        ("Unrecognized request argument supplied: seed", "seed"),
        ("This model does not support response_format json_schema", "response_format"),
        ("Unknown field: max_completion_tokens", "max_tokens"),
    ],
)  # fmt: skip
def test_the_setting_named_first_is_the_one_refused(said: str, name: str) -> None:
    """Providers often go on to name another that would mend it."""
    more: dict[str, Any] = {
        "temperature": 0.3,
        "seed": 3,
        "reasoning_effort": "low",
        "response_format": {"type": "json_object"},
        "max_tokens": 9,
    }
    outcome = _one(error(400, said), **more)
    assert NotTaken(name, said) == outcome


@pytest.mark.parametrize("model", ["openai/m", "openrouter/m"])
@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        "'max_tokens' is too large: 500. This model's maximum context length is 4096 tokens and your request has 4000",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "the request exceeds the available context size, try increasing it",
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`",
        "Input is too long for requested model.",
        "Input tokens exceed the configured limit of 272000 tokens.",
        "Please reduce the length of the messages. Current length is 9000 while limit is 8192",
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
        "Your request exceeded model token limit: 131072",
    ],
)
def test_a_conversation_that_is_too_long_is_told_in_every_vendor_s_words(model: str, said: str) -> None:
    """litellm knows some of them, for some providers; a setting that is named beside them is not the reason."""
    assert TooLong(said) == _one(error(400, said), model, max_tokens=500)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (
            error(413, "Request too large for model on tokens per minute (TPM): Limit 6000, Requested 8000"),
            Refused("413: Request too large for model on tokens per minute (TPM): Limit 6000, Requested 8000"),
        ),
        (error(429, "Too many tokens, wait"), Again("429: too many requests", None, busy=True)),
        (error(400, "max_tokens must be at least 1"), NotTaken("max_tokens", "max_tokens must be at least 1")),
    ],
    ids=["tokens a minute", "busy", "setting"],
)
def test_other_limits_are_not_taken_for_it(answer: Answer, outcome: Outcome) -> None:
    """They pass with time, or with another setting."""
    assert outcome == _one(answer, max_tokens=500)


def test_a_conversation_that_litellm_refuses_is_refused_once() -> None:
    """Anthropic wants a message of a user; nothing goes out, and to ask again would change nothing."""
    outcome = _one(say("Hello."), "anthropic/m", messages=_ASKED[:1])
    assert isinstance(outcome, Refused)
    assert "requires at least one non-system message" in outcome.said


def test_a_setting_the_provider_does_not_know_is_on_the_list() -> None:
    """Some are dropped on the way without a word, so the list is looked at before; a server of one's own has no list."""
    request = {"model": "anthropic/claude-opus-5", "messages": _ASKED, "seed": 1, "max_tokens": 5, "top_k": 3}
    assert ("seed",) == unlisted(request)
    assert () == unlisted({**request, "api_base": "http://127.0.0.1:9"})
    assert () == unlisted({**request, "model": "nobody/m"})


def test_a_listed_price_is_reckoned_from_the_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """By litellm's own list, for the provider's own address only: another server's price is not known."""
    with chat_server({"gpt-5.2": ["Hello.", "Hello."]}) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base)
        request = {"model": "openai/gpt-5.2", "messages": _ASKED}
        listed = ask(request, key="sk-1", timeout_s=20)
        elsewhere = ask({**request, "api_base": server.base}, key="sk-1", timeout_s=20)
    assert isinstance(listed, Answered)
    assert pytest.approx(100 * 1.75e-6 + 10 * 14e-6) == listed.listed_cost  # prices in the list of litellm 1.110.2
    assert isinstance(elsewhere, Answered)
    assert elsewhere.listed_cost is None


def test_no_file_of_litellm_runs_when_python_starts() -> None:
    """Releases 1.82.7 and 1.82.8 carried a stolen-key program in such a file (litellm #24512); the lock and this keep it out."""
    assert [] == [path.name for path in Path(sysconfig.get_path("purelib")).glob("*litellm*.pth")]
