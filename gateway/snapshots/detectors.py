"""Detectors by name: `scheme:name?key=value&...` to something that answers about calls. A new one is one entry here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from core.errors import UsageError
from core.own_thread import LIMIT_S
from core.schemas.detections import InputMode
from core.snapshots.detector import Detector
from core.snapshots.evaluating.held_out import HeldOut
from gateway.parties import CHAT_PARTY, USER_PARTY, chat_client
from gateway.party_registry import PartyRegistry
from gateway.party_spec import PartySpec, redacted
from gateway.user_parties import user_detector, user_factory


@dataclass(frozen=True)
class Wanted:
    """What a detector is made for; never a label."""

    language: str
    """BCP 47 tag of the calls."""
    prompt_language: Literal["zh", "en"]
    """Language of its prompt, where it has one."""
    mode: InputMode
    """What it will be given."""
    month: HeldOut = field(default_factory=HeldOut)
    """What it may not have learned from."""


AUDIO_CHAT_PARTY = "audio-chat:<provider>/<model>"
MakeDetector = Callable[[Wanted], Detector]


def make_detector(text: str, wanted: Wanted, turn_timeout_s: float = LIMIT_S) -> Detector:
    """A detector; a class of a user's has `turn_timeout_s` seconds for each answer.

    Raises:
        UsageError: no such detector, options it cannot take, or it cannot be given calls in this mode.
    """
    made = DETECTORS.make(text, turn_timeout_s)(wanted)
    if wanted.mode not in made.modes:
        takes = ", ".join(mode.value for mode in InputMode if mode in made.modes)
        raise UsageError(f"{redacted(text)!r} cannot be asked with --mode {wanted.mode}: it takes {takes}")
    return made


def modes_of(text: str, wanted: Wanted) -> tuple[InputMode, ...]:
    """What a detector can be given; raises UsageError for one that there is none of."""
    made = DETECTORS.make(text, LIMIT_S)(wanted)
    return tuple(mode for mode in InputMode if mode in made.modes)


def _text_baseline(name: str, spec: PartySpec) -> MakeDetector:
    from models.detectors.text import baseline_detector, training

    asked = training(spec.options, spec.text)
    return lambda wanted: baseline_detector(name, asked, wanted.language, wanted.mode, wanted.month)


def _keywords(spec: PartySpec) -> MakeDetector:
    from models.detectors.keywords import keyword_detector

    return lambda wanted: keyword_detector(wanted.language, spec.options, spec.text)


def _chat(audio: bool, spec: PartySpec) -> MakeDetector:
    from models.detectors.chat import ChatDetector

    client = chat_client(spec, "detector")
    return lambda wanted: ChatDetector(client, wanted.prompt_language, audio=audio)


def _acoustic(_spec: PartySpec) -> MakeDetector:
    from models.detectors.acoustic import AcousticDetector, shipped_model

    return lambda wanted: AcousticDetector(shipped_model(), wanted.month)


def _user_detector(spec: PartySpec) -> MakeDetector:
    made = user_factory(spec)
    return lambda _wanted: user_detector(spec, made, spec.turn_timeout_s)


DETECTORS: PartyRegistry[MakeDetector] = PartyRegistry("detector")
for _name in ("tfidf-lr", "tfidf-svm", "frozen-encoder"):
    DETECTORS.register(f"offline:{_name}", partial(_text_baseline, _name), options=True)
DETECTORS.register("offline:keywords", _keywords, options=True)
DETECTORS.register("offline:acoustic", _acoustic)
DETECTORS.register(CHAT_PARTY, partial(_chat, False), options=True)
DETECTORS.register(AUDIO_CHAT_PARTY, partial(_chat, True), options=True)
DETECTORS.register(USER_PARTY, _user_detector, options=True)
