"""Comparing written words: named, versioned normalisers, and finding whole words at their place in the original text.

A normaliser never changes once it is published: a better one gets the next version, and results name the one they used.
`raw-v1` compares words as written, `generic-v1` letters, marks and numbers of any language, `en-v4`, `zh-v3`, ...
the words and values of one language whatever the way they are written, `en-v4-day-first` those of regions where 3/4 is in
April, and `gu-v3-folded`, ... the same with the letters of every Indic script folded into one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal

from core.errors import UsageError
from core.scripts import scripts_of
from core.spoken import Unit, units
from core.spoken.english.dates import DAY_FIRST_REGIONS
from core.spoken.folding import fold
from core.spoken.indic import INDIC
from core.spoken.indic.folded import script_folded
from core.spoken.languages import LANGUAGES, language_of

_APOSTROPHES = "'\u2019"
_JOINERS = "\u200c\u200d"
_UNSEGMENTED = ("CJK ", "HIRAGANA", "KATAKANA", "THAI", "LAO ", "KHMER", "MYANMAR")
"""Scripts written without spaces: each character counts as a word."""
_SCRIPTS: dict[str, tuple[str, ...]] = {
    "Arab": ("ARABIC",),
    "Armn": ("ARMENIAN",),
    "Beng": ("BENGALI",),
    "Cyrl": ("CYRILLIC",),
    "Deva": ("DEVANAGARI",),
    "Ethi": ("ETHIOPIC",),
    "Geor": ("GEORGIAN",),
    "Grek": ("GREEK",),
    "Gujr": ("GUJARATI",),
    "Guru": ("GURMUKHI",),
    "Hang": ("HANGUL",),
    "Hani": ("CJK",),
    "Hans": ("CJK",),
    "Hant": ("CJK",),
    "Hebr": ("HEBREW",),
    "Jpan": ("CJK", "HIRAGANA", "KATAKANA"),
    "Khmr": ("KHMER",),
    "Knda": ("KANNADA",),
    "Kore": ("HANGUL", "CJK"),
    "Laoo": ("LAO",),
    "Latn": ("LATIN",),
    "Mlym": ("MALAYALAM",),
    "Mymr": ("MYANMAR",),
    "Orya": ("ORIYA",),
    "Sinh": ("SINHALA",),
    "Taml": ("TAMIL",),
    "Telu": ("TELUGU",),
    "Thai": ("THAI",),
}
_INDIC = frozenset({"Beng", "Deva", "Gujr", "Guru", "Knda", "Mlym", "Taml", "Telu"})
_SPACELESS = frozenset({"Hans", "Hant", "Jpan", "Thai"})
_LINKING_SCRIPTS = ("DEVANAGARI", "BENGALI", "GUJARATI", "ORIYA", "TELUGU", "MALAYALAM")
"""Scripts whose virama ties two consonants into one character as readers see it."""


@dataclass(frozen=True, slots=True)
class Word:
    """A whole word of a text: as written, folded (NFKC and case), and its offsets in the text."""

    text: str
    fold: str
    start: int
    end: int


def collapse_spaces(text: str) -> str:
    """Runs of whitespace become one space, none at either end."""
    return " ".join(text.split())


def nfkc_casefold(text: str) -> str:
    """NFKC and casefold; digits of every script become 0-9, curly quotes and dashes their plain forms."""
    return fold(text).text


def words(text: str) -> list[Word]:
    """Whole words with offsets: letters, marks and digits, apostrophes inside; one character each where no spaces are used."""
    found: list[Word] = []
    start = -1
    for index, char in enumerate([*text, " "]):
        inside = _is_inside(text, index) if index < len(text) else False
        alone = inside and _unsegmented(char)
        if start >= 0 and (not inside or alone):
            found.append(Word(text[start:index], nfkc_casefold(text[start:index]), start, index))
            start = -1
        if inside and start < 0:
            start = index
        if alone and index + 1 < len(text) and unicodedata.category(text[index + 1])[0] != "M":
            found.append(Word(char, nfkc_casefold(char), index, index + 1))
            start = -1
    return found


def _is_inside(text: str, index: int) -> bool:
    char = text[index]
    if unicodedata.category(char)[0] in "LMN":
        return True
    between = 0 < index < len(text) - 1 and all(unicodedata.category(text[at])[0] in "LM" for at in (index - 1, index + 1))
    return between and char in _APOSTROPHES + _JOINERS


@lru_cache(maxsize=8192)
def _name(char: str) -> str:
    return unicodedata.name(char, "")


def _unsegmented(char: str) -> bool:
    return not char.isascii() and unicodedata.category(char) == "Lo" and _name(char).startswith(_UNSEGMENTED)


def find_span(text: str, span: str) -> tuple[int, int] | None:
    """Offsets in `text` of the first whole-word occurrence of the phrase `span`, both NFKC-casefolded; None when absent.

    Any whitespace matches any other. A word or number that goes on, "10" in "100", "10" in "10.50" or "can" in "can't",
    is no whole word.
    """
    phrase = nfkc_casefold(span).split()
    if not phrase:
        return None
    folded = fold(text)
    for match in re.finditer(r"\s+".join(re.escape(part) for part in phrase), folded.text):
        start, end = match.span()
        if _edge(folded.text, start, start - 1, -1) and _edge(folded.text, end - 1, end, 1):
            return folded.original(start, end)
    return None


def _edge(text: str, inside: int, outside: int, step: int) -> bool:
    """Whether a word ends between the character `inside` and its neighbour `outside`, looking on by `step`."""
    if not 0 <= outside < len(text) or unicodedata.category(text[inside])[0] not in "LMN":
        return True
    neighbour, beyond = text[outside], outside + step
    category = unicodedata.category(neighbour)[0]
    if category in "LMN":
        return category != "M" and (_unsegmented(neighbour) or _unsegmented(text[inside]))
    if not 0 <= beyond < len(text):
        return True
    if text[inside].isdecimal() and neighbour in ".,:":
        return not text[beyond].isdecimal()
    return not (neighbour in _APOSTROPHES + _JOINERS and unicodedata.category(text[beyond])[0] in "LM")


def graphemes(word: str) -> list[str]:
    """A word as the characters a reader sees: a base with its marks, joined sequences and tied consonants together."""
    clusters: list[str] = []
    for char in word:
        if clusters and (_extends(char) or clusters[-1][-1] == "\u200d" or _ties(clusters[-1], char)):
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters


def _extends(char: str) -> bool:
    return unicodedata.category(char)[0] == "M" or char in _JOINERS or "\U0001f3fb" <= char <= "\U0001f3ff"


def _ties(cluster: str, char: str) -> bool:
    virama = unicodedata.combining(cluster[-1]) == 9 and _name(cluster[-1]).startswith(_LINKING_SCRIPTS)
    return virama and unicodedata.category(char) == "Lo"


def script_share(text: str, script: str) -> float:
    """The share, 0 to 1, of the letters of `text` in an ISO 15924 script; 1 when there are no letters at all.

    Raises UsageError on an unknown script, naming the known ones.
    """
    prefixes = _SCRIPTS.get(script)
    if prefixes is None:
        raise UsageError(f"script {script!r} is not known: use one of {', '.join(sorted(_SCRIPTS))}")
    letters = [char for char in unicodedata.normalize("NFC", text) if unicodedata.category(char)[0] == "L"]
    if not letters:
        return 1.0
    return sum(_name(char).startswith(prefixes) for char in letters) / len(letters)


def _nfkc(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


Normaliser = Callable[[str], list[Unit]]


def _raw(text: str) -> list[Unit]:
    """Words as written, punctuation and case kept: NFKC, parted at whitespace."""
    found = [Unit("".join(_nfkc(match.group()).split()), *match.span()) for match in re.finditer(r"\S+", text)]
    return [unit for unit in found if unit.text]


def _generic(text: str) -> list[Unit]:
    """Letters, marks and numbers of any language, folded; apostrophes and joiners inside a word fall away."""
    kept = [(word, re.sub(r"['\u200c\u200d]", "", word.fold)) for word in words(text)]
    return [Unit(folded, word.start, word.end) for word, folded in kept if folded]


def _folded(text: str, whole: Normaliser) -> list[Unit]:
    """The units of another normaliser in one Indic script, since recognisers often write Indian languages in Devanagari."""
    return [Unit(script_folded(unit.text), unit.start, unit.end) for unit in whole(text)]


_VERSIONS = {"en": 4, "zh": 3, **dict.fromkeys(INDIC, 3)}
"""Languages whose normaliser is not its first one."""
RAW, GENERIC = "raw-v1", "generic-v1"
_DAY_FIRST = f"en-v{_VERSIONS['en']}-day-first"
"""English of regions that write the day before the month; the other languages here do so everywhere, or nowhere."""
_WHOLE: dict[str, Normaliser] = {
    GENERIC: _generic,
    **{f"{language}-v{_VERSIONS.get(language, 1)}": partial(units, language=language) for language in LANGUAGES},
    _DAY_FIRST: partial(units, language="en-GB"),
}
NORMALISERS: dict[str, Normaliser] = {
    RAW: _raw,
    **_WHOLE,
    **{f"{name}-folded": partial(_folded, whole=whole) for name, whole in _WHOLE.items()},
}


def normalised_units(text: str, name: str) -> list[Unit]:
    """`text` by the normaliser `name` as units with offsets; raises UsageError on an unknown name."""
    normaliser = NORMALISERS.get(name)
    if normaliser is None:
        raise UsageError(f"normaliser {name!r} is not known: use one of {', '.join(sorted(NORMALISERS))}")
    return normaliser(text)


def normalise(text: str, name: str) -> str:
    """`text` by the normaliser `name`, units parted by single spaces; raises UsageError on an unknown name."""
    return " ".join(unit.text for unit in normalised_units(text, name))


def normaliser_of(language: str) -> str:
    """The normaliser that error rates of a BCP 47 language are counted with."""
    primary = primary_tag(language)
    if primary == "en" and language_of(language)[1] in DAY_FIRST_REGIONS:
        return _DAY_FIRST
    return f"{primary}-v{_VERSIONS.get(primary, 1)}" if primary in LANGUAGES else GENERIC


def folded_of(language: str) -> str:
    """The same with every Indic script as one."""
    return f"{normaliser_of(language)}-folded"


def is_indic(language: str) -> bool:
    """Whether a BCP 47 language is usually written in an Indic script, so that its script-folded errors say something."""
    return not _INDIC.isdisjoint(scripts_of(primary_tag(language)))


def headline_of(language: str) -> Literal["wer", "cer"]:
    """The error rate to read first: characters where words are not parted by spaces or are long and much inflected."""
    return "wer" if (_INDIC | _SPACELESS).isdisjoint(scripts_of(primary_tag(language))) else "cer"


def primary_tag(language: str) -> str:
    """The primary subtag of a BCP 47 tag, in lower case."""
    return language.replace("_", "-").split("-")[0].lower()
