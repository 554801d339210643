"""Choices, agreement and free phrases in English."""

from __future__ import annotations

from collections.abc import Sequence

from core.spoken.english.sentence import Sentence
from core.spoken.kinds import Kind, Reading, Unit

_YES = """
    yes|yeah|yep|yup|ye|sure|correct|right|exactly|absolutely|definitely|certainly|affirmative|indeed|okay|ok|of course|go ahead
    please do|sounds good|that's right|that is right|that's correct|that is correct|that's it|that works|that's fine
    that is fine|perfect|uh huh|mm hmm|i do|i am|it is|you can|all right|alright
"""
_NO = """
    no|nope|nah|not yet|not really|not now|not at all|wrong|incorrect|negative|no thanks|no thank you|never mind
    that's wrong|that is wrong|that's not right|that is not right|that's not correct|that is not correct|that's not it
    not correct|not right|not quite|isn't right|isn't correct|not that|don't|do not|i don't|i'd rather not|i would rather not
"""
_NEITHER = """
    no problem|no worries|no rush|no one|no idea|right now|right away|not sure|i'm not sure|sure thing|is that right
    not wrong|nothing wrong|the right|the wrong|a wrong|my wrong|all right then|don't know|do not know|i don't know|do i|am i
    don't mind|i don't mind|don't worry
"""


def _phrases() -> dict[str, list[tuple[tuple[str, ...], bool | None]]]:
    """Every phrase with what it means, by its first word, longest first."""
    table: dict[str, list[tuple[tuple[str, ...], bool | None]]] = {}
    for text, verdict in ((_NEITHER, None), (_YES, True), (_NO, False)):
        for phrase in text.replace("\n", "|").split("|"):
            words = tuple(phrase.split())
            if words:
                table.setdefault(words[0], []).append((words, verdict))
    return {first: sorted(phrases, key=lambda item: -len(item[0])) for first, phrases in table.items()}


_PHRASES = _phrases()


def read_yes_no(sentence: Sentence) -> list[Reading]:
    """Agreement or refusal, where the text holds cues of one kind only."""
    cues: list[tuple[int, int, bool]] = []
    index = 0
    while index < len(sentence.tokens):
        size, verdict = _phrase_at(sentence, index)
        if verdict is not None:
            cues.append((index, index + size, verdict))
        index += size or 1
    if len({verdict for _, _, verdict in cues}) != 1:
        return []
    first, last, verdict = cues[0]
    start, end = sentence.span(first, last)
    return [Reading(Kind.YES_NO, verdict, start, end, sentence.text[start:end])]


def _phrase_at(sentence: Sentence, index: int) -> tuple[int, bool | None]:
    """How many tokens the longest phrase at a token has, and what it means; (0, None) for none."""
    for phrase, verdict in _PHRASES.get(sentence.fold(index), ()):
        if sentence.has(index, phrase):
            return len(phrase), verdict
    return 0, None


def phrase_places(units: Sequence[Unit], phrase: tuple[str, ...]) -> list[int]:
    """Where `phrase` stands in `units`, never inside a longer number."""
    if not phrase:
        return []
    size = len(phrase)
    texts = tuple(unit.text for unit in units)
    return [at for at in range(len(units) - size + 1) if texts[at : at + size] == phrase and _apart(texts, at, at + size)]


def _apart(texts: Sequence[str], first: int, last: int) -> bool:
    """Whether the units `first` to `last` do not begin or end inside a number."""

    def numeric(at: int) -> bool:
        return 0 <= at < len(texts) and (texts[at].isdecimal() or texts[at] in ("point", "."))

    return not (numeric(first) and numeric(first - 1)) and not (numeric(last - 1) and numeric(last))
