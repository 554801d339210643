"""Letters said one by one: "O K A F O R", "O-K-A-F-O-R", "double t", "B as in bravo", "bravo kilo"."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from core.spoken.english.sentence import Sentence

NATO = {
    word[0]: word
    for word in (
        "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra "
        "tango uniform victor whiskey xray yankee zulu"
    ).split()
}
_NATO_WORD = {word: letter for letter, word in NATO.items()} | {"alfa": "a", "juliett": "j", "whisky": "w"}
ACRONYMS = frozenset("ok id pin am pm us uk tv no zip po vip atm faq eta asap dob ssn usa mr ms dr st apt ave rd cvv".split())
"""Words in capitals that are no letters of a spelling or a code."""
_ANNOUNCE = frozenset({"spelled", "spelt", "spelling"})


@dataclass(frozen=True, slots=True)
class Letters:
    """Letters (lower case) said over the tokens `first` to `last` (exclusive)."""

    first: int
    last: int
    text: str
    plain: bool = True
    """Said as letters alone, no "as in bravo"."""


def letter_at(sentence: Sentence, index: int) -> Letters | None:
    """One said letter from token `index` on: "k", "double t", "k as in kilo", or a phonetic word beside another letter."""
    word = sentence.fold(index)
    if len(word) == 1 and word.isalpha():
        return _explained(sentence, index, word)
    if word in ("double", "triple") and _is_letter(sentence.fold(index + 1)) and sentence.gap(index + 1) == "":
        return Letters(index, index + 2, sentence.fold(index + 1) * (2 if word == "double" else 3))
    if word in _NATO_WORD and any(_phonetic(sentence.fold(at)) for at in (index - 1, index + 1)):
        return Letters(index, index + 1, _NATO_WORD[word], plain=False)
    return None


def _is_letter(word: str) -> bool:
    return len(word) == 1 and word.isalpha()


def _phonetic(word: str) -> bool:
    return word in _NATO_WORD


def _explained(sentence: Sentence, index: int, letter: str) -> Letters:
    """ "B as in bravo". A word of the phonetic alphabet is surer than the letter heard before it."""
    second, third = sentence.fold(index + 1), sentence.fold(index + 2)
    if second in ("as", "is") and third in ("in", "an"):
        at = index + 3
    elif second in ("for", "like"):
        at = index + 2
    else:
        return Letters(index, index + 1, letter)
    word = sentence.fold(at)
    if word == "x" and sentence.fold(at + 1) == "ray":
        return Letters(index, at + 2, "x", plain=False)
    if word in _NATO_WORD:
        return Letters(index, at + 1, _NATO_WORD[word], plain=False)
    if len(word) > 1 and word[0] == letter:
        return Letters(index, at + 1, letter, plain=False)
    return Letters(index, index + 1, letter)


def find_spelled(sentence: Sentence, minimum: int = 3) -> list[Letters]:
    """Runs of at least `minimum` letters, joined into words; a comma parts two words where most letters have none between."""
    found: list[Letters] = []
    index = 0
    while index < len(sentence.tokens):
        items = _run(sentence, index)
        if not items:
            index += 1
            continue
        for word in _split(sentence, items):
            text = "".join(item.text for item in word)
            if len(text) >= minimum:
                found.append(Letters(word[0].first, word[-1].last, text, all(item.plain for item in word)))
        index = items[-1].last
    return found


def _run(sentence: Sentence, index: int) -> list[Letters]:
    items: list[Letters] = []
    while index < len(sentence.tokens):
        if items and sentence.gap(index) not in ("", "-", ",", ".", "...", ".,"):
            break
        item = letter_at(sentence, index) or _group_at(sentence, index, begun=any(item.text not in "ai" for item in items))
        if item is None:
            break
        items.append(item)
        index = item.last
    return items


def _group_at(sentence: Sentence, index: int, begun: bool) -> Letters | None:
    """Letters written together: "AFOR" after other letters or after "spelled", and "okay" for O K before more letters."""
    token = sentence.tokens[index]
    announced = begun or sentence.fold(index - 1) in _ANNOUNCE
    following = sentence.tokens[index + 1].text if index + 1 < len(sentence.tokens) else ""
    if token.fold in ("okay", "ok") and announced and following.isupper():
        return Letters(index, index + 1, "ok")
    capitals = token.text.isupper() and token.fold.isalpha() and len(token.fold) <= 10 and token.fold not in ACRONYMS
    if (
        capitals
        and not sentence.text.isupper()
        and (announced or (sentence.gap(index + 1) == "-" and _is_letter(sentence.fold(index + 1))))
    ):
        return Letters(index, index + 1, token.fold)
    return None


def _split(sentence: Sentence, items: list[Letters]) -> list[list[Letters]]:
    """Cut a run where the pause is longer than most: a full stop among commas, either of them among spaces and hyphens."""
    gaps = [sentence.gap(item.first) for item in items[1:]]
    weak = ("", "-") if 2 * sum(gap in ("", "-") for gap in gaps) > len(gaps) else ("", "-", ",")
    cuts = [place for place, gap in enumerate(gaps, start=1) if gap not in weak]
    if len(items) < 4 or 2 * len(cuts) >= len(gaps):
        return [items]
    return [items[start:end] for start, end in pairwise([0, *cuts, len(items)])]
