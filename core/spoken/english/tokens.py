"""English text cut into tokens, with the signs that are said as words: a minus, the dash of a range, °C, ±, the bar of 2/3.

A token that stands for a sign has a word as its fold ("to") and the sign as its text ("–"), so that all who read words read
it too. What a dash, a bar or a point means is told by what stands around it; where that is not sure it stays a mark.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.spoken.english.bars import with_bars
from core.spoken.english.currencies import SIGNS
from core.spoken.english.dashes import with_ranges
from core.spoken.folding import Token, fold

_MONEY = "".join(SIGNS)
_AHEAD = rf"(?= ?-?[{_MONEY}]?\d)"
_TOKEN = re.compile(
    r"\d+|km/h(?![^\W\d_])|(?<=\d)(?: ?°[cf](?![^\W\d_])|°)|(?<=\d)/-(?![\w-])"
    r"|[^\W\d_]+(?:'[^\W\d_]+)*"
    rf"|(?<![-=])[<>]{_AHEAD}|[~≈≤≥±]{_AHEAD}|-(?=[{_MONEY}]?\d)|[{_MONEY}¢@%_+#&/\u2044]"
)
_SAID = {
    "-": "minus", "±": "plus or minus", "~": "about", "≈": "about", "<": "less than", ">": "more than", "≤": "at most",
    "≥": "at least", "°": "degrees", "°c": "degrees celsius", "°f": "degrees fahrenheit", "km/h": "kilometers per hour",
}  # fmt: skip
_SIGN_WORDS = frozenset(" ".join(_SAID.values()).split()) | {"to", "through", "until", "dot", "over", "out", "of", "per"}
_BEFORE_MINUS = re.compile(rf"(?:^|[\s(\[{{\"'~≈<>≤≥±=:{_MONEY}])$")
_VERSIONS = frozenset("v ver version release build firmware ios android python".split())


def tokens_of(text: str) -> list[Token]:
    """Tokens with offsets in `text` itself; they share an offset where one sign is said in several words."""
    folded = fold(text, parted=True)
    tokens: list[Token] = []
    previous, after_sign = 0, False
    for match in _TOKEN.finditer(folded.text):
        sign, gap = match.group().strip(), folded.text[previous : match.start()]
        if sign == "-" and not _is_minus(tokens, gap, folded.text[: match.start()]):
            continue
        start, stop = folded.original(*match.span())
        words = _SAID.get(sign, "").split()
        for word in words or [sign]:
            tokens.append(Token(word, text[start:stop], start, stop, gap or (" " if words or after_sign else "")))
            gap, after_sign = "", bool(words)
        previous = match.end()
    return with_bars(with_ranges(_with_dots(tokens), text))


def _is_minus(tokens: list[Token], gap: str, before: str) -> bool:
    """Whether a dash before figures is a minus: nothing is written right before it, and no other figures join it."""
    joined = bool(tokens) and tokens[-1].fold.isdecimal() and not gap.strip()
    return not joined and _BEFORE_MINUS.search(before[-1:]) is not None


def _with_dots(tokens: list[Token]) -> list[Token]:
    """The points of an internet address and of a version as words; those between the groups of an id stay marks."""
    found: list[Token] = []
    index = 0
    while index < len(tokens):
        last = index + 1
        while last < len(tokens) and tokens[last].gap == "." and tokens[last].fold.isdecimal() and tokens[index].fold.isdecimal():
            last += 1
        groups = [token.fold for token in tokens[index:last]]
        version = index > 0 and tokens[index - 1].fold in _VERSIONS and len(groups) > 2
        address = len(groups) == 4 and all(len(group) <= 3 and int(group) <= 255 for group in groups)
        found.append(tokens[index])
        for before, token in zip(tokens[index:last], tokens[index + 1 : last], strict=False):
            said = version or address
            found += [Token("dot", ".", before.end, token.start, " "), replace(token, gap=" ")] if said else [token]
        index = last
    return found


def is_sign(token: Token) -> bool:
    """Whether a token is a sign that is said as a word."""
    return token.fold in _SIGN_WORDS and (not token.text[:1].isalnum() or token.text.lower() == "km/h")
