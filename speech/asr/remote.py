"""A recogniser behind an OpenAI-compatible server: sound goes out as 16 kHz WAV, words and figures come back."""

from __future__ import annotations

import json
from typing import Any

from core.errors import ProviderError, UsageError
from core.options import refuse_unknown
from models.specs import ModelSpec
from speech import audiofile
from speech.clip import Clip
from speech.endpoint import Endpoint, post
from speech.engines import NO_OPTIONS, Options, Segment, Signature, Transcript, base_signature, engine_boundary

SAMPLE_RATE = 16000
FORMATS = ("verbose_json", "json")
"""The first gives segments with figures, without which neither confidence nor the guard can judge; some models lack it."""
OPTIONS = ("format", "prompt")


class RemoteRecognizer:
    """A transcription model of a server. Nobody can promise that it answers the same twice; transcripts are kept, though."""

    def __init__(self, spec: ModelSpec, endpoint: Endpoint | None, options: Options = NO_OPTIONS) -> None:
        refuse_unknown(options, OPTIONS, spec.id)
        self.spec = spec
        self._endpoint = endpoint
        self._format = options.get("format", FORMATS[0])
        self._prompt = options.get("prompt", "")
        if self._format not in FORMATS:
            raise UsageError(f"format={self._format} of {spec.id}: give {' or '.join(FORMATS)}")

    def signature(self) -> Signature:
        """Server, model, format and prompt; never the key."""
        asked = {"model": self.spec.name, "format": self._format, "prompt": self._prompt, "temperature": 0}
        return base_signature(self.spec, {**asked, "server": self._endpoint.mark if self._endpoint else None})

    def transcribe(self, clip: Clip, *, language: str) -> Transcript:
        """The words of `clip`; the language is told to the server.

        Raises:
            OperatorError: the server is not there, or refuses key or request.
            ProviderError: it failed, or what it sent is no transcript.
        """
        with engine_boundary(self.spec, "listening"):
            sound = audiofile.encode(clip.resampled(SAMPLE_RATE).to_pcm16()[:, None], SAMPLE_RATE, "WAV")
            fields = {
                "model": self.spec.name or "",
                "language": language.split("-")[0].lower(),
                "response_format": self._format,
                "temperature": "0",
                **({"prompt": self._prompt} if self._prompt else {}),
            }
            files = {"file": ("turn.wav", sound, "audio/wav")}
            answer = post(self._endpoint, "/audio/transcriptions", self.spec.id, data=fields, files=files)
            return _transcript(answer.body, language, self.spec.id)


def _transcript(body: bytes, language: str, who: str) -> Transcript:
    """The transcript in an answer; without segments it has no figures."""
    try:
        found = json.loads(body)
        text = " ".join(found["text"].split())
        segments = tuple(_segment(piece) for piece in found.get("segments") or ())
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        what = f"{type(error).__name__}: {' '.join(str(error).split())[:100]}"
        raise ProviderError(f"the server of {who} answered with no transcript ({what}): {body[:60]!r}") from None
    return Transcript(text, segments, language)


def _segment(piece: Any) -> Segment:
    return Segment(
        start_s=round(float(piece["start"]), 3),
        end_s=round(float(piece["end"]), 3),
        text=" ".join(piece["text"].split()),
        avg_logprob=round(float(piece["avg_logprob"]), 6),
        no_speech_prob=round(float(piece["no_speech_prob"]), 6),
        compression_ratio=round(float(piece["compression_ratio"]), 6),
    )
