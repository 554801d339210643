"""Reading speech sentence by sentence: questions, and whether it is in the required script and language."""

from __future__ import annotations

import re

from core.scripts import scripts_of
from core.text import nfkc_casefold, script_share

AGENT_SCRIPT_SHARE = 0.9
"""Smallest share of an agent message's letters that must be in the required script."""

MIN_ENGLISH_SHARE = 0.2
"""Smallest share of everyday English words in an English message of eight words or more."""

MIN_WORDS_TO_TELL = 8
"""Fewest words by which English can be told."""

_EVERYDAY_ENGLISH = frozenset(
    """the and of for with you your you're this that that's it it's its have has had are be been we we'll we're my our from
    at by not can can't could would should please thank thanks what when which where who there any is to i i'll i'm i've an
    a in on was were will do does don't did or but if so as me no yes how let up out one two three four five six seven
    eight nine ten zero oh hundred thousand am pm o'clock good""".split()
)
_SENTENCE = re.compile(r"[^.!?。！？।؟\n]+(?:[.!?。！？।؟]+|\n|$)")
_LEAD = r"(?:and|so|okay|ok|alright|all right|now|then|first|next|also|sorry|thanks|thank you|[,\s])*"
_REQUEST = re.compile(
    rf"{_LEAD}(?:please|tell me|give me|spell|repeat|read me|say|i(?:'ll| will)? need|can you|could you|would you|"
    r"may i|can i have|could i have|what|which|when|where|who|how|do you|is there)\b",
    re.IGNORECASE,
)
_LATIN_ACRONYM = re.compile(r"\b[A-Z]{2,}\b")


def sentences(text: str) -> list[str]:
    """The sentences of a text, each with its closing mark."""
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip()]


def is_question(sentence: str) -> bool:
    """Whether a sentence asks: it ends in a question mark, or opens like an English request (`please tell me ...`)."""
    asks = sentence.rstrip("\"' ").endswith(("?", "？", "؟"))
    return asks or _REQUEST.match(sentence) is not None


def right_language(text: str, language: str, script: str | None = None) -> bool:
    """Whether a message is in the language's script and, for English, reads like English.

    Without a script any of those the language is usually written in is right, and every one where that is not known. Letters
    are counted without Latin acronyms where the script is another one. A text without letters is right, and so is an English
    text of fewer than eight words, which is too short to tell.
    """
    allowed = (script,) if script else scripts_of(language)
    if "Latn" not in allowed:
        text = _LATIN_ACRONYM.sub(" ", text)
    if not any(char.isalpha() for char in text):
        return True
    if allowed and max(script_share(text, each) for each in allowed) < AGENT_SCRIPT_SHARE:
        return False
    return language.split("-")[0] != "en" or _reads_like_english(text)


def _reads_like_english(text: str) -> bool:
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", nfkc_casefold(text).replace("’", "'"))
    words = [word for word in words if len(word) > 1 or word in ("a", "i")]
    if len(words) < MIN_WORDS_TO_TELL:
        return True
    return sum(word in _EVERYDAY_ENGLISH for word in words) / len(words) >= MIN_ENGLISH_SHARE
