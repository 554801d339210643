"""Where the cache is: the environment decides, and is read in one place."""

from __future__ import annotations

import os
import pwd
from pathlib import Path
from typing import NoReturn

import pytest

from core.errors import UsageError
from gateway.settings import chat_access, read_settings
from models.chat.settings import Access, ChatSettings
from speech.endpoint import Endpoint


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that says nothing."""
    for name in ("RINGBACK_CACHE", "XDG_CACHE_HOME", "HOME", "RINGBACK_SPEECH_URL", "RINGBACK_SPEECH_KEY", "RINGBACK_CHAT_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"RINGBACK_CACHE": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/a"),
        ({"XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/b/ringback"),
        ({"HOME": "/c"}, "/c/.cache/ringback"),
        ({"RINGBACK_CACHE": "", "XDG_CACHE_HOME": "", "HOME": "/c"}, "/c/.cache/ringback"),
    ],
)
def test_the_nearer_setting_wins(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], folder: str) -> None:
    """RINGBACK_CACHE before XDG_CACHE_HOME before the home; an empty variable is none."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert Path(folder) == read_settings().cache_root


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container's user that the system does not know has no home to fall back on."""

    def unknown(_uid: int) -> NoReturn:
        raise KeyError("no such user")

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.raises(UsageError, match="set RINGBACK_CACHE"):
        read_settings()


def test_a_speech_server_is_an_address_and_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are taken as they are; without an address there is no server, whatever the key."""
    monkeypatch.setenv("RINGBACK_CACHE", "/a")
    monkeypatch.setenv("RINGBACK_SPEECH_KEY", "sk-1")
    assert read_settings().endpoint is None
    monkeypatch.setenv("RINGBACK_SPEECH_URL", "https://speech.example/v1")
    assert Endpoint("https://speech.example/v1", "sk-1") == read_settings().endpoint


@pytest.mark.parametrize(
    "url", ["speech.example/v1", "ftp://speech.example", "https://", "https://me:pw@speech.example", "http://a/?key=b"]
)
def test_an_address_that_is_none_or_hides_a_secret_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """No scheme, another scheme, no host, a password or a key inside: refused without being repeated."""
    monkeypatch.setenv("RINGBACK_SPEECH_URL", url)
    with pytest.raises(UsageError, match="RINGBACK_SPEECH_URL is no plain address") as caught:
        read_settings()
    assert "pw" not in str(caught.value)


def test_a_key_that_no_header_can_carry_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line break or a space in a key is found before any request, and the key is not printed."""
    monkeypatch.setenv("RINGBACK_SPEECH_URL", "https://speech.example/v1")
    monkeypatch.setenv("RINGBACK_SPEECH_KEY", "sk-secret\n")
    with pytest.raises(UsageError, match="RINGBACK_SPEECH_KEY") as caught:
        read_settings()
    assert "secret" not in str(caught.value)


def test_an_address_from_the_environment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """litellm would go there without a word; an address that is written as an option is recorded."""
    monkeypatch.setenv("RINGBACK_CACHE", "/a")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(UsageError, match="OPENAI_BASE_URL is set"):
        chat_access(ChatSettings(model="openai/m"))
    assert Access(Path("/a")) == chat_access(ChatSettings(model="openai/m", api_base="http://127.0.0.1:9/v1"))
    assert Access(Path("/a")) == chat_access(ChatSettings(model="mistral/m"))


def test_litellm_is_kept_from_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would fetch a list of prices when it is imported, and change it in mid-run."""
    monkeypatch.setenv("RINGBACK_CACHE", "/a")
    for name in ("LITELLM_OFFLINE_MODE", "LITELLM_LOCAL_MODEL_COST_MAP"):
        monkeypatch.setenv(name, "False")
    chat_access(ChatSettings(model="openai/m"))
    assert ["True", "True"] == [os.environ[name] for name in ("LITELLM_OFFLINE_MODE", "LITELLM_LOCAL_MODEL_COST_MAP")]
