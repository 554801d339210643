"""Voices behind an OpenAI-compatible server. What it sends passes the same gate as any sound from outside."""

from __future__ import annotations

from core.errors import InputError, ProviderError, UsageError
from core.options import refuse_unknown
from models.specs import ModelSpec
from speech.clip import Clip
from speech.endpoint import Answer, Endpoint, post
from speech.engines import NO_OPTIONS, Options, Signature, base_signature, engine_boundary
from speech.intake import Claims, take

FORMATS = ("wav", "pcm")
"""`pcm` is 16-bit mono without a header, at the rate the voice is said to have."""
OPTIONS = ("format", "instructions")


class RemoteSynthesizer:
    """A voice of a server. Nobody can promise that it sounds the same twice; clips are kept, though."""

    seeded = False

    def __init__(self, spec: ModelSpec, endpoint: Endpoint | None, options: Options = NO_OPTIONS) -> None:
        refuse_unknown(options, OPTIONS, spec.id)
        self.spec = spec
        self._endpoint = endpoint
        self._model, _, self._voice = (spec.name or "").partition("/")
        self._format = options.get("format", FORMATS[0])
        self._instructions = options.get("instructions", "")
        if self._format not in FORMATS:
            raise UsageError(f"format={self._format} of {spec.id}: give {' or '.join(FORMATS)}")

    def signature(self) -> Signature:
        """Server, model, voice, rate, format and instructions; never the key."""
        asked = {"model": self._model, "voice": self._voice, "format": self._format, "instructions": self._instructions}
        server = self._endpoint.mark if self._endpoint else None
        return base_signature(self.spec, {**asked, "sample_rate": self.spec.sample_rate, "server": server})

    def synthesize(self, text: str, *, language: str, seed: int, pace: float) -> Clip:
        """Speech for `text`; the server finds the language in the text, `seed` is ignored, `pace` 0.25 to 4.

        Raises:
            OperatorError: the server is not there, or refuses key or request.
            ProviderError: it failed, or what it sent is no whole sound of the voice's rate.
        """
        with engine_boundary(self.spec, "speaking"):
            asked = {
                "model": self._model,
                "voice": self._voice,
                "input": text,
                "response_format": self._format,
                "speed": pace,
                **({"instructions": self._instructions} if self._instructions else {}),
            }
            answer = post(self._endpoint, "/audio/speech", self.spec.id, json=asked)
            return self._checked(answer)

    def _checked(self, answer: Answer) -> Clip:
        """The clip in an answer."""
        kind = answer.content_type
        if self._format == "pcm" and not kind.startswith(("text/", "application/json")):
            kind = "audio/pcm"  # sent under many names, some of them those of forms with a header
        try:
            clip, _ = take(answer.body, Claims("speech", kind, self.spec.sample_rate)).clip("refuse")
        except InputError as error:
            raise ProviderError(f"the server of {self.spec.id} sent no usable speech: {error}") from None
        return clip
