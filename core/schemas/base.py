"""What every file format of Ringback shares: frozen objects, no unknown fields, canonical bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, JsonValue

Json = JsonValue
"""Any JSON value."""

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
"""Lower-case words joined by single hyphens; `--` is kept for case folder names."""

Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=80)]
"""A name a caller must never say aloud; audits require an underscore or a digit in it."""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 digest in lower-case hexadecimal."""


class Model(BaseModel):
    """Base of every file format: frozen, closed, documented field by field."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, validate_default=True, serialize_by_alias=True
    )

    def to_json(self) -> Json:
        """The object as JSON values, aliases applied, unset optionals kept so that files show every field."""
        return self.model_dump(mode="json", by_alias=True)


class Pillar(StrEnum):
    """The two halves of the score."""

    TASK = "task"
    CONVERSATION = "conversation"


class Diagnostic(StrEnum):
    """The ten named behaviours below the pillars."""

    TOOL_CHOICE = "tool_choice"
    ARGUMENTS = "arguments"
    OUTCOME = "outcome"
    RULES = "rules"
    MEMORY = "memory"
    CHANNEL_RECOVERY = "channel_recovery"
    TOOL_SPEECH = "tool_speech"
    SPOKEN_FORM = "spoken_form"
    LANGUAGE = "language"
    CLOSING = "closing"

    @property
    def pillar(self) -> Pillar:
        """The pillar this diagnostic belongs to."""
        return Pillar.TASK if self in TASK_DIAGNOSTICS else Pillar.CONVERSATION


TASK_DIAGNOSTICS = (Diagnostic.TOOL_CHOICE, Diagnostic.ARGUMENTS, Diagnostic.OUTCOME, Diagnostic.RULES)
CONVERSATION_DIAGNOSTICS = (
    Diagnostic.MEMORY,
    Diagnostic.CHANNEL_RECOVERY,
    Diagnostic.TOOL_SPEECH,
    Diagnostic.SPOKEN_FORM,
    Diagnostic.LANGUAGE,
    Diagnostic.CLOSING,
)


class Condition(StrEnum):
    """What carries a caller turn to the candidate."""

    TEXT = "text"
    AUTHORED = "authored"
    ASR = "asr"
    AUDIO = "audio"


class Difficulty(StrEnum):
    """How hard its author says a scenario is."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


Importance = Annotated[int, Field(ge=1, le=3)]
"""Weight of an action, criterion or rating: 1, 2 or 3."""


def canonical_json(value: Any) -> bytes:
    """UTF-8 bytes of `value` with sorted keys and no spare spaces, so that equal values have equal hashes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def pretty_json(value: Any) -> bytes:
    """UTF-8 bytes of `value` as people read it: sorted keys, two-space indent, final newline. Deterministic."""
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False) + "\n").encode()


def json_lines(entries: Iterable[Model]) -> bytes:
    """The bytes of a JSON Lines file: one object on each line, canonical."""
    return b"".join(canonical_json(entry.to_json()) + b"\n" for entry in entries)


def is_json(value: Any) -> bool:
    """Whether a file can carry `value`: no infinite number, no half of a surrogate pair, no endless nesting."""
    try:
        canonical_json(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def encodable(text: str) -> str:
    """`text` as UTF-8 can carry it: a lone half of a surrogate pair becomes its escape."""
    return text.encode("utf-8", "backslashreplace").decode()


def sha256(data: bytes | str) -> str:
    """Lower-case hexadecimal SHA-256 of bytes, or of a string's UTF-8 bytes."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def content_hash(value: Any) -> str:
    """SHA-256 of the canonical JSON of `value`."""
    return sha256(canonical_json(value))


def one_of_keys(what: str, keys: tuple[str, ...]) -> Discriminator:
    """Tells the members of a union apart by the one naming key each has; `not` is the field `not_` in Python."""

    def kind(value: Any) -> str | None:
        if isinstance(value, dict):
            found = [key for key in keys if key in value]
            return found[0] if len(found) == 1 else None
        return next((key for key in keys if hasattr(value, "not_" if key == "not" else key)), None)

    return Discriminator(
        kind,
        custom_error_type=what,
        custom_error_message=f"a {what} is an object with exactly one of {', '.join(keys)}",
    )
