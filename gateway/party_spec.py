"""A party's name taken apart, and the secrets in it kept out of whatever is printed or written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote_plus

from pydantic import JsonValue

from core.errors import UsageError
from core.options import split_options
from core.own_thread import LIMIT_S
from gateway.defaults import DEFAULT_CANDIDATE

HIDDEN = "***"
"""What stands where a secret stood."""
_SECRET_WORDS = frozenset({"key", "passwd", "passphrase", "credential", "credentials"})
_SECRET_ENDS = ("apikey", "token", "secret", "password")
_OPTION = re.compile(r"(?<=[?&])([^=&?]+)=([^&]*)")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True)
class PartySpec:
    """A party as named on the command line."""

    text: str
    """The whole name, with its secrets hidden."""
    scheme: str
    """What comes before the colon."""
    name: str
    """What comes after it."""
    options: Mapping[str, str]
    """Options after the question mark, secrets as they are."""
    turn_timeout_s: float = LIMIT_S
    """Seconds that a user's own code may take for a turn; no part of the name."""

    def hide(self, value: JsonValue) -> JsonValue:
        """A JSON value without the party's secrets: neither the values of its secret options nor those of secret keys."""
        if isinstance(value, str):
            for secret in (option for key, option in self.options.items() if is_secret(key) and option):
                value = value.replace(secret, HIDDEN)
            return value
        if isinstance(value, list):
            return [self.hide(item) for item in value]
        if isinstance(value, dict):
            return {key: HIDDEN if is_secret(key) and item else self.hide(item) for key, item in value.items()}
        return value


def parse_party(text: str) -> PartySpec:
    """Take a party's name apart; raises UsageError."""
    shown = redacted(text)
    head = text.partition("?")[0]
    scheme, colon, name = head.partition(":")
    if not colon or not scheme or not name:
        raise UsageError(f"{shown!r} is no party: write scheme:name, such as {DEFAULT_CANDIDATE}")
    return PartySpec(shown, scheme, name, split_options(text, shown)[1])


def is_secret(key: str) -> bool:
    """Whether an option's or a setting's name says that its value is a secret: `api_key` does, `max_tokens` does not."""
    words = [word.lower() for word in _WORD.findall(key)]
    return any(word in _SECRET_WORDS or word.endswith(_SECRET_ENDS) for word in words)


def redacted(text: str) -> str:
    """An argument of the command line with the values of secret options hidden."""
    return _OPTION.sub(lambda found: f"{found[1]}={HIDDEN}" if is_secret(unquote_plus(found[1])) else found[0], text)
