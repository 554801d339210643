"""Names and agreement in the words of conversation."""

from __future__ import annotations

from collections.abc import Set

from core.spoken.english.names import SaidName, title_case
from core.spoken.indic.grammar import Parsed, phrase_at, phrases, words_of
from core.spoken.kinds import Kind, Reading

_LONGEST_NAME = 4


def find_names(parsed: Parsed, taken: Set[int]) -> list[SaidName]:
    """Names after words such as "मेरा नाम", or alone in the text, outside the tokens `taken`."""
    talk = parsed.grammar.table.talk
    cues, selves, speaking = phrases(talk.name), phrases(talk.self), words_of(talk.speaking)
    found: list[SaidName] = []
    for index in range(len(parsed.own.tokens)):
        size = phrase_at(parsed.own, index, cues)
        at = index + (size or phrase_at(parsed.own, index, selves))
        name = _words(parsed, at, taken) if at > index and not (found and index < found[-1].last) else None
        if name is not None and (size or parsed.own.fold(name.last) in speaking):
            found.append(name)
    if found:
        return found
    alone = _words(parsed, 0, taken)
    return [alone] if alone is not None and alone.last == len(parsed.own.tokens) else []


def _words(parsed: Parsed, index: int, taken: Set[int]) -> SaidName | None:
    """Up to four words of a name from a token on."""
    own, grammar = parsed.own, parsed.grammar
    stops = (
        words_of(grammar.table.talk.name_ends, grammar.table.talk.speaking)
        | grammar.function
        | words_of(grammar.table.talk.yes, grammar.table.talk.no)
    )
    while own.fold(index) in words_of(grammar.table.talk.titles):
        index += 1
    last = index
    while last < len(own.tokens) and last - index < _LONGEST_NAME and last not in taken and last not in own.at:
        token = own.tokens[last]
        if (last > index and token.gap.strip()) or token.fold in stops or not token.fold[0].isalpha():
            break
        last += 1
    if last == index:
        return None
    start, end = own.span(index, last)
    return SaidName(index, last, title_case(own.text[start:end]))


def read_yes_no(parsed: Parsed) -> list[Reading]:
    """Agreement or refusal, where the text holds cues of one kind only."""
    talk = parsed.grammar.table.talk
    verdicts = ((phrases(talk.neither), None), (phrases(talk.no), False), (phrases(talk.yes), True))
    cues: list[tuple[int, int, bool]] = []
    index = 0
    while index < len(parsed.own.tokens):
        size, verdict = max(
            ((phrase_at(parsed.own, index, table), verdict) for table, verdict in verdicts), key=lambda item: item[0]
        )
        if size and verdict is not None:
            cues.append((index, index + size, verdict))
        index += size or 1
    if len({verdict for _, _, verdict in cues}) != 1:
        return []
    first, last, verdict = cues[0]
    start, end = parsed.own.span(first, last)
    return [Reading(Kind.YES_NO, verdict, start, end, parsed.own.text[start:end])]
