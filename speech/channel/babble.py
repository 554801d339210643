"""Other people talking: voices that are not the caller's, laid over one another into a loop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.errors import UsageError
from models import registry
from speech.channel.effects import Frame
from speech.clip import Clip
from speech.engines import Synthesizer
from speech.speaking import Speaker

TALKERS = 6
"""People talking at once."""
SECONDS = 8.0
"""Length of the loop."""
RATE = 16000
PITCHES = (1.0, 0.92, 1.08, 0.96, 1.04, 0.88)
"""Factor on each talker's pitch, so that few voices still make a crowd."""

SENTENCES: dict[str, tuple[str, ...]] = {
    "en": (
        "I told her we would be there by seven, but the train was late again.",
        "Could we have two more coffees and the bill when you have a moment?",
        "He has been talking about that garden for three years now.",
        "No, the blue one, the one next to the window.",
        "We walked all the way along the river and back before lunch.",
        "They are closing the road on Monday, so everyone will be late.",
    ),
    "hi": (
        "मैंने उससे कहा था कि हम सात बजे तक पहुँच जाएँगे।",
        "दो चाय और दे दीजिए, और बिल भी ले आइए।",
        "कल बाज़ार में बहुत भीड़ थी, हम जल्दी लौट आए।",
        "वह नीली वाली, जो खिड़की के पास रखी है।",
    ),
    "zh": (
        "我跟她说我们七点钟到，可是火车又晚点了。",
        "麻烦再来两杯咖啡，顺便把账单拿过来。",
        "昨天市场里人特别多，我们很早就回家了。",
        "不是那个，是窗户旁边蓝色的那一个。",
    ),
    "gu": ("મેં એને કહ્યું હતું કે અમે સાત વાગ્યે પહોંચી જઈશું.", "બે ચા આપજો, અને બિલ પણ લાવજો.", "ગઈકાલે બજારમાં બહુ ભીડ હતી."),
    "mr": ("मी तिला सांगितलं होतं की आम्ही सात वाजता पोहोचू.", "दोन चहा द्या, आणि बिल पण आणा.", "काल बाजारात खूप गर्दी होती."),
    "bn": ("আমি ওকে বলেছিলাম আমরা সাতটার মধ্যে পৌঁছে যাব।", "আর দুটো চা দিন, আর বিলটাও আনবেন।", "কাল বাজারে খুব ভিড় ছিল।"),
    "ta": ("நாங்கள் ஏழு மணிக்கு வந்துவிடுவோம் என்று அவளிடம் சொன்னேன்.", "இன்னும் இரண்டு காபி கொடுங்கள்.", "நேற்று கடையில் நல்ல கூட்டம்."),
    "te": ("మేము ఏడు గంటలకు వస్తామని ఆమెకు చెప్పాను.", "ఇంకో రెండు టీలు ఇవ్వండి, బిల్లు కూడా తెండి.", "నిన్న బజారులో చాలా రద్దీగా ఉంది."),
    "kn": ("ನಾವು ಏಳು ಗಂಟೆಗೆ ಬರುತ್ತೇವೆ ಎಂದು ಅವಳಿಗೆ ಹೇಳಿದ್ದೆ.", "ಇನ್ನೆರಡು ಕಾಫಿ ಕೊಡಿ, ಬಿಲ್ ಕೂಡ ತನ್ನಿ.", "ನಿನ್ನೆ ಮಾರುಕಟ್ಟೆಯಲ್ಲಿ ತುಂಬಾ ಜನ ಇದ್ದರು."),
}
"""What is talked about, by primary language; people of any other language are heard talking English."""


def babble(speaker: Speaker, voices: Sequence[Synthesizer], language: str) -> Clip:
    """A loop of `TALKERS` people, at 16 kHz and of any level; the same for the same voices, which are none of the caller's.

    Raises:
        UsageError: none of the voices can talk.
        ClipError, EngineError, WeightsError, MissingExtraError, OperatorError: a voice cannot speak.
    """
    primary = language.split("-")[0]
    spoken = primary if primary in SENTENCES else "en"
    able = [voice for voice in voices if registry.serves(voice.spec, spoken)]
    if not able:
        raise UsageError(f"no voice but the caller's speaks {spoken!r} here, so nobody can talk behind it: choose another noise")
    loop = np.zeros(round(SECONDS * RATE))
    for talker in range(TALKERS):
        first = talker % len(able)
        talk = _talk(speaker, [*able[first:], *able[:first]], talker, spoken, len(loop))
        loop += np.roll(talk, talker * len(loop) // TALKERS)
    return Clip.of(loop / np.abs(loop).max() / 2, RATE).quantised()


def _talk(speaker: Speaker, voices: Sequence[Synthesizer], talker: int, language: str, count: int) -> Frame:
    """`count` samples of one person going on and on, who begins at a sentence of their own."""
    sentences = SENTENCES[language]
    parts: list[Frame] = []
    number = talker
    while sum(map(len, parts)) < count:
        said = speaker.say(sentences[number % len(sentences)], voices, language=language, seed=talker, pace=1.0).clip
        # read at another rate, a voice is higher or lower, as another person's is
        tuned = Clip(said.samples, round(said.sample_rate * PITCHES[talker])).resampled(RATE)
        parts.append(tuned.samples.astype(np.float64))
        number += 1
    return np.concatenate(parts)[:count]
