"""What a user may set of Whisper, read from the `key=value` pairs behind its name: `whisper-base?beam=5&window=gated`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from core.errors import UsageError
from core.options import refuse_unknown

Choice = TypeVar("Choice", bound=str)
MOST_BEAMS = 10
LONGEST_HINT = 400
"""Characters of a prompt or of hotwords; what is longer would push the words to be heard out of the decoder's memory."""


@dataclass(frozen=True)
class WhisperOptions:
    """Everything of a recogniser that a user decides; all of it stands in its signature."""

    beam: int = 1
    """Hypotheses kept while decoding, 1 to 10."""
    prompt: str = ""
    """Words it is told were said before; empty for none."""
    hotwords: str = ""
    """Words it is told to expect; empty for none."""
    language: Literal["pinned", "detect"] = "pinned"
    """Whether the language is given, or found in the sound."""
    window: Literal["full", "gated"] = "full"
    """Whether a clip fills the published 30 s window, or a short one first and the full one where that is not trusted."""
    compute: Literal["int8", "float32"] = "int8"
    """Arithmetic of the weights."""
    timestamps: Literal["off", "on"] = "off"
    """Whether it tells times, by which a window it stops hearing early is heard on from there: long recordings need it."""


DEFAULTS = WhisperOptions()


def whisper_options(name: str, given: Mapping[str, str]) -> WhisperOptions:
    """The options of recogniser `name` from what a user wrote.

    Raises:
        UsageError: unknown key, or a value that the key does not take.
    """
    refuse_unknown(given, tuple(WhisperOptions.__dataclass_fields__), name)
    options = WhisperOptions(
        beam=_beam(name, given.get("beam", str(DEFAULTS.beam))),
        prompt=_hint(name, "prompt", given),
        hotwords=_hint(name, "hotwords", given),
        language=_one_of(name, "language", given, ("pinned", "detect")),
        window=_one_of(name, "window", given, ("full", "gated")),
        compute=_one_of(name, "compute", given, ("int8", "float32")),
        timestamps=_one_of(name, "timestamps", given, ("off", "on")),
    )
    if options.window == "gated" and options.language == "detect":
        raise UsageError(
            f"recogniser {name!r} finds a language in the full window alone: leave out window=gated or language=detect"
        )
    return options


def _beam(name: str, value: str) -> int:
    if not (value.isascii() and value.isdecimal() and 1 <= int(value) <= MOST_BEAMS):
        raise UsageError(f"beam={value} of recogniser {name!r}: give a whole number from 1 to {MOST_BEAMS}")
    return int(value)


def _hint(name: str, key: str, given: Mapping[str, str]) -> str:
    if key not in given:
        return ""
    text = " ".join(given[key].split())
    if not 1 <= len(text) <= LONGEST_HINT:
        raise UsageError(f"{key} of recogniser {name!r} has {len(text)} characters: give 1 to {LONGEST_HINT}, or leave it out")
    return text


def _one_of(name: str, key: str, given: Mapping[str, str], allowed: tuple[Choice, ...]) -> Choice:
    """The value of `key`; the first allowed one where it is not given."""
    value = given.get(key, allowed[0])
    for choice in allowed:
        if choice == value:
            return choice
    raise UsageError(f"{key}={value} of recogniser {name!r}: give {' or '.join(allowed)}")
