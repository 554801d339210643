"""English text cut into tokens, with the signs that are said as words: a minus, the dash of a range, °C, ±, the bar of 2/3.

A token that stands for a sign has a word as its fold ("to") and the sign as its text ("–"), so that all who read words read
it too. What a dash, a bar or a point means is told by what stands around it; where that is not sure it stays a mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.spoken.english.bars import with_bars
from core.spoken.english.currencies import SIGNS
from core.spoken.english.dashes import LABELS, with_ranges
from core.spoken.folding import Token, fold

_MONEY = "".join(SIGNS)
_AHEAD = rf"(?= ?-?[{_MONEY}]?\d)"
_TOKEN = re.compile(
    r"\d+|km/h(?![^\W\d_])|(?<=\d)(?: ?°[cf](?![^\W\d_])|°|‰)|(?<=\d)/-(?![\w-])"
    r"|(?<=\d)(?:[*×÷](?=\d)| [*×÷](?= \d)|\^\d+)"
    r"|[^\W\d_]+(?:'[^\W\d_]+)*"
    rf"|(?<![-=])[<>]{_AHEAD}|[~≈≤≥±]{_AHEAD}|-(?=[{_MONEY}]?\d)|[{_MONEY}¢@%_+#&/\u2044]"
)
_SAID = {
    "-": "minus", "±": "plus or minus", "~": "about", "≈": "about", "<": "less than", ">": "more than", "≤": "at most",
    "≥": "at least", "*": "times", "×": "times", "÷": "divided by", "‰": "per mille", "°": "degrees",
    "°c": "degrees celsius", "°f": "degrees fahrenheit", "km/h": "kilometers per hour",
}  # fmt: skip
_POWERS = {"^2": "squared", "^3": "cubed"}
_POWER = "to the power of"
_SIGN_WORDS = frozenset(" ".join((*_SAID.values(), *_POWERS.values(), _POWER)).split())
_SIGN_WORDS |= {"to", "through", "until", "dot", "over", "out", "of", "per"}
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
        words = _words(sign)
        for word in words or [sign]:
            tokens.append(Token(word, text[start:stop], start, stop, gap or (" " if words or after_sign else "")))
            gap, after_sign = "", bool(words)
        previous = match.end()
    return with_bars(with_ranges(_with_dots(tokens), text))


def _words(sign: str) -> list[str]:
    """What a sign is said as, nothing where it stands for itself; an exponent keeps its figures."""
    if sign[0] == "^":
        return _POWERS.get(sign, f"{_POWER} {sign[1:]}").split()
    return _SAID.get(sign, "").split()


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
        before = tokens[index - 1].fold if index else ""
        version = (before in _VERSIONS and len(groups) > 2) or (before not in LABELS and is_version(groups))
        address = len(groups) == 4 and all(len(group) <= 3 and int(group) <= 255 for group in groups)
        found.append(tokens[index])
        for left, token in zip(tokens[index:last], tokens[index + 1 : last], strict=False):
            said = version or address
            found += [Token("dot", ".", left.end, token.start, " "), replace(token, gap=" ")] if said else [token]
        index = last
    return found


def is_version(groups: Sequence[str]) -> bool:
    """Whether figures parted by points are a version or a section, 1.0.2: small, without leading zeros, and no date."""
    small = len(groups) > 2 and all(len(group) <= 2 and str(int(group)) == group for group in groups)
    return small and any(len(group) == 1 for group in groups) and not (len(groups) == 3 and len(groups[2]) == 2)


def is_sign(token: Token) -> bool:
    """Whether a token is a sign that is said as a word."""
    written = token.text[:1].isalpha() or token.text[:1].isdecimal()
    return token.fold in _SIGN_WORDS and (not written or token.text.lower() == "km/h")
