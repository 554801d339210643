"""E-mail addresses in English: spoken ("john dot smith at gmail dot com"), spelled, written, and any mixture of the three."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.spoken.english.function_words import FUNCTION_WORDS
from core.spoken.english.number_words import UNITS
from core.spoken.english.numerals import Chunk
from core.spoken.english.sentence import Sentence

_VALID = re.compile(r"[a-z0-9](?:[a-z0-9._+-]*[a-z0-9])?@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}")
_SIGNS = {"dot": ".", "period": ".", "underscore": "_", "_": "_", "dash": "-", "hyphen": "-", "minus": "-", "plus": "+", "+": "+"}
_SIGN_WORD = {".": "dot", "_": "underscore", "-": "dash", "+": "plus"}
_STOPS = FUNCTION_WORDS | frozenset(
    """email mail e-mail address contact reach write send use account username login spelled spell spelling name under called
    says reads look log sign find visit check see shop site website""".split()
)
_SAID_TO_BE = frozenset("address email e-mail mail one contact that it account username login".split())
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
    """Whether a single letter or digit stands at a token."""
    word = sentence.fold(index)
    return (len(word) == 1 and word.isalnum()) or (index in sentence.at and len(sentence.at[index].digits) == 1)


def _atom(sentence: Sentence, index: int) -> tuple[str, int] | None:
    """The characters a token adds to a domain, and the token after it."""
    chunk = sentence.at.get(index)
    if chunk is not None and chunk.whole:
        return chunk.digits, chunk.last
    word = sentence.fold(index)
    return (word, index + 1) if word.isalnum() and word.isascii() else None


def _as_written(sentence: Sentence, index: int) -> tuple[str, int] | None:
    """The same where nothing but letters, digits and signs has been written since the at sign: "@one.com" is no 1.com."""
    word = sentence.fold(index)
    return (word, index + 1) if word.isalnum() and word.isascii() else None


def _domain(sentence: Sentence, index: int) -> tuple[str, int] | None:
    """Labels and dots from token `index` on, and the token after them."""
    text, complete, at, last = "", "", index, index
    written = sentence.fold(index - 1) == "@"
    while at < len(sentence.tokens):
        sign = _domain_sign(sentence, at) if text else ""
        word = sentence.fold(at)
        written = written and not sentence.tokens[at].gap.strip(".-")
        if sign is None:
            break
        if _SIGNS.get(word, "") in (".", "-") and text[-1:].isalnum():
            text, at = text + _SIGNS[word], at + 1
            continue
        atom = _as_written(sentence, at) if written else _atom(sentence, at)
        stops = word in FUNCTION_WORDS and not (written or _spelled(sentence, at) or "." in text + sign)
        if atom is None or stops:
            break
        spelled_on = _both_spelled(sentence, at) and text.rpartition(".")[2] not in _TLDS
        if "." in text and text[-1].isalnum() and not sign and not spelled_on:
            break
        complete = text = text + sign + atom[0]
        at = last = atom[1]
    return (complete, last) if "." in complete else None


def _domain_sign(sentence: Sentence, index: int) -> str | None:
    """The sign that the gap before token `index` stands for in a domain; None where the domain ends."""
    gap = sentence.tokens[index].gap
    bare = gap.strip()
    if bare == ".":
        return "." if gap == "." or sentence.fold(index) in _TLDS else None
    pieces = _both_spelled(sentence, index) or sentence.fold(index) in _SIGNS or sentence.fold(index - 1) in _SIGNS
    if bare == "" or (bare in ("-", ",") and pieces):
        return ""
    return "-" if bare == "-" else None


def _both_spelled(sentence: Sentence, index: int) -> bool:
    return index > 0 and _spelled(sentence, index) and _spelled(sentence, index - 1)


def _both_capital(sentence: Sentence, index: int) -> bool:
    """Whether capitals or digits stand on both sides, as in "SM-IT-H": pieces of a spelling; 12-5 are two numbers."""
    words = sentence.fold(index - 1), sentence.fold(index)
    if all(map(str.isdecimal, words)) and max(map(len, words)) > 1:
        return False
    return all(sentence.tokens[at].text.isupper() or sentence.fold(at).isdecimal() for at in (index - 1, index))


def _local(sentence: Sentence, at_sign: int) -> tuple[int, str] | None:
    """What stands before the at sign: first token and characters. Words run back to a stop word, a comma or the start."""
    end = _without_filler(sentence, at_sign)
    if not _reaches_at(sentence, end):
        return None
    text, first, after = "", end, end
    needs_word, writing = True, sentence.glued(at_sign) and sentence.glued(at_sign + 1)
    while after > 0:
        writing = writing and not sentence.tokens[after].gap.strip(".-")
        sign = _sign_before(sentence, after) if text else ""
        if sign is None:
            break
        text, needs_word = sign + text, needs_word or bool(sign)
        word = sentence.fold(after - 1)
        if word in _SIGNS and text and not needs_word:
            text, needs_word, after = _SIGNS[word] + text, True, after - 1
            continue
        letter = _spelled(sentence, after - 1)
        written = (letter and text[:1].isdecimal()) or (not text and (sentence.glued(after) or letter or _named(sentence, after)))
        piece = _piece_before(sentence, after, required=written or (needs_word and bool(text)), writing=writing)
        if piece is None:
            break
        text, needs_word, after = piece[1] + text, False, piece[0]
        first = after
    return (first, text) if text and not needs_word else None


def _named(sentence: Sentence, after: int) -> bool:
    """Whether a stop word right before the at sign is said to be the address: "me" with nothing before it, any behind "is"."""
    alone = after == 1 and sentence.fold(0) in FUNCTION_WORDS
    return alone or (sentence.fold(after - 2) in ("is", "it's") and sentence.fold(after - 3) in _SAID_TO_BE)


def _without_filler(sentence: Sentence, end: int) -> int:
    for filler in _FILLERS:
        if all(sentence.fold(end - len(filler) + place) == word for place, word in enumerate(filler)):
            return end - len(filler)
    return end


def _reaches_at(sentence: Sentence, end: int) -> bool:
    """Whether what stands before token `end` reaches on to the at sign: a full stop only after a spelled letter."""
    gap = sentence.gap(end)
    return gap in ("", ",") or (gap == "." and _spelled(sentence, end - 1))


def _piece_before(sentence: Sentence, after: int, *, required: bool, writing: bool) -> tuple[int, str] | None:
    """The word, letter or number that ends before token `after`: its first token and characters.

    Stop words end the address, unless a dot before them makes them `required` or they are letters among letters. In
    `writing`, glued to the at sign, a number in words is those words: "two@shop.com", but not "seven two@shop.com".
    """
    chunk = sentence.ending.get(after)
    if chunk is not None and chunk.whole and (chunk.literal or not writing or _said_on(sentence, chunk)):
        return chunk.first, chunk.digits
    index = after - 1
    word = sentence.fold(index)
    if not (word.isalnum() and word.isascii()):
        return None
    lettered = _spelled(sentence, index) and (_spelled(sentence, after) or _spelled(sentence, index - 1))
    pieces = after < len(sentence.tokens) and sentence.tokens[after].gap == "-" and _both_capital(sentence, after)
    if word in _STOPS and not (required or lettered or pieces):
        return None
    if len(word) == 1 and sentence.fold(index - 1) == "double":
        return index - 1, word * 2
    return index, word


def _said_on(sentence: Sentence, chunk: Chunk) -> bool:
    """Whether a numeral goes on from a digit or a letter said before it."""
    before = chunk.first in sentence.ending or _spelled(sentence, chunk.first - 1)
    return before and sentence.tokens[chunk.first].gap.isspace()


def _sign_before(sentence: Sentence, index: int) -> str | None:
    """The sign that the gap before token `index` stands for; None where an address cannot reach across it."""
    gap = sentence.tokens[index].gap
    bare = "." if gap == ".-" else gap.strip()
    letters = _both_spelled(sentence, index)
    beside_sign = sentence.fold(index) in _SIGNS or sentence.fold(index - 1) in _SIGNS
    pieces = letters or beside_sign or (bare == "-" and _both_capital(sentence, index))
    if bare == "" or (bare in ("-", ",") and pieces) or (bare == "." and " " in gap and pieces):
        return ""
    if bare == "-":
        return "-"
    if bare != ".":
        return None
    flows = sentence.tokens[index].text[0].islower() and sentence.fold(index - 1) not in _STOPS
    return "." if gap != ". " or flows else None


def say_email(address: str, spell_local: bool = False, spell_host: bool = False) -> str:
    """ "maria.santos@example.com" is "maria dot santos at example dot com"; the words of either side may be spelled."""
    local, _, domain = address.partition("@")
    host, _, ending = domain.partition(".")
    return f"{_say_part(local, spell_local)} at {_say_part(host, spell_host)} dot {_say_part(ending, False)}"


def _say_part(part: str, spell: bool) -> str:
    """A part in words; spelled letters are parted by commas, which a voice turns into the pauses that make them clear."""
    pieces = re.findall(r"[a-z]+|\d|[._+-]", part)
    words = [UNITS[int(piece)] if piece.isdecimal() else _SIGN_WORD.get(piece, piece) for piece in pieces]
    if not spell:
        return " ".join(words)
    return " ".join(
        f"{', '.join(piece.upper())}," if piece.isalpha() else word for piece, word in zip(pieces, words, strict=True)
    )
