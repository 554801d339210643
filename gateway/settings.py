"""The only place that reads or sets the environment: cache folder, speech server, keys of chat models, numpy's threads."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.errors import UsageError

if TYPE_CHECKING:
    from models.chat.settings import Access, ChatSettings
    from speech.endpoint import Endpoint


@dataclass(frozen=True)
class Settings:
    """What the environment decides."""

    cache_root: Path
    """Folder of joined weights, clips and transcripts (`RINGBACK_CACHE`, else the user's cache folder)."""
    endpoint: Endpoint | None = None
    """Speech server behind `openai:` models (`RINGBACK_SPEECH_URL` and `RINGBACK_SPEECH_KEY`); None where none is named."""


def read_settings() -> Settings:
    """Settings from the environment; `RINGBACK_CACHE` wins over `XDG_CACHE_HOME` over `~/.cache`.

    Raises:
        UsageError: none of them is there, as for a user without a home; or the speech server's address or key is none.
    """
    return Settings(_cache_root(), _endpoint())


def chat_access(chat: ChatSettings) -> Access:
    """Where a chat model's replies are kept, and its key, which is that of

    - the variable that `auth` names, where one is named;
    - `RINGBACK_CHAT_KEY` for a server of one's own (`api_base`), which is never sent a provider's key;
    - the provider's usual variable otherwise, which litellm reads.

    litellm is told to fetch nothing of its own: it would at import, and prices could change in the middle of a run.

    Raises:
        UsageError: the cache folder cannot be known, `auth` names no variable that is set, a key has signs that no key has, or
            the environment would send requests to an address that no record of the run tells.
    """
    from models.chat.settings import Access

    for name in (f"{chat.provider.upper()}_{end}" for end in ("API_BASE", "BASE_URL")):
        if os.environ.get(name) and not chat.api_base:
            raise UsageError(f"{name} is set, which no record of a run tells: unset it, or write the address as api_base=...")

    for name in ("LITELLM_OFFLINE_MODE", "LITELLM_LOCAL_MODEL_COST_MAP"):
        os.environ[name] = "True"
    variable = chat.auth or ("RINGBACK_CHAT_KEY" if chat.api_base else "")
    key = os.environ.get(variable, "") if variable else ""
    if chat.auth and not key:
        raise UsageError(f"auth={chat.auth!r}: this variable is not set: put the key of {chat.model} there")
    if not _may_be_key(key):
        raise UsageError(f"{variable} holds spaces or signs that no key has: set it again")
    return Access(_cache_root(), key)


def _may_be_key(key: str) -> bool:
    return key.isascii() and key.isprintable() and " " not in key


def _endpoint() -> Endpoint | None:
    url, key = os.environ.get("RINGBACK_SPEECH_URL", ""), os.environ.get("RINGBACK_SPEECH_KEY", "")
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None or parts.query or parts.fragment:
        raise UsageError("RINGBACK_SPEECH_URL is no plain address such as https://speech.example/v1: mend it")
    if not _may_be_key(key):
        raise UsageError("RINGBACK_SPEECH_KEY holds spaces or signs that no key has: set it again")
    from speech.endpoint import Endpoint

    return Endpoint(url, key)


def _cache_root() -> Path:
    chosen = os.environ.get("RINGBACK_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        root = Path(base) if base else Path.home() / ".cache"
    except RuntimeError:
        raise UsageError(
            "this user has no home folder: set RINGBACK_CACHE to a folder for weights, clips and transcripts"
        ) from None
    return root / "ringback"


def one_thread() -> None:
    """Let numpy compute on one thread: in this process, which must not have imported it yet, and in those it starts.

    The last bit of a matrix product depends on the number of threads, which is that of the cores, and with it what a recogniser
    makes of a sound. Besides, worker processes would fight over the cores.
    """
    for library in ("OPENBLAS", "MKL", "OMP"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
