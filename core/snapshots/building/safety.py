"""What no call may say: numbers that could be somebody's, addresses, and names of real institutions."""

from __future__ import annotations

import re
from functools import lru_cache

from core.schemas.casefile import DeniedNames
from core.text import nfkc_casefold

_GAP = r"[\s\-./()]{0,2}"
_DIGIT_WORDS = "zero|oh|one|two|three|four|five|six|seven|eight|nine"
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("email", re.compile(r"\S@\S")),
    ("url", re.compile(r"https?:|www\.|\b[a-z0-9-]+\.(?:com|net|org|info|cn|co|uk|eu|io|app|top|xyz|cc)\b")),
    ("id_or_card_number", re.compile(rf"\d(?:{_GAP}\d){{11,}}")),
    ("phone_number", re.compile(rf"\d(?:{_GAP}\d){{4,}}")),
    ("spoken_number", re.compile(rf"\b(?:{_DIGIT_WORDS})(?:[\s,\-]+(?:{_DIGIT_WORDS})){{4,}}\b")),
    ("spoken_number", re.compile(r"[零〇一二三四五六七八九幺](?:[\s,、]?[零〇一二三四五六七八九幺]){4,}")),
)
"""Code and what is looked for in folded text; the first that is found is reported."""


def unsafe(text: str, denied: DeniedNames) -> tuple[str, str] | None:
    """Code and what was found where a text says what no call may say; None where it is safe."""
    folded = nfkc_casefold(text)
    for code, pattern in _PATTERNS:
        if match := pattern.search(folded):
            return code, match.group()
    for name, whole in _names(tuple(name for group in denied.names.values() for name in group)):
        if name in folded and (whole is None or whole.search(folded)):
            return "denied_name", name
    return None


@lru_cache(maxsize=8)
def _names(names: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str] | None], ...]:
    """Folded names; those in Latin letters or digits with the pattern that finds them as whole words only."""
    folded = [nfkc_casefold(name) for name in names]
    return tuple((n, re.compile(rf"(?<![a-z0-9]){re.escape(n)}(?![a-z0-9])") if n.isascii() else None) for n in folded)
