"""Reading the label a detector was asked for: the whole answer is one accepted word, in documented wrappers, or an error.

Nothing is searched for *inside* words, so negation, prose, two labels and an echo of the prompt can never become a class.
Each wrapper comes off at most once. What is accepted is the data below; it never changes once results name its version.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import NamedTuple

from core.schemas.detections import DetectionError
from core.schemas.snapshots import Label

PARSER = "two-label-v1"
"""Name and version of this contract, for summaries."""

WORDS = {
    Label.FRAUD: ("fraud", "诈骗", "詐騙"),
    Label.NONFRAUD: ("nonfraud", "non-fraud", "non_fraud", "non fraud", "非诈骗", "非詐騙"),
}
"""Accepted words in both languages, folded."""

FIELDS = ("label", "answer", "标签", "標籤", "答案")
"""Names of the field of a JSON object, and of a prefix with a colon, folded."""

QUOTES = ('""', "''", "``", "“”", "‘’", "「」", "『』")
"""Pairs of quotes around the answer."""

STOPS = ".。!"
"""One mark that may end the answer, folded. A comma promises more words, and a question mark is doubt."""

APOLOGIES = ("i'm sorry", "i am sorry", "sorry", "i apologize", "i apologise", "抱歉", "很抱歉", "对不起", "非常抱歉")
"""What may precede a refusal, folded."""

REFUSALS = (
    "i cannot", "i can't", "i can not", "i am unable", "i'm unable", "i am not able", "i'm not able", "i will not", "i won't",
    "i must decline", "as an ai", "as a language model",
    "我无法", "我不能", "我没法", "无法协助", "无法提供", "无法回答", "无法判断", "不能提供", "不便回答",
    "作为ai", "作为人工智能", "作为一个ai", "作为一个人工智能", "作为一名ai", "作为语言模型", "作为一个语言模型",
)  # fmt: skip
"""How an answer begins that is a refusal, folded."""

_BY_WORD = {word: label for label, words in WORDS.items() for word in words}
_TAG = r"(?:think|thinking|reasoning)"
_THOUGHTS = re.compile(rf"(?:\s*<{_TAG}>.*?</{_TAG}>)+", re.DOTALL | re.IGNORECASE)
_OPENING = re.compile(rf"<{_TAG}>", re.IGNORECASE)
_CLOSING = re.compile(rf"</{_TAG}>", re.IGNORECASE)
_FENCE = re.compile(r"(```|~~~)(?:json|text|txt|plaintext)?[ \t]*\r?\n(.*)\n[ \t]*\1", re.DOTALL | re.IGNORECASE)
_BLANK = " \t\r\n\f\v\u00a0\u3000\u200b\u200c\u200d\u2060\ufeff"
"""Whitespace of both widths, and characters of no width."""
_ALIKE = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-") | dict.fromkeys("\u2018\u2019", "'"))
"""Typographic hyphens and apostrophes."""
_PREFIX = re.compile(rf"(?:{'|'.join(FIELDS)})\s*:", re.IGNORECASE)
_REFUSAL = re.compile(
    rf"(?:(?:{'|'.join(APOLOGIES)})[\s,.!;:。,、]*(?:(?:but|however)[\s,]*|但是?[\s,]*)?)?(?:{'|'.join(REFUSALS)})", re.IGNORECASE
)
_BARE_APOLOGY = re.compile(rf"(?:{'|'.join(APOLOGIES)})[\s.!。]*", re.IGNORECASE)


class Reading(NamedTuple):
    """What an answer says: a label, or why it is none; exactly one of the two is None."""

    label: Label | None
    error: DetectionError | None


def read_label(raw: str) -> Reading:
    """The label in `raw`, or the kind of error that it is: `empty`, `refusal` or `parse`. Never raises."""
    answer = _after_thoughts(raw).strip(_BLANK)
    if not answer:
        return Reading(None, DetectionError.EMPTY)
    word = _unwrapped(answer)
    label = None if word is None else _BY_WORD.get(word.casefold())
    if label is not None:
        return Reading(label, None)
    folded = _width_folded(answer).translate(_ALIKE)
    refused = _REFUSAL.match(folded) or _BARE_APOLOGY.fullmatch(folded)
    return Reading(None, DetectionError.REFUSAL if refused else DetectionError.PARSE)


def _after_thoughts(raw: str) -> str:
    """What follows the thoughts that an answer begins with; nothing where it was cut off while thinking.

    Some templates open the tag in the prompt, so a reply may hold its end alone. Tags elsewhere stay, and are no label.
    """
    if leading := _THOUGHTS.match(raw):
        return raw[leading.end() :]
    opening, closing = _OPENING.search(raw), list(_CLOSING.finditer(raw))
    if closing and not opening:
        return raw[closing[-1].end() :]
    return "" if opening and not raw[: opening.start()].strip(_BLANK) else raw


def _unwrapped(answer: str) -> str | None:
    """The word in its wrappers; None where a JSON object is not the one that was asked for."""
    if fence := _FENCE.fullmatch(answer):
        answer = fence[2].strip(_BLANK)
    if answer.startswith("{"):
        value = _only_field(answer)
        if value is None:
            return None
        answer = value
    text, left = _width_folded(answer), ["prefix", "stop", "quotes"]
    while left:
        for wrapper in left:
            inner = _peeled(text, wrapper)
            if inner is not None:
                text = inner.strip(_BLANK)
                left.remove(wrapper)
                break
        else:
            break
    return text.translate(_ALIKE)


def _peeled(text: str, wrapper: str) -> str | None:
    """`text` without one wrapper; None where it has none of this kind."""
    if wrapper == "prefix":
        prefix = _PREFIX.match(text)
        return text[prefix.end() :] if prefix else None
    if wrapper == "stop":
        return text[:-1] if len(text) > 1 and text[-1] in STOPS else None
    return text[1:-1] if len(text) > 2 and text[0] + text[-1] in QUOTES else None


def _only_field(answer: str) -> str | None:
    """The text of the one field of a JSON object; None where it has another name, more fields, or no text."""
    try:
        pairs = json.loads(answer, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    if len(pairs) != 1:  # a repeated field too: two labels are none
        return None
    name, value = pairs[0]
    return value if isinstance(value, str) and _width_folded(name).casefold() in FIELDS else None


def _width_folded(text: str) -> str:
    """NFKC, so that wide and narrow letters and marks are one, without blanks at either end."""
    return unicodedata.normalize("NFKC", text).strip(_BLANK)
