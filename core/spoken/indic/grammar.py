"""A language ready for use: its table folded, its numerals, and sentences cut by them.

Each sentence exists twice over the same tokens: in its own words, and as a *view* in which the words that values are made of
stand in English ("मार्च" as "march", "डॉट" as "dot", "क्यू" as "q", "रुपये" as "rupees"). Addresses, codes, ids, dates and amounts
have the same shape in all these languages, so one set of readers, the English one, understands the view; what has a shape of
its own, numerals, hours, relative days, names, is read from the words themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from core.spoken.english.clock import Half
from core.spoken.english.dates import MONTHS
from core.spoken.english.sentence import Sentence
from core.spoken.folding import Token
from core.spoken.indic.folded import folded, tokenise
from core.spoken.indic.numerals import Lexicon, Reader, make_lexicon
from core.spoken.indic.table import Table, Words, load_table

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_RUPEE = "₹"
_CONTENT, _FUNCTION = "øø", "is"
"""How the view writes a word that may be counted, and one that never is; the first is of no alphabet that addresses use."""
_WITHIN_SPELLING = ("", ",", "-", ".")
LABELS = frozenset("pan otp pnr upi gst kyc sim emi ifsc imei".split())
"""Latin abbreviations that stand before a code and are no part of it."""
_SPELLING = 3
"""How many names of letters in a row are a spelling, though each be an everyday word."""

Phrases = dict[str, tuple[tuple[str, ...], ...]]
"""Phrases as folded words, by their first word, longest first."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language's table, folded for look-up."""

    table: Table
    lexicon: Lexicon
    english: Mapping[str, str]
    """Folded word to the English word of the view."""
    letters: Mapping[str, str]
    weak_letters: frozenset[str]
    merged: Phrases
    """Phrases that are one word of the view: "ऐट द रेट"."""
    parts: Mapping[str, Half]
    """Parts of day."""
    function: frozenset[str]
    marks: frozenset[str]
    """Abbreviations of the rupee that stand before figures."""
    alike: Mapping[str, str]
    """Folded spelling to the spelling it is compared as."""
    short: Mapping[str, str]
    """Folded abbreviation to what it stands for."""
    fillers: frozenset[str]

    @property
    def code(self) -> str:
        """The primary subtag of the language."""
        return self.table.language


@dataclass(frozen=True, slots=True)
class Parsed:
    """A sentence in its own words, and its view in English."""

    grammar: Grammar
    own: Sentence
    view: Sentence


@lru_cache(maxsize=2048)
def words_of(*groups: Words) -> frozenset[str]:
    """Every word of the groups, folded."""
    return frozenset(folded(word) for group in groups for word in group)


@lru_cache(maxsize=2048)
def phrases(words: Words) -> Phrases:
    """Words and phrases by their first word, longest first."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for phrase in words:
        parts = tuple(token.fold for token in tokenise(phrase, lambda _: 0))
        if parts:
            table.setdefault(parts[0], []).append(parts)
    return {first: tuple(sorted(items, key=len, reverse=True)) for first, items in table.items()}


def phrase_at(sentence: Sentence, index: int, table: Phrases) -> int:
    """How many tokens the longest phrase at a token has, 0 where none stands there."""
    return next((len(phrase) for phrase in table.get(sentence.fold(index), ()) if sentence.has(index, phrase)), 0)


@lru_cache
def grammar_of(language: str) -> Grammar:
    """The grammar of a language by its primary subtag, made once."""
    table = load_table(language)
    money, clock, address = table.money, table.clock, table.address
    support = (*money.rupees, *money.cents, *money.dollars, *clock.hour, *clock.ambiguous, *clock.minute, table.signs.percent)
    halves: tuple[tuple[Half, Words], ...] = (
        ("am", clock.morning),
        ("pm", clock.noon),
        ("pm", clock.evening),
        ("night", clock.night),
    )
    lexicon = make_lexicon(language, table.numbers, support)
    return Grammar(
        table=table,
        lexicon=lexicon,
        english={folded(word): english for english, words in _english(table) for word in words}
        | {folded(lexicon.says[1]): "one"},
        letters=_letters(table),
        weak_letters=words_of(table.weak_letters),
        merged=phrases(tuple(word for word in address.at if " " in word)),
        parts={folded(word): half for half, words in halves for word in words},
        function=words_of(table.talk.function),
        marks=words_of(money.marks),
        alike={folded(word): folded(full) for word, full in table.short.items()}
        | {folded(word): folded(words[0]) for words in table.days.months for word in words}
        | {folded(word): folded(standard) for standard, words in table.alike.items() for word in words},
        short={folded(word): full for word, full in table.short.items()},
        fillers=words_of(table.talk.fillers),
    )


def _english(table: Table) -> Iterator[tuple[str, Words]]:
    """The words of the view; what comes later wins."""
    days, money, address, percent = table.days, table.money, table.address, table.signs.percent
    yield _FUNCTION, table.talk.function
    yield "minute", (*table.clock.minute, *table.talk.moments)
    yield from (("and", table.signs.conjunction), ("percent", (percent, *table.alike.get(percent, ()))))
    yield from address.hosts.items()
    yield from (("dot", address.dot), ("underscore", address.underscore), ("dash", address.dash), ("plus", address.plus))
    yield "at", address.at
    yield from (("rupees", money.rupees), ("cents", money.cents), ("dollars", money.dollars), ("pounds", money.pounds))
    yield "euros", money.euros
    for name, words in zip(MONTHS, days.months, strict=True):
        yield name.lower(), (*words, *(word + ending for word in words for ending in days.month_endings))
    yield from zip(WEEKDAYS, days.weekdays, strict=True)
    yield from (("today", days.today), ("tomorrow", days.tomorrow), ("yesterday", days.yesterday))
    yield from (("next", days.next), ("this", days.this), ("last", days.last))


def _letters(table: Table) -> dict[str, str]:
    """Folded name to letter, without names that two letters share: in Tamil B is P."""
    named = [(folded(word), letter) for letter, words in table.letters.items() for word in words]
    shared = {word for word, letter in named if any(word == other and letter != another for other, another in named)}
    return {word: letter for word, letter in named if word not in shared}


@lru_cache(maxsize=1024)
def parse(text: str, language: str) -> Parsed:
    """Cut `text`; the same text is cut once."""
    grammar = grammar_of(language)
    tokens = _merged(tokenise(text, grammar.lexicon.split), grammar)
    chunks = tuple(Reader(tokens, grammar.lexicon).chunks())
    at, ending = {chunk.first: chunk for chunk in chunks}, {chunk.last: chunk for chunk in chunks}
    own = Sentence(text, tuple(tokens), chunks, at, ending)
    folds = [_seen(own, index, grammar) for index in range(len(tokens))]
    marked = [index > 0 and folds[index - 1] == _RUPEE for index in range(len(tokens))]
    view = tuple(
        replace(token, fold=seen, gap=" " if after else token.gap, text=_CONTENT if seen == _CONTENT else token.text)
        for token, seen, after in zip(tokens, folds, marked, strict=True)
    )
    return Parsed(grammar, own, Sentence(text, view, chunks, at, ending))


def _merged(tokens: list[Token], grammar: Grammar) -> list[Token]:
    """Phrases that stand for one sign as one token."""
    plain = Sentence("", tuple(tokens), (), {}, {})
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        size = phrase_at(plain, index, grammar.merged) or 1
        first, last = tokens[index], tokens[index + size - 1]
        fold = first.fold if size == 1 else folded(grammar.table.address.at[0])
        kept.append(replace(first, fold=fold, end=last.end, text=first.text if size == 1 else fold))
        index += size
    return kept


def _seen(own: Sentence, index: int, grammar: Grammar) -> str:
    """A token as the view writes it."""
    word = own.fold(index)
    if word in grammar.marks and index + 1 in own.at and own.gap(index + 1) in ("", "."):
        return _RUPEE
    if word in LABELS:
        return _CONTENT
    if word.isascii() or word in "£€₹":
        return word
    letter = _letter(own, index, grammar)
    if letter:
        return letter
    if word in grammar.english:
        return grammar.english[word]
    times = grammar.lexicon.repeats.get(word)
    return {2: "double", 3: "triple"}.get(times or 0, _CONTENT)


def _letter(own: Sentence, index: int, grammar: Grammar) -> str:
    """The Latin letter that a token names; an everyday word does so only beside a sure letter or among three and more.

    Parted by a comma from the digits of a code it does too: "बी, चार नौ, पी" is B49P, "बी चार नौ के" is not.
    """
    letter = grammar.letters.get(own.fold(index), "")
    numerals = _numerals(own)
    if not letter or index in numerals:
        return ""
    first, last = _run(own, index, grammar, set())
    if last - first >= _SPELLING or _any_sure(own, max(first, index - 1), min(last, index + 2), grammar):
        return letter
    parted = (own.gap(index) == "," and index - 1 in numerals) or (own.gap(index + 1) == "," and index + 1 in numerals)
    return letter if parted and _any_sure(own, *_run(own, index, grammar, numerals), grammar) else ""


def _run(own: Sentence, index: int, grammar: Grammar, bridges: set[int]) -> tuple[int, int]:
    """The names of letters around a token, reaching across the tokens `bridges`: the first, and the token after the last."""
    first, last = index, index + 1
    while first and (_may_be_letter(own, first - 1, grammar) or first - 1 in bridges) and own.gap(first) in _WITHIN_SPELLING:
        first -= 1
    while (_may_be_letter(own, last, grammar) or last in bridges) and own.gap(last) in _WITHIN_SPELLING:
        last += 1
    return first, last


def _any_sure(own: Sentence, first: int, last: int, grammar: Grammar) -> bool:
    return any(_may_be_letter(own, at, grammar) and own.fold(at) not in grammar.weak_letters for at in range(first, last))


def _may_be_letter(own: Sentence, index: int, grammar: Grammar) -> bool:
    word = own.fold(index)
    return word in grammar.letters or (len(word) == 1 and word.isascii() and word.isalpha())


def _numerals(own: Sentence) -> set[int]:
    return {at for chunk in own.chunks for at in range(chunk.first, chunk.last)}
