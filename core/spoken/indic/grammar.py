"""A language ready for use: its table folded, its numerals, and sentences cut by them.

Each sentence exists twice over the same tokens: in its own words, and as a *view* in which the words that values are made of
stand in English ("मार्च" as "march", "डॉट" as "dot", "क्यू" as "q", "रुपये" as "rupees"). Addresses, codes, ids, dates and amounts
have the same shape in all these languages, so one set of readers, the English one, understands the view; what has a shape of
its own, numerals, hours, relative days, names, is read from the words themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from core.spoken.english.calendar_names import MONTHS
from core.spoken.english.clock import Half
from core.spoken.english.sentence import Sentence
from core.spoken.folding import Token
from core.spoken.indic.folded import folded, tokenise
from core.spoken.indic.marks import DASHES, Signs, with_marks
from core.spoken.indic.numerals import Lexicon, Reader, make_lexicon
from core.spoken.indic.table import Table, Words, load_table

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SIGNS = {"$": "$", "usd": "$", "£": "£", "gbp": "£", "€": "€", "eur": "€", "₹": "₹"}
"""How the view writes what stands before an amount for its currency, in every language."""
_CONTENT, _FUNCTION = "øø", "·"
"""How the view writes a word that may be counted, and one that never is: neither is of an alphabet that values are made of."""
_REPEATS = {2: "double", 3: "triple"}
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
    marks: Mapping[str, str]
    """What stands before an amount for its currency, and its sign in the view."""
    hosts: frozenset[str]
    """Function words that are also labels of a host, behind the word for a dot: "को" is co."""
    signs: Signs
    alike: Mapping[str, str]
    """Folded spelling to the spelling it is compared as."""
    called: Mapping[str, str]
    """Folded sign or unit to what is said for it."""
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
    worded: frozenset[int]
    """Tokens that the view has put into English: words, no letters of a code."""


@lru_cache(maxsize=2048)
def words_of(*groups: Words) -> frozenset[str]:
    """Every word of the groups, folded."""
    return frozenset(folded(word) for group in groups for word in group)


@lru_cache(maxsize=2048)
def phrases(words: Words) -> Phrases:
    """Words and phrases by their first word, longest first."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for phrase in words:
        parts = tuple(token.fold for token in tokenise(phrase, lambda _: ()))
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
    counted = (*money.rupees, *money.cents, *money.dollars, *money.pounds, *money.euros, *clock.hour, *clock.ambiguous)
    support = (*counted, *clock.minute, table.signs.percent, *table.signs.measures)
    halves: tuple[tuple[Half, Words], ...] = (
        ("am", clock.morning),
        ("pm", clock.noon),
        ("pm", clock.evening),
        ("night", clock.night),
    )
    lexicon = make_lexicon(language, table.numbers, support, table.signs.to)
    marks = _SIGNS | {folded(mark): "₹" for mark in money.marks}
    scales = words_of(*((scale.say, scale.linked, *scale.also) for scale in table.numbers.scales))
    function = words_of(table.talk.function, table.numbers.minus, (table.signs.to,))
    number = words_of((table.signs.number, *table.alike.get(table.signs.number, ())), table.signs.ids)
    return Grammar(
        table=table,
        lexicon=lexicon,
        english={folded(word): english for english, words in _english(table) for word in words}
        | {folded(lexicon.says[1]): "one"}
        | {lexicon.minus[0]: _FUNCTION, lexicon.to: _FUNCTION},
        letters=_letters(table),
        weak_letters=words_of(table.weak_letters),
        merged=phrases(tuple(word for word in address.at if " " in word)),
        parts={folded(word): half for half, words in halves for word in words},
        function=function,
        marks=marks,
        hosts=function & words_of(*address.hosts.values()),
        signs=Signs(
            minus=lexicon.minus[0],
            to=lexicon.to,
            parts={sign: tuple(folded(word).split()) for sign, word in table.numbers.parts.items()},
            measures=words_of(table.signs.measures),
            uncounted=function | number | LABELS,
            counted=words_of(counted),
            ids=number | LABELS,
            marks=marks,
            groups=(words_of(*table.days.months), scales),
            ahead={sign: tuple(folded(word).split()) for sign, word in table.signs.ahead.items()},
            units={folded(sign): tuple(folded(word).split()) for sign, word in table.signs.units.items()},
            dot=folded(address.dot[0]),
        ),
        alike={folded(word): folded(full) for word, full in table.short.items()}
        | {folded(word): folded(words[0]) for words in table.days.months for word in words}
        | {folded(word): folded(standard) for standard, words in table.alike.items() for word in words},
        called={folded(sign): words for sign, words in (*table.signs.ahead.items(), *table.signs.units.items())},
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
    tokens = _merged(with_marks(tokenise(text, grammar.lexicon.split), text, grammar.signs), grammar)
    chunks = tuple(Reader(tokens, grammar.lexicon).chunks())
    at, ending = {chunk.first: chunk for chunk in chunks}, {chunk.last: chunk for chunk in chunks}
    own = Sentence(text, tuple(tokens), chunks, at, ending)
    numerals = _numerals(own)
    folds = [_seen(own, index, grammar, numerals) for index in range(len(tokens))]
    view = tuple(
        replace(
            token,
            fold=folds[index],
            gap=_gap(own, index, folds) if index else token.gap,
            text=_CONTENT if folds[index] == _CONTENT else token.text,
        )
        for index, token in enumerate(tokens)
    )
    named = ("", *_REPEATS.values())
    worded = frozenset(
        index
        for index, seen in enumerate(folds)
        if len(seen) > 1 and seen not in named and seen != tokens[index].fold and index not in numerals
    )
    return Parsed(grammar, own, Sentence(text, view, chunks, at, ending), worded)


def _gap(own: Sentence, index: int, folds: list[str]) -> str:
    """What stands before a token in the view: no dash before the currency of an amount, which is none of the number before it."""
    if _apart(own, index, folds):
        return " "
    ahead = folds[index] in _SIGNS.values() and index + 1 in own.at and own.gap(index) == "-"
    return " ; " if ahead else own.tokens[index].gap


def _apart(own: Sentence, index: int, folds: list[str]) -> bool:
    """Whether a token does not touch the one before it in the view: an amount its sign, a dash, figures a word of another script.

    "2026में" is a number and a word; "बी5" stays together, for it is a letter and a digit.
    """
    if folds[index - 1] in _SIGNS.values() or any(own.tokens[at].text in DASHES for at in (index - 1, index)):
        return True
    beside = (own.tokens[index - 1].fold, own.tokens[index].fold)
    word = next((at for at, fold in zip((index - 1, index), beside, strict=True) if not fold.isdecimal()), index)
    return any(map(str.isdecimal, beside)) and not own.fold(word).isascii() and len(folds[word]) > 1


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


def _seen(own: Sentence, index: int, grammar: Grammar, numerals: Set[int]) -> str:
    """A token as the view writes it."""
    word = own.fold(index)
    if own.tokens[index].text in DASHES:
        return _CONTENT if word == grammar.lexicon.to else _FUNCTION
    mark = grammar.marks.get(word, "")
    if mark and (not word.isalpha() or (index + 1 in own.at and own.gap(index + 1) in ("", "."))):
        return mark
    if word in LABELS:
        return _CONTENT
    if word.isascii() or not (word[0].isalpha() or index in numerals):
        return word
    letter = _letter(own, index, grammar, numerals)
    if letter:
        return letter
    if word in grammar.hosts and grammar.english.get(own.fold(index - 1)) != "dot":
        return _FUNCTION
    if word in grammar.english:
        return grammar.english[word]
    return _REPEATS.get(grammar.lexicon.repeats.get(word, 0), _CONTENT)


def _letter(own: Sentence, index: int, grammar: Grammar, numerals: Set[int]) -> str:
    """The Latin letter that a token names; an everyday word does so only beside a sure letter or among three and more.

    Parted by a comma from the digits of a code it does too: "बी, चार नौ, पी" is B49P, "बी चार नौ के" is not.
    """
    letter = grammar.letters.get(own.fold(index), "")
    if not letter or index in numerals:
        return ""
    first, last = _run(own, index, grammar, set())
    if last - first >= _SPELLING or _any_sure(own, max(first, index - 1), min(last, index + 2), grammar):
        return letter
    parted = (own.gap(index) == "," and index - 1 in numerals) or (own.gap(index + 1) == "," and index + 1 in numerals)
    return letter if parted and _any_sure(own, *_run(own, index, grammar, numerals), grammar) else ""


def _run(own: Sentence, index: int, grammar: Grammar, bridges: Set[int]) -> tuple[int, int]:
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
