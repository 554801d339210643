"""E-mail addresses in Chinese: "ann点lee艾特example点com", "a n n 下划线 lee at 一六三点com", written, and mixtures of them.

Chinese characters that are neither digits nor names of signs end an address on either side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from core.spoken.chinese.numerals import digit_words, to_figures

_SIGNS = {
    "小数点": ".", "点儿": ".", "点": ".", ".": ".", "下划线": "_", "底线": "_", "_": "_", "中划线": "-", "短横线": "-",
    "横线": "-", "横杠": "-", "减号": "-", "杠": "-", "-": "-", "加号": "+", "+": "+",
}  # fmt: skip
_SIGN_WORD = {".": "点", "_": "下划线", "-": "横杠", "+": "加号"}
_AT = r"(?:@|艾特|爱特|圈[aA]|(?<![a-z])at(?![a-z]))"
_SIGN = "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True))
# Possessive, since a long run of letters or digits can be cut into pieces in more ways than there is time to try.
_PIECE = rf"(?:[a-z]++|[0-9]++|[零一二三四五六七八九幺]++|{_SIGN})"
_GAP = r"[ ,、]*+"
_LABEL = r"(?:[a-z0-9]++|[零一二三四五六七八九幺]++)"
_DOT = rf"{_GAP}(?:小数点|点|\.){_GAP}"
_DASH = rf"{_GAP}(?:中划线|短横线|横线|横杠|减号|杠|-){_GAP}"
_SPELLED = rf"(?:(?<![a-z])[a-z](?:{_GAP}[a-z](?![a-z])){{1,}})"
_PART = rf"(?:{_SPELLED}|{_LABEL})(?:(?:{_DASH}|{_GAP}(?=[0-9零一二三四五六七八九幺])){_LABEL})*"
_TOP = r"(?:(?:c ?o ?m|n ?e ?t|o ?r ?g|c ?n)(?![a-z])|[a-z]{2,})"
_DOMAIN = rf"{_PART}(?:{_DOT}{_PART})*?{_DOT}{_TOP}(?:{_DOT}(?:c ?n|[a-z]{{2}})(?![a-z]))?"
_ADDRESS = re.compile(rf"(?P<local>{_PIECE}(?:{_GAP}{_PIECE})*?){_GAP}{_AT}{_GAP}(?P<domain>{_DOMAIN})")
_TOKEN = re.compile(rf"[a-z0-9]+|[零一二三四五六七八九幺]+|{_SIGN}")
_VALID = re.compile(r"[a-z0-9](?:[a-z0-9._+-]*[a-z0-9])?@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}")


@dataclass(frozen=True, slots=True)
class SaidEmail:
    """An address said over plain characters."""

    start: int
    end: int
    text: str


def find_emails(plain: str) -> list[SaidEmail]:
    """Every complete address, in order."""
    found: list[SaidEmail] = []
    if re.search(_AT, plain) is None:
        return found
    for match in _ADDRESS.finditer(plain):
        start = _start_of_local(plain, match.start("local"), match.end("local"))
        address = f"{_characters(plain[start : match.end('local')])}@{_characters(match['domain'])}"
        if _VALID.fullmatch(address):
            found.append(SaidEmail(start, match.end(), address))
    return found


def _start_of_local(plain: str, start: int, end: int) -> int:
    """Where an address begins: back to a pause between two whole words, or between an id and a word."""
    tokens = list(_TOKEN.finditer(plain, start, end))
    for before, token in reversed(list(pairwise(tokens))):
        gap = plain[before.end() : token.start()]
        words = all(item.group() not in _SIGNS and len(item.group()) > 1 for item in (before, token))
        if gap and words and (gap.strip() or not token.group()[0].isdecimal() or not before.group().isalpha()):
            return token.start()
    return start


def _characters(said: str) -> str:
    return "".join(_SIGNS.get(token, to_figures(token)) for token in _TOKEN.findall(said))


def say_email(address: str, spell: bool = False) -> str:
    """ "ann.lee@example.com" is ann点lee艾特example点com; `spell` parts the letters before the at sign."""
    local, _, domain = address.partition("@")
    words = [_sign_words(local, "，" if spell else ""), "艾特", _sign_words(domain, "")]
    return ("，" if spell else "").join(words)


def _sign_words(text: str, pause: str) -> str:
    pieces = re.findall(r"[a-z]|\d+|." if pause else r"[a-z]+|\d+|.", text)
    return pause.join(digit_words(piece, "幺") if piece.isdecimal() else _SIGN_WORD.get(piece, piece) for piece in pieces)
