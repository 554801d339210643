"""E-mail addresses in English: spoken ("john dot smith at gmail dot com"), spelled, written, and any mixture of the three."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.spoken.english.numerals import UNITS
from core.spoken.english.sentence import FUNCTION_WORDS, Sentence

_VALID = re.compile(r"[a-z0-9](?:[a-z0-9._+-]*[a-z0-9])?@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}")
_SIGNS = {"dot": ".", "period": ".", "underscore": "_", "_": "_", "dash": "-", "hyphen": "-", "minus": "-", "plus": "+", "+": "+"}
_SIGN_WORD = {".": "dot", "_": "underscore", "-": "dash", "+": "plus"}
_STOPS = FUNCTION_WORDS | frozenset(
    """email mail e-mail address contact reach write send use account username login spelled spell spelling name under called
    says reads""".split()
)
_FILLERS = (("all", "one", "word"), ("all", "lowercase"), ("all", "lower", "case"), ("no", "spaces"))
_TLDS = frozenset("com org net edu gov io co uk us de fr in info biz me ai app dev ca au example test".split())


@dataclass(frozen=True, slots=True)
class SaidEmail:
    """An address said over the tokens `first` to `last` (exclusive)."""

    first: int
    last: int
    text: str


def find_emails(sentence: Sentence) -> list[SaidEmail]:
    """Every complete address, in order."""
    found: list[SaidEmail] = []
    for index, token in enumerate(sentence.tokens):
        if token.fold not in ("@", "at") or (found and index < found[-1].last):
            continue
        start = index + 2 if sentence.fold(index + 1) == "sign" else index + 1
        domain = _domain(sentence, start)
        if domain is None:
            continue
        local = _local(sentence, index)
        if local is None:
            continue
        address = f"{local[1]}@{domain[0]}"
        if _VALID.fullmatch(address):
            found.append(SaidEmail(local[0], domain[1], address))
    return found


def _spelled(sentence: Sentence, index: int) -> bool:
    word = sentence.fold(index)
    return len(word) == 1 and word.isalnum()


def _atom(sentence: Sentence, index: int) -> tuple[str, int] | None:
    """The characters a token adds to a domain, and the token after it."""
    chunk = sentence.at.get(index)
    if chunk is not None and chunk.whole:
        return chunk.digits, chunk.last
    word = sentence.fold(index)
    return (word, index + 1) if word.isalnum() and word.isascii() else None


def _domain(sentence: Sentence, index: int) -> tuple[str, int] | None:
    """Labels and dots from token `index` on, and the token after them."""
    labels: list[str] = []
    current, at, pending = "", index, False
    last = index
    while at < len(sentence.tokens):
        gap = sentence.tokens[at].gap
        word = sentence.fold(at)
        if current and gap.strip() == "." and (gap == "." or word in _TLDS):
            labels.append(current)
            current, pending = "", True
        elif gap.strip() not in ("", "-", ",") or (gap.strip() == "," and at > index and not _both_spelled(sentence, at)):
            break
        if word in ("dot", "period") and current:
            labels.append(current)
            current, pending, at = "", True, at + 1
            continue
        if word in ("dash", "hyphen") and current:
            current, at = f"{current}-", at + 1
            continue
        atom = _atom(sentence, at)
        if atom is None:
            break
        if current and not current.endswith("-"):
            if gap.strip() == "-" and not _both_spelled(sentence, at):
                current += "-"
            elif labels and not (_both_spelled(sentence, at) and current not in _TLDS):
                break
        if not labels and word in FUNCTION_WORDS and not _spelled(sentence, at):
            break
        current, at, pending = current + atom[0], atom[1], False
        last = at
    if not labels or pending or not current:
        return None
    return ".".join([*labels, current]), last


def _both_spelled(sentence: Sentence, index: int) -> bool:
    return index > 0 and _spelled(sentence, index) and _spelled(sentence, index - 1)


def _local(sentence: Sentence, at_sign: int) -> tuple[int, str] | None:
    """What stands before the at sign: first token and characters. Words run back to a stop word, a comma or the start."""
    end = at_sign
    for filler in _FILLERS:
        if tuple(sentence.fold(end - len(filler) + place) for place in range(len(filler))) == filler:
            end -= len(filler)
            break
    text, at, need = "", end, True
    first = end
    while at > 0:
        index = at - 1
        chunk = sentence.ending.get(at)
        word = sentence.fold(index)
        gap_after = sentence.tokens[at].gap if at < len(sentence.tokens) else ""
        if text:
            sign = _sign_in_gap(sentence, at, gap_after)
            if sign is None:
                break
            if sign:
                text, need = sign + text, True
        elif gap_after.strip() not in ("", ","):
            return None
        if word in _SIGNS and text and not need:
            text, need, at = _SIGNS[word] + text, True, index
            continue
        if chunk is not None and chunk.whole:
            text, need, at = chunk.digits + text, False, chunk.first
        elif word.isalnum() and word.isascii():
            if not need and word in _STOPS and not (_spelled(sentence, index) and _spelled(sentence, at)):
                break
            if need and not text and word in _STOPS and not sentence.glued(at):
                break
            repeat = 2 if len(word) == 1 and sentence.fold(index - 1) == "double" else 1
            text, need, at = word * repeat + text, False, index - (repeat - 1)
        else:
            break
        first = at
    return (first, text) if text and not need else None


def _sign_in_gap(sentence: Sentence, index: int, gap: str) -> str | None:
    """The sign that the gap before token `index` stands for; None where the address cannot reach across it."""
    bare = gap.strip()
    if bare == "":
        return ""
    if bare == "." and (gap != ". " or (sentence.tokens[index].text[0].islower() and sentence.fold(index - 1) not in _STOPS)):
        return "" if _both_spelled(sentence, index) and gap != "." else "."
    if bare == "-":
        return "" if _both_spelled(sentence, index) else "-"
    if bare == "," and _both_spelled(sentence, index):
        return ""
    return None


def say_email(address: str) -> str:
    """ "maria.santos@example.com" is "maria dot santos at example dot com"; words that would mislead are spelled."""
    return _verbalise(address, spell=False)


def spell_email(address: str) -> str:
    """The same with every word before the at sign spelled."""
    return _verbalise(address, spell=True)


def _verbalise(address: str, spell: bool) -> str:
    local, _, domain = address.partition("@")
    spoken = [_say_part(part, spell) for part in re.findall(r"[a-z]+|\d|[._+-]", local)]
    host = [_say_part(part, False) for part in re.findall(r"[a-z]+|\d|[.-]", domain)]
    return f"{' '.join(spoken)} at {' '.join(host)}"


def _say_part(part: str, spell: bool) -> str:
    if part.isdigit():
        return UNITS[int(part)]
    if part in _SIGN_WORD:
        return _SIGN_WORD[part]
    return " ".join(part.upper()) if spell else part
