"""Chat models as detectors: one prompt in each language, and the call as the user's message, in words or as a recording."""

from __future__ import annotations

import base64
import io
import wave
from collections.abc import Collection
from typing import Literal

import numpy as np
from pydantic import JsonValue

from core.errors import UnansweredError, UsageError
from core.metered import Meter, Told
from core.schemas.call_trace import PartyRecord
from core.schemas.detections import DetectionError, InputMode
from core.schemas.usage import Usage
from core.snapshots.detector import CallSound, CallWords, Given, Said
from core.snapshots.parsing import read_label
from models.chat.client import ChatClient
from models.chat.prompts import hashes, prompt
from models.chat.reply import ChatReply, Json
from models.chat.request import AUDIO_PART

PromptLanguage = Literal["zh", "en"]
PROMPTS: dict[PromptLanguage, str] = {"zh": "detector-zh-1", "en": "detector-en-1"}
"""Language of the prompt to its name; the same words for transcripts and for recordings."""
AUDIO_SCHEME = "audio-chat"
"""Scheme of the parties that hear the recording."""
SILENCE = "(silence)"
"""What stands for a transcript without a word, since many endpoints refuse an empty message."""
_CHECK_RATE = 24_000
_CUT = frozenset({"length", "max_tokens"})
_WITHHELD = "content_filter"


class ChatDetector:
    """Implements `core.snapshots.detector.Detector`; an answer depends on nothing but the call and the seed."""

    def __init__(self, client: ChatClient, language: PromptLanguage, *, audio: bool = False) -> None:
        """`language` is that of the prompt, not of the calls; with `audio` the model hears calls, else it reads them."""
        self._client = client
        self._audio = audio
        self._meter = Meter()
        self.prompt_language: PromptLanguage = language
        """Language of the prompt."""

    @property
    def prompt_sha256(self) -> str:
        """Hash of the prompt."""
        return prompt(PROMPTS[self.prompt_language]).sha256

    @property
    def modes(self) -> Collection[InputMode]:
        """The recording, or both kinds of words."""
        return (InputMode.AUDIO,) if self._audio else (InputMode.ASR, InputMode.REF)

    @property
    def waits(self) -> bool:
        """It does, for its endpoint."""
        return True

    def record(self) -> PartyRecord:
        """The model with all its settings, and the prompt by hash."""
        words: dict[str, JsonValue] = {**hashes(PROMPTS[self.prompt_language])}
        if not self._audio:
            return self._client.record({"role": "detector", "prompts": words, "silence": SILENCE})
        made = self._client.record({"role": "detector", "prompts": words})
        return made.model_copy(update={"party": f"{AUDIO_SCHEME}:{made.party.partition(':')[2]}"})

    def check(self) -> None:
        """Ask for the smallest reply, with a second of silence where calls are heard.

        Raises:
            OperatorError: the key, the model, the address or a setting is wrong, or it takes no sound.
            ProviderError: it does not answer now.
        """
        given = _a_second_of_silence() if self._audio else CallWords(SILENCE)
        self._meter.add(self._client.check(self._messages(given)))

    def usage(self) -> Usage:
        """What this detector used so far."""
        return self._meter.total()

    def tell(self, told: Told) -> None:
        """Tell of what is used from now on."""
        self._meter.tell(told)

    def detect(self, given: Given, seed: int) -> Said:
        """Its answer as it came; as the protocol says, and UsageError for a kind of call that it is not given."""
        try:
            reply = self._client.complete(self._messages(given), seed=seed)
        except UnansweredError as error:
            raise TimeoutError(str(error)) from error
        self._meter.add(reply.usage)
        return Said(raw=reply.raw, error=_why_none(reply), attempts=reply.attempts, usage=reply.usage)

    def _messages(self, given: Given) -> list[Json]:
        """The whole request: the prompt, then the call and nothing else."""
        if isinstance(given, CallSound) != self._audio:
            wanted, found = ("a recording", "words") if self._audio else ("words", "a recording")
            raise UsageError(f"{self.record().party!r} takes {wanted}, and was given {found}: choose another mode or detector")
        rules = prompt(PROMPTS[self.prompt_language]).text
        return [{"role": "system", "content": rules}, {"role": "user", "content": _content(given)}]


def _content(given: Given) -> str | list[Json]:
    if isinstance(given, CallWords):
        return given.text if given.text.strip() else SILENCE
    sound = {"data": base64.b64encode(given.wav).decode(), "format": "wav"}
    return [{"type": AUDIO_PART, AUDIO_PART: sound}]


def _why_none(reply: ChatReply) -> DetectionError | None:
    """Why a reply is no label though it may hold one: declined, withheld or cut off."""
    if reply.refusal or reply.finish_reason == _WITHHELD:
        return DetectionError.REFUSAL
    if reply.finish_reason in _CUT:
        return read_label(reply.raw).error or DetectionError.PARSE
    return None


def _a_second_of_silence() -> CallSound:
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(_CHECK_RATE)
        out.writeframes(bytes(2 * _CHECK_RATE))
    return CallSound(np.zeros(_CHECK_RATE, dtype=np.float32), _CHECK_RATE, file.getvalue())
