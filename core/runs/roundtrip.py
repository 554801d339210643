"""The agent's own speech there and back: errors of what was heard of each reply, and what in it no voice says as written."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.grading.measured.spoken_form import unspoken
from core.hearing import char_errors, word_errors
from core.runs.hearing import error_rate
from core.schemas.base import Condition
from core.schemas.call_trace import Message, Role, Trace
from core.schemas.roundtrip import ReplyRoundTrip, RoundTrip, Unsaid
from core.text import RAW, normaliser_of, script_share

ANOTHER_SCRIPT = "another script"


@dataclass(frozen=True)
class Echo:
    """What came back of one reply."""

    message: int
    """Index of the agent's message."""
    spoken: str
    """Its spoken form."""
    voice: str | None
    """The voice, if it was synthesised."""
    heard: str
    """What was understood; empty where nothing."""
    confidence: float | None = None
    """How sure the recogniser was."""
    silent: str = ""
    """Why nothing sounded."""


@dataclass(frozen=True)
class Totals:
    """Replies of one condition, pooled."""

    replies: int
    """Replies with words."""
    flagged: int
    """Replies that could not be said as written."""
    silent: int
    """Replies that did not sound at all."""
    wer: float | None
    """Summed word errors over summed words written; None without words."""


def replies(trace: Trace) -> tuple[Message, ...]:
    """The agent's messages that hold words to be said."""
    return tuple(message for message in trace.messages if message.role is Role.AGENT and message.content.strip())


def round_trip(case: str, trace: Trace, script: str, echo: Echo) -> ReplyRoundTrip:
    """One reply measured; `script` is the ISO 15924 script its language requires."""
    wrote, language = trace.messages[echo.message].content, trace.header.language
    name = normaliser_of(language)
    words, chars = ([count(wrote, echo.heard, each) for each in (name, RAW)] for count in (word_errors, char_errors))
    return ReplyRoundTrip(
        case=case,
        condition=trace.header.condition,
        message=echo.message,
        language=language,
        wrote=wrote,
        spoken=echo.spoken,
        voice=echo.voice,
        silent=echo.silent,
        heard=echo.heard,
        confidence=echo.confidence,
        wer=error_rate(words[:1], words[1:], name),
        cer=error_rate(chars[:1], chars[1:], name),
        unsaid=unsaid(wrote, script),
    )


def unsaid(text: str, script: str) -> tuple[Unsaid, ...]:
    """What in a reply no voice of a language in `script` says as written.

    Latin words are said in every language; a reply of nothing else is in another script all the same.
    """
    found = [*unspoken(text), *((ANOTHER_SCRIPT, word) for word in _foreign(text, script))]
    return tuple(Unsaid(what=what, text=piece) for what, piece in dict.fromkeys(found))


def totals(found: RoundTrip) -> dict[Condition, Totals]:
    """Condition to its replies, pooled."""
    by_condition: dict[Condition, list[ReplyRoundTrip]] = {}
    for reply in found.replies:
        by_condition.setdefault(reply.condition, []).append(reply)
    return {condition: _pooled(held) for condition, held in by_condition.items()}


def worst(found: RoundTrip, most: int) -> tuple[ReplyRoundTrip, ...]:
    """Replies that came back damaged or could not be said as written: silent ones, then flagged ones, then by word errors.

    A reply repeated in several calls stands for all of them once.
    """
    bad = [reply for reply in found.replies if reply.flagged or reply.wer.rate]
    bad.sort(key=lambda each: (not each.silent, not each.unsaid, -(each.wer.rate or 0)))
    once: dict[tuple[str, ...], ReplyRoundTrip] = {}
    for reply in bad:
        once.setdefault((reply.language, reply.wrote, reply.heard, reply.silent), reply)
    return tuple(once.values())[:most]


def of_traces(found: RoundTrip, identities: Mapping[str, str]) -> RoundTrip:
    """What was measured of exactly these traces: case to identity."""
    kept = {case for case, sha256 in found.traces.items() if identities.get(case) == sha256}
    return found.model_copy(update={"replies": tuple(reply for reply in found.replies if reply.case in kept)})


def _pooled(held: Sequence[ReplyRoundTrip]) -> Totals:
    reference = sum(reply.wer.reference for reply in held)
    edits = sum(reply.wer.substitutions + reply.wer.deletions + reply.wer.insertions for reply in held)
    return Totals(
        replies=len(held),
        flagged=sum(reply.flagged for reply in held),
        silent=sum(bool(reply.silent) for reply in held),
        wer=round(edits / reference, 6) if reference else None,
    )


def _foreign(text: str, script: str) -> Iterator[str]:
    """Words in neither the script nor Latin; in a text without any letter of the script, every word with a letter."""
    parted = "".join(" " if unicodedata.category(char)[0] in "PS" else char for char in text).split()
    words = [(word, [char for char in word if char.isalpha()]) for word in parted]
    native = any(script_share(char, script) for _word, letters in words for char in letters)
    for word, letters in words:
        if not all(script_share(char, script) or (native and script_share(char, "Latn")) for char in letters):
            yield word
