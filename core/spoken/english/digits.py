"""Ids in English: runs of digits however they are grouped ("four four one, two nine zero seven", "441-2907"), and codes
of letters and digits ("Q X three three eight zero five", "QX-338805", "B as in bravo, seven four one").

Breath groups parted by spaces, hyphens, commas or full stops are one id. A last group that counts something ("441 2907,
3 nights") is not part of it, nor are ordinals, decimals, amounts, dates and times.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from core.spoken.english.letters import ACRONYMS, letter_at
from core.spoken.english.numerals import Chunk
from core.spoken.english.sentence import Sentence, is_content, is_pronoun

_DASHES = frozenset({"dash", "hyphen"})


@dataclass(frozen=True, slots=True)
class SaidDigits:
    """Digits, or letters and digits, said over the tokens `first` to `last` (exclusive)."""

    first: int
    last: int
    text: str


def joins(sentence: Sentence, index: int) -> bool:
    """Whether the gap before token `index` can stand inside an id."""
    return not sentence.tokens[index].gap.strip(" ,.-()'\"\t\n")


def digits_of(chunk: Chunk) -> str:
    """What a chunk contributes to an id, empty when it cannot: ordinals and true decimals do not."""
    if chunk.ordinal or chunk.share is not None:
        return ""
    if chunk.fraction:
        return chunk.digits + chunk.fraction if chunk.literal and len(chunk.fraction) > 2 else ""
    return chunk.digits


def find_runs(sentence: Sentence, taken: Set[int]) -> list[list[Chunk]]:
    """Chunks grouped into ids, leaving out the tokens `taken` by dates, times and amounts."""
    runs: list[list[Chunk]] = []
    for chunk in sentence.chunks:
        if chunk.first in taken or not digits_of(chunk):
            continue
        if runs and _continues(sentence, runs[-1][-1], chunk):
            runs[-1].append(chunk)
        else:
            runs.append([chunk])
    return [part for run in runs for part in _without_counted(sentence, run)]


def _continues(sentence: Sentence, before: Chunk, chunk: Chunk) -> bool:
    between = range(before.last, chunk.first)
    if any(sentence.fold(at) not in _DASHES and sentence.sign(at) != "dot" for at in between) or len(between) > 1:
        return False
    if not all(joins(sentence, at) for at in range(before.last, chunk.first + 1)):
        return False
    pause = sentence.gap(chunk.first) in (",", ".")
    whole = before.literal and chunk.literal and min(len(before.digits), len(chunk.digits)) >= 5
    return not (pause and whole)


def _without_counted(sentence: Sentence, run: list[Chunk]) -> list[list[Chunk]]:
    """Part a last group that counts a noun from the id before it, where a comma or full stop stands between."""
    last = run[-1]
    if len(run) > 1 and sentence.gap(last.first) not in ("", "-") and is_content(sentence, last.last):
        return [run[:-1], [last]]
    return [run]


def find_digits(sentence: Sentence, taken: Set[int]) -> list[SaidDigits]:
    """Every id of digits only."""
    found: list[SaidDigits] = []
    for run in find_runs(sentence, taken):
        first, last = run[0].first, run[-1].last
        text = "".join(digits_of(chunk) for chunk in run)
        counted = _is_number(sentence, first, last) or (len(run) == 1 and len(text) < 5 and is_content(sentence, last))
        if counted or (len(run) == 1 and is_pronoun(sentence, run[0])) or _in_letters(sentence, first, last):
            continue
        found.append(SaidDigits(first, last, text))
    return found


def _is_number(sentence: Sentence, first: int, last: int) -> bool:
    """Whether a sign beside figures makes them a number: 3–5, -5, 20°."""
    beside = sentence.sign(first - 1), sentence.sign(last)
    return sentence.fold(first - 1) == "minus" or not set(beside) <= {"", "dot"}


def _in_letters(sentence: Sentence, first: int, last: int) -> bool:
    """Whether the run is the digit part of a code, an address or a fraction."""
    before, after = sentence.fold(first - 1), sentence.fold(last)
    if (before in ("/", "@", "_", "&") and sentence.glued(first)) or (after in ("/", "@", "_", "&") and sentence.glued(last)):
        return True
    if sentence.glued(last) and after.isalpha():
        return True
    if first == 0 or not before.isalpha():
        return False
    if sentence.glued(first) or sentence.tokens[first].gap == "-":
        return True
    return len(before) == 1 and before not in ("a", "i") and joins(sentence, first) and "." not in sentence.gap(first)


def find_codes(sentence: Sentence, taken: Set[int]) -> list[SaidDigits]:
    """Every code; where no letters and digits stand together, spelled letters, and failing those an id of digits."""
    runs: list[SaidDigits] = []
    index = 0
    while index < len(sentence.tokens):
        run = _code(sentence, index, taken)
        if run is None:
            index += 1
            continue
        runs.append(run)
        index = run.last
    mixed = [run for run in runs if not run.text.isalpha() and not run.text.isdecimal()]
    if mixed:
        return mixed
    spelled = [run for run in runs if run.text.isalpha() and len(run.text) >= 3]
    return spelled or [run for run in find_digits(sentence, taken) if len(run.text) >= 4]


def _code(sentence: Sentence, index: int, taken: Set[int]) -> SaidDigits | None:
    items: list[SaidDigits] = []
    at = index
    while at < len(sentence.tokens):
        if items and not joins(sentence, at):
            break
        if items and sentence.fold(at) in _DASHES:
            at += 1
            continue
        item = _item(sentence, at, taken)
        if item is None:
            break
        items.append(item)
        at = item.last
    items = _trimmed(sentence, items)
    if not items:
        return None
    return SaidDigits(items[0].first, items[-1].last, "".join(item.text for item in items).upper())


def _item(sentence: Sentence, index: int, taken: Set[int]) -> SaidDigits | None:
    if index in taken:
        return None
    chunk = sentence.at.get(index)
    if chunk is not None:
        digits = digits_of(chunk)
        return SaidDigits(index, chunk.last, digits) if digits else None
    if _is_unit(sentence, index):
        return None
    letter = letter_at(sentence, index)
    if letter is not None:
        return SaidDigits(letter.first, letter.last, letter.text)
    token = sentence.tokens[index]
    if not token.fold.isascii() or not token.fold.isalpha() or len(token.fold) > 6:
        return None
    beside_digits = (sentence.glued(index + 1) and index + 1 in sentence.at) or (
        sentence.glued(index) and index in sentence.ending
    )
    hyphened = index + 1 in sentence.at and sentence.tokens[index + 1].gap == "-" and sentence.at[index + 1].literal
    capital = token.text.isupper() and len(token.fold) <= 4 and token.fold not in ACRONYMS
    if beside_digits or (hyphened and len(token.fold) <= 4) or capital:
        return SaidDigits(index, index + 1, token.fold)
    return None


def _is_unit(sentence: Sentence, index: int) -> bool:
    """Small letters at the end of a number, "5kg", "10k"."""
    after_digits = sentence.glued(index) and sentence.fold(index - 1).isdecimal()
    goes_on = sentence.glued(index + 1) and sentence.fold(index + 1).isdecimal()
    return after_digits and sentence.tokens[index].text.islower() and not goes_on


def _trimmed(sentence: Sentence, items: list[SaidDigits]) -> list[SaidDigits]:
    """Drop words at the front that only look like letters: "a 5", "I 441"; cut before a group that counts a noun."""
    while items and items[0].text in ("a", "i"):
        rest = items[1:]
        digits = sum(len(item.text) for item in rest if item.text.isdecimal())
        letters = [item for item in rest if item.text.isalpha()]
        gap = sentence.tokens[rest[0].first].gap if rest else " "
        if gap != " " or letters or (digits >= 3 and len(rest) > 1 and items[0].text == "a"):
            break
        items = rest
    pause = len(items) > 1 and items[-1].text.isdecimal() and sentence.gap(items[-1].first) in (",", ".")
    return items[:-1] if pause and is_content(sentence, items[-1].last) else items
