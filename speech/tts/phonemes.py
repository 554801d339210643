"""From text to the phonemes Kokoro knows: English by hibari, Mandarin by misaki, every other language by espeak-ng's IPA.

Words in Latin letters are read as English by the Mandarin voices, and by espeak-ng where its language has another script.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from speech import extras
from speech.tts import espeak_process

VERSION = "phonemes-1"
_MARKS = {
    "।": ".", "॥": ".", "。": ".", "．": ".", "！": "!", "？": "?", "，": ",", "、": ",", "；": ";", "：": ":", "؟": "?",
    "،": ",", "¡": "", "¿": "", "(": ",", ")": ",", "（": ",", "）": ",", "«": '"', "»": '"', "–": "—", "।।": ".",
}  # fmt: skip
"""Punctuation to the marks the model knows."""
_KEPT = ';:,.!?—…"“”'
_PUNCTUATION = re.compile(rf"([{re.escape(''.join(mark for mark in _MARKS if len(mark) == 1) + _KEPT)}]+)")
_HAN = re.compile(r"([\u3400-\u4dbf\u4e00-\u9fff]+)")
_LANGUAGE_FLAG = re.compile(r"\([^)]*\)")
_TIED = {
    "a^ɪ": "I", "a^ʊ": "W", "d^z": "ʣ", "d^ʒ": "ʤ", "e^ɪ": "A", "o^ʊ": "O", "ə^ʊ": "Q", "s^s": "S", "t^s": "ʦ", "t^ʃ": "ʧ",
    "ɔ^ɪ": "Y",
}  # fmt: skip
"""Tied IPA to the model's single symbols."""
_NEAREST = {"ɭ": "l", "ʉ": "ʊ", "ä": "a", "ɫ": "l"}
"""IPA outside the model's vocabulary to the nearest symbol inside; what has none, the model leaves out."""


def english(text: str, *, british: bool, extra: str) -> str:
    """English text as phonemes."""
    return str(_english(british, extra)(text))


def mandarin(text: str, *, extra: str) -> str:
    """Mandarin text, simplified or traditional, as phonemes with tone arrows; Latin words inside are read as English."""
    pieces = []
    for run in _HAN.split(_with_marks(text)):
        if _HAN.fullmatch(run):
            read, words = _mandarin(extra)
            pieces.append(" ".join(read(word) for word in words(run)))
        elif any(character.isalpha() for character in run):
            pieces.append(english(run, british=False, extra=extra))
        else:
            pieces.append(run)
    return _spaced(" ".join(pieces))


def by_espeak(text: str, language: str, *, extra: str) -> str:
    """Text of any language espeak-ng reads as phonemes; punctuation is kept, since the model takes its melody from it."""
    runs = _PUNCTUATION.split(text)
    spoken = iter(espeak_process.phonemes([run for run in runs[::2] if run.strip()], language, extra=extra))
    pieces = [_with_marks(run) if number % 2 else next(spoken) if run.strip() else "" for number, run in enumerate(runs)]
    return _spaced(_to_model(" ".join(pieces)))


def _with_marks(text: str) -> str:
    return "".join(f"{_MARKS[character]} " if character in _MARKS else character for character in text)


def _to_model(ipa: str) -> str:
    ipa = _LANGUAGE_FLAG.sub("", ipa)
    for table in (_TIED, _NEAREST):
        for old, new in table.items():
            ipa = ipa.replace(old, new)
    return ipa.replace("^", "").replace("-", "")


def _spaced(text: str) -> str:
    """Single spaces, and none before a mark."""
    return " ".join(re.sub(r"\s+([;:,.!?…])", r"\1", text).split())


@cache
def _english(british: bool, extra: str) -> Any:
    g2p = extras.load("hibari.g2p", package="hibari-tts", extra=extra, purpose="reading English for Kokoro")
    return g2p.G2P(british=british)


@cache
def _mandarin(extra: str) -> tuple[Any, Any]:
    """How a Mandarin word is read, and how a text is cut into words. The dictionary is read without jieba's cache in /tmp."""
    purpose = "reading Mandarin for Kokoro"
    jieba = extras.load("jieba", package="jieba", extra=extra, purpose=purpose)
    misaki = extras.load("misaki.zh", package="misaki", extra=extra, purpose=purpose)
    cutter = jieba.Tokenizer()
    cutter.FREQ, cutter.total = cutter.gen_pfdict(cutter.get_dict_file())
    cutter.initialized = True
    return misaki.ZHG2P.word2ipa, cutter.lcut
