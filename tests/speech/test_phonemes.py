"""What Kokoro is given to say: phonemes of its vocabulary in every language, with marks, tones and foreign words."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import pytest

from speech.tts.phonemes import by_espeak, english, mandarin

pytestmark = pytest.mark.engine

EXTRA = "voices"
SENTENCES = {
    "hi": "मेरा खाता नंबर चार सात दो है। कृपया इसे जाँच लीजिए, ठीक है?",
    "mr": "माझा खाते क्रमांक चार सात दोन आहे. वेळ किती, सांगा?",
    "gu": "મારો ખાતા નંબર ચાર સાત બે છે. કૃપા કરીને તપાસો, ચાલશે?",
    "ta": "என் கணக்கு எண் நான்கு ஏழு இரண்டு. தயவுசெய்து பாருங்கள், சரியா?",
    "te": "నా ఖాతా సంఖ్య నాలుగు ఏడు రెండు. దయచేసి చూడండి, సరేనా?",
    "bn": "আমার অ্যাকাউন্ট নম্বর চার সাত দুই। দয়া করে দেখুন, ঠিক আছে?",
    "kn": "ನನ್ನ ಖಾತೆ ಸಂಖ್ಯೆ ನಾಲ್ಕು ಏಳು ಎರಡು. ದಯವಿಟ್ಟು ನೋಡಿ, ಸರಿನಾ?",
    "es": "Mi número de cuenta es cuatro siete dos. ¿Puede revisarlo, por favor?",
    "fr": "Mon numéro de compte est quatre sept deux. Vous pouvez vérifier, oui?",
    "it": "Il mio numero di conto è quattro sette due. Può guardare, per favore?",
    "pt": "Meu número de conta é quatro sete dois. Pode ver, por favor?",
    "ja": "わたしのなまえはさくらです。いま、いいですか？",
}
"""A statement and a question in each language that reaches Kokoro through espeak-ng."""


@pytest.fixture(scope="module")
def vocabulary() -> frozenset[str]:
    """The symbols the model knows."""
    path = Path(str(metadata.distribution("hibari-tts").locate_file("hibari/assets/vocab.json")))
    return frozenset(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("language", SENTENCES)
def test_every_phoneme_is_one_the_model_knows(language: str, vocabulary: frozenset[str]) -> None:
    """Nothing of a sentence is lost on the way: each symbol is in the vocabulary, and its marks stand behind their words."""
    said = by_espeak(SENTENCES[language], language, extra=EXTRA)

    assert set() == set(said) - vocabulary - {"̞"}
    assert ".?" == "".join(mark for mark in said if mark in ".?")
    assert said.endswith("?")
    assert ", " in said
    assert " ," not in said


def test_a_foreign_word_is_read_and_its_flag_is_not() -> None:
    """Latin letters in Hindi become English sounds; espeak-ng's marks of a change of language are taken out."""
    said = by_espeak("मेरा email बदल दो", "hi", extra=EXTRA)

    assert "ˈiːmA" in said.replace("l", "")
    assert "(" not in said
    assert "en" not in said


def test_mandarin_has_tones_and_reads_latin_words_as_english(vocabulary: frozenset[str]) -> None:
    """Each syllable carries its tone's arrow, full-width marks become plain ones, and a Latin word is English."""
    said = mandarin("我的账户，是email。", extra=EXTRA)

    assert "wo↓ tɤ ꭧa↘ŋxu↘, ʂɨ↘ ˈimˌAl." == said
    assert set() == set(said) - vocabulary


def test_british_and_american_english_differ() -> None:
    """The accent of a voice is an accent of its phonemes too."""
    american, british = (english("I'd rather go on Tuesday.", british=british, extra=EXTRA) for british in (False, True))

    assert "ɹˈæðəɹ" in american
    assert "ɹˈɑːðə" in british


def test_what_holds_no_words_has_no_phonemes() -> None:
    """Marks alone give no phoneme in any language, and nothing breaks."""
    for said in (by_espeak("?!", "hi", extra=EXTRA), mandarin("？！", extra=EXTRA), english("...", british=False, extra=EXTRA)):
        assert not any(symbol.isalpha() for symbol in said)
