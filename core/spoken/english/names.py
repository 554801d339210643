"""Names in English: after a cue ("my name is", "this is", "last name"), alone, and spelled; the spelling wins over the word."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from core.spoken.english.function_words import FUNCTION_WORDS
from core.spoken.english.letters import Letters, find_spelled
from core.spoken.english.sentence import Sentence

_STRONG = (
    ("my", "name", "is"), ("my", "name's"), ("the", "name", "is"), ("the", "name's"), ("name", "is"), ("call", "me"),
    ("under", "the", "name", "of"), ("under", "the", "name"), ("full", "name"), ("in", "the", "name", "of"),
)  # fmt: skip
_WEAK = (("this", "is"), ("i", "am"), ("i'm",), ("it's",), ("it", "is"), ("name",), ("for",), ("under",), ("here", "is"))
_FIRST = (("first", "name", "is"), ("first", "name"), ("given", "name", "is"), ("given", "name"))
_LAST = (
    ("last", "name", "is"), ("last", "name"), ("surname", "is"), ("surname",), ("family", "name", "is"), ("family", "name"),
)  # fmt: skip
_PARTICLES = frozenset("van von der den de la del da di du le al bin ibn ben dos das mac san st".split())
_TITLES = frozenset("mr mrs ms miss mister dr doctor prof professor sir madam".split())
_FILLERS = frozenset(
    "yes yeah sure hi hello hey uh um well okay ok so oh and it's that's it is that please here speaking".split()
)
_TAILS = _FILLERS | {"spelled", "spelt"}
_NO_NAME = FUNCTION_WORDS | frozenset(
    """hi hello hey good morning afternoon evening thanks yep nope correct wrong spelled spell spelling spelt name last first
    calling speaking here number account email address sorry maybe actually hold wait moment sure well uh um sir madam
    monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday double letter letters
    january february march july september october november december street road avenue lane drive
    goodbye bye let's that'll what's one two three four five six seven eight nine ten zero dot""".split()
)

_ALIKE = 0.5
"""Share of letters in common from which a spelled word is the heard one."""


@dataclass(frozen=True, slots=True)
class SaidName:
    """A name said over the tokens `first` to `last` (exclusive)."""

    first: int
    last: int
    text: str


def title_case(name: str) -> str:
    """Title case, keeping capitals that are there: "margaret okafor" is "Margaret Okafor", "McDonald" stays."""
    return " ".join(_title(word) for word in name.split())


def _title(word: str) -> str:
    if not (word.islower() or (word.isupper() and len(word) > 2)) or word in _PARTICLES:
        return word
    return re.sub(r"(^|[-'\u2019])(\w)", lambda match: match.group(1) + match.group(2).upper(), word.lower())


def find_names(sentence: Sentence, taken: Set[int]) -> list[SaidName]:
    """Every name said after a cue or standing alone outside the tokens `taken`, corrected by what was spelled."""
    spelled = [word for word in find_spelled(sentence) if word.last not in sentence.at]
    covered = taken | {index for word in spelled for index in range(word.first, word.last)}
    named = _whole_name(sentence, covered, spelled) or _cued(sentence, covered)
    if not named:
        alone = _alone(sentence, covered)
        named = [alone] if alone is not None else []
    if not spelled:
        return named
    return _corrected(sentence, named, spelled)


def _cue(sentence: Sentence, index: int, cues: tuple[tuple[str, ...], ...]) -> int:
    """The token after the first of the cues that starts at `index`, 0 for none."""
    return next((index + len(cue) for cue in cues if cue[0] == sentence.fold(index) and sentence.has(index, cue)), 0)


def _words(sentence: Sentence, index: int, covered: Set[int], capital: bool) -> SaidName | None:
    """Up to four name words from token `index` on."""
    while sentence.fold(index) in _TITLES:
        index += 1
    last = index
    while last < len(sentence.tokens) and last - index < 4 and last not in covered:
        token = sentence.tokens[last]
        gap = token.gap.strip()
        if last > index and gap not in ("", "-"):
            break
        if not token.fold[0].isalpha() or token.fold in _NO_NAME:
            break
        if capital and not token.text[0].isupper() and not (last > index and token.fold in _PARTICLES):
            break
        last += 1
    initials = any(len(sentence.fold(at)) == 1 for at in (index, last - 1))
    if last == index or initials or (last in sentence.at and sentence.gap(last) in ("", "-")):
        return None
    start, end = sentence.span(index, last)
    return SaidName(index, last, title_case(sentence.text[start:end]))


def _whole_name(sentence: Sentence, covered: Set[int], spelled: list[Letters]) -> list[SaidName]:
    """ "first name Maria, last name Santos", either half alone; a half may only be spelled."""
    halves: dict[str, SaidName] = {}
    for index in range(len(sentence.tokens)):
        for half, cues in (("first", _FIRST), ("last", _LAST)):
            at = _cue(sentence, index, cues)
            if not at or half in halves:
                continue
            if sentence.fold(at) in ("spelled", "spelt"):
                at += 1
            letters = next((word for word in spelled if word.first == at), None)
            name = (
                SaidName(letters.first, letters.last, title_case(letters.text))
                if letters is not None
                else _words(sentence, at, covered, capital=False)
            )
            if name is not None:
                halves[half] = name
    if "first" in halves and "last" in halves:
        first, last = halves["first"], halves["last"]
        return [SaidName(min(first.first, last.first), max(first.last, last.last), f"{first.text} {last.text}")]
    return list(halves.values())


def _cued(sentence: Sentence, covered: Set[int]) -> list[SaidName]:
    found: list[SaidName] = []
    for index in range(len(sentence.tokens)):
        if found and index < found[-1].last:
            continue
        strong = _cue(sentence, index, _STRONG)
        at = strong or _cue(sentence, index, _WEAK)
        name = _words(sentence, at, covered, capital=not strong) if at else None
        if name is not None:
            found.append(name)
    return found


def _alone(sentence: Sentence, covered: Set[int]) -> SaidName | None:
    """A text that is nothing but a name, polite words and a spelling around it."""
    indices = [index for index in range(len(sentence.tokens)) if index not in covered]
    while indices and sentence.fold(indices[0]) in _FILLERS:
        indices.pop(0)
    while indices and sentence.fold(indices[-1]) in _TAILS:
        indices.pop()
    if not 1 <= len(indices) <= 4 or indices[-1] - indices[0] != len(indices) - 1:
        return None
    name = _words(sentence, indices[0], covered, capital=False)
    return name if name is not None and name.last == indices[-1] + 1 else None


def _corrected(sentence: Sentence, named: list[SaidName], spelled: list[Letters]) -> list[SaidName]:
    """Put each spelled word in place of the heard word it resembles; with nothing named, the spelling is the name.

    "Aconquo, spelled O K O N K W O": letters announced right behind a name are its last word, however little it resembles them.
    """
    if not named:
        text = " ".join(title_case(letters.text) for letters in spelled)
        adjacent = all(left.last == right.first for left, right in pairwise(spelled))
        return [SaidName(spelled[0].first, spelled[-1].last, text)] if adjacent else []
    names = list(named)
    for letters in spelled:
        alike = [
            (SequenceMatcher(None, word.lower(), letters.text, autojunk=False).ratio(), number, place)
            for number, name in enumerate(names)
            for place, word in enumerate(name.text.split())
        ]
        ratio, number, place = max(alike)
        announced = sentence.fold(letters.first - 1) in ("spelled", "spelt")
        if ratio < _ALIKE and announced and names[-1].last == letters.first - 1:
            ratio, number, place = _ALIKE, len(names) - 1, len(names[-1].text.split()) - 1
        if ratio >= _ALIKE:
            words = names[number].text.split()
            words[place] = title_case(letters.text)
            first, last = min(names[number].first, letters.first), max(names[number].last, letters.last)
            names[number] = SaidName(first, last, " ".join(words))
    return names
