"""Phrases spoken, sent through a channel and heard again: one combination of voice, channel and recogniser at a time."""

from __future__ import annotations

from core.hearing_table import Cell, HeardPhrase
from core.schemas.phrases import PhraseSet
from core.seeds import derive, generator
from models.specs import ModelSpec
from speech.line import open_line, through
from speech.recording import SAMPLE_RATE
from speech.spoken_form import spoken_form
from speech.studio import Studio
from speech.voice_sets import STANDARD, voice_set


def survey(studio: Studio, voice: ModelSpec, phrases: PhraseSet, seed: int) -> tuple[Cell, list[HeardPhrase]]:
    """What the studio's recogniser hears of every phrase in `voice` through the studio's channel, as a caller's turn would be.

    Voices and channel draw from `seed` and the phrase, so that every channel and recogniser gets the same speech.

    Raises:
        ClipError: a phrase could not be spoken soundly.
        EngineError, WeightsError, MissingExtraError, OperatorError: an engine or the cache cannot be used.
    """
    language = phrases.language
    engine = studio.voice(voice)
    others = [
        studio.voice(named.spec) for named in voice_set(STANDARD, language, studio.cache_root).voices if named.spec != voice
    ]
    channel = studio.channel_behind(others, language)
    listener = studio.listener(language)
    heard = []
    for phrase in phrases.phrases:
        words = spoken_form(phrase.text, language)
        spoken = studio.speaker.say(words, [engine], language=language, seed=derive(seed, phrase.id), pace=1.0)
        sent = open_line([spoken.clip.resampled(SAMPLE_RATE).quantised()])
        arrived = through(sent, channel, listener, language, generator(seed, phrase.id, "channel"))
        text = " ".join(piece.understood.transcript.text for piece in arrived.pieces if piece.understood.transcript.text)
        heard.append(HeardPhrase(phrase=phrase, heard=text, audio_s=spoken.clip.duration_s))
    cell = Cell(
        recogniser=listener.name,
        model_sha256=listener.recognizer.spec.sha256,
        engine=voice.engine,
        voice=voice.id,
        channel=str(studio.channel),
    )
    return cell, heard
