"""The naive detector: it counts words of risk, whoever says them and in whatever earnest, and calls many of them fraud.

Calls of both labels carry such words alike, so it falls into the trap that months are built around; it is here to show that.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue, ValidationError

from core.bundle import shipped_bundle
from core.errors import FileError, UsageError
from core.options import refuse_unknown
from core.schemas.base import content_hash
from core.schemas.call_trace import PartyRecord
from core.schemas.detections import InputMode
from core.schemas.riskwords import RiskWords, RiskWordsFile
from core.schemas.snapshots import Label
from core.snapshots.detector import CallWords, Given, Said
from core.text import nfkc_casefold, primary_tag
from core.yamlfile import read_data

FILE = "risk-words.yaml"
_MOST = 1000


def risk_words(language: str) -> RiskWords:
    """The list that ships for a language.

    Raises:
        UsageError: there is none.
        FileError: the file is no list of such words.
    """
    path, primary = shipped_bundle("snapshots") / FILE, primary_tag(language)
    try:
        languages = RiskWordsFile.model_validate(read_data(path)).languages
    except ValidationError as error:
        fault = error.errors()[0]
        raise FileError(f"{path}: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from None
    if primary not in languages:
        raise UsageError(f"no words of risk for language {language!r}: there are {', '.join(languages)}")
    return languages[primary]


def keyword_detector(language: str, options: Mapping[str, str], shown: str) -> KeywordDetector:
    """The detector with the shipped words; `threshold=<number>` in place of theirs. Raises UsageError."""
    refuse_unknown(options, ("threshold",), shown)
    shipped = risk_words(language)
    given = options.get("threshold", str(shipped.threshold))
    if not (given.isdecimal() and 1 <= int(given) <= _MOST):
        raise UsageError(f"{shown!r}: threshold is {given!r}: it is a whole number from 1 to {_MOST}")
    return KeywordDetector(shipped.words, int(given))


class KeywordDetector:
    """Counts words."""

    modes = (InputMode.ASR, InputMode.REF)
    waits = False

    def __init__(self, words: tuple[str, ...], threshold: int) -> None:
        self._words = tuple(nfkc_casefold(word) for word in words)
        self._threshold = threshold

    def record(self) -> PartyRecord:
        """The words by hash, and how many of them are fraud."""
        settings: dict[str, JsonValue] = {"words_sha256": content_hash([*self._words]), "threshold": self._threshold}
        return PartyRecord(party="offline:keywords", settings=settings)

    def detect(self, given: Given, seed: int) -> Said:
        """FRAUD from the threshold on; the score passes one half there."""
        assert isinstance(given, CallWords)
        text = nfkc_casefold(given.text)
        found = sum(text.count(word) for word in self._words)
        label = Label.FRAUD if found >= self._threshold else Label.NONFRAUD
        return Said(label.value, score=(found + 0.5) / (found + 0.5 + self._threshold))
