"""Which scripts a language is usually written in."""

from __future__ import annotations

SCRIPTS = {
    "Arab": "ar fa ur",
    "Beng": "as bn",
    "Cyrl": "bg ru sr uk",
    "Deva": "hi mr ne",
    "Grek": "el",
    "Gujr": "gu",
    "Guru": "pa",
    "Hans": "cmn zh",
    "Hant": "cmn yue zh",
    "Hebr": "he",
    "Jpan": "ja",
    "Knda": "kn",
    "Kore": "ko",
    "Latn": "cs da de en es fi fr hr hu id it ms nb nl nn pl pt ro sk sr sv tr vi",
    "Mlym": "ml",
    "Taml": "ta",
    "Telu": "te",
    "Thai": "th",
}
"""ISO 15924 script to the languages usually written in it; a language in no row is not checked."""


def scripts_of(language: str) -> tuple[str, ...]:
    """The ISO 15924 scripts a BCP 47 language is usually written in; empty where the table does not know it."""
    primary = language.split("-")[0]
    return tuple(script for script, languages in SCRIPTS.items() if primary in languages.split())
