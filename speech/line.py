"""Lines with sound: `asr`, where the candidate reads what a recogniser heard, and `--record` for the lines of text.

text -> spoken form -> voice (authored pauses become real) -> channel -> cuts at silences -> recogniser -> fragments
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import JsonValue

from core.authored import interruption_notes, split_text
from core.errors import ChangedClipError, ClipError
from core.line import Heard, HeardFragment, Line, LineTurn, Sounded
from core.schemas.base import Condition
from core.schemas.call_trace import AudioSpan, Channel, ChannelEvent, Message, Recording, TurnAudio
from core.schemas.scenario import Scenario
from core.seeds import derive
from core.spoken import rules_of
from speech import qc, recording
from speech.asr.guard import Guarded
from speech.casting import Cast
from speech.channel.presets import ChannelSpec
from speech.clip import Clip, concat
from speech.engines import Synthesizer
from speech.hearing import Listener
from speech.recording import SAMPLE_RATE, Timeline
from speech.speaking import Speaker, Spoken
from speech.spoken_form import is_speakable, spoken_form

PAUSE_S = 0.9
"""Seconds of silence that an authored pause puts between two pieces; the detector cuts from 0.7 s."""
MAX_REPLY = 3000
"""Characters that an agent may say in one turn, about three minutes; voices need memory by the square of a sentence's length."""
EDGE_S = 0.3
"""Seconds the line is open before and after the caller speaks. Some voices start at once, and a recogniser given nothing
before the first sound mishears it: for one of ours that alone cost a quarter of all word errors on a landline."""


class Booth:
    """The sound of one call: its voices, and all that has been said on one timeline."""

    def __init__(self, scenario: Scenario, seed: int, cast: Cast, speaker: Speaker) -> None:
        self.scenario = scenario
        self.timeline = Timeline()
        self._cast = cast
        self._seed = seed
        self._speaker = speaker
        self._replies = 0

    def settings(self) -> dict[str, JsonValue]:
        """Everything that decides how the call sounds before any channel."""
        return {
            **self._cast.settings(),
            "sample_rate": SAMPLE_RATE,
            "pause_s": PAUSE_S,
            "edge_s": EDGE_S,
            "turn_gap_s": recording.TURN_GAP_S,
            "spoken_form": rules_of(self.scenario.language),
            "quality_control": qc.VERSION,
        }

    def other_voices(self) -> tuple[Synthesizer, ...]:
        """Every voice of the cast but the caller's, the agent's last."""
        caller, agent = self._cast.caller[0], self._cast.agent[0]
        others = {voice.spec.id: voice for voice in (*self._cast.caller, *self._cast.agent) if voice.spec.id != caller.spec.id}
        return (*(voice for name, voice in others.items() if name != agent.spec.id), agent)

    def caller_pieces(self, turn: LineTurn) -> tuple[list[Clip], TurnAudio, tuple[ChannelEvent, ...]]:
        """A caller turn as one 16 kHz clip per piece between authored pauses, how it was spoken, and what happened to it.

        Raises:
            ClipError: a piece failed quality control with every voice.
        """
        pieces, events = split_text(self.scenario, turn.number, turn.speech, turn.expressed)
        said = [
            self._speaker.say(
                spoken_form(piece, self.scenario.language),
                self._cast.caller,
                language=self.scenario.language,
                seed=derive(self._seed, "speech", turn.number, number),
                pace=self._cast.caller_pace,
            )
            for number, piece in enumerate(pieces)
        ]
        clips = [spoken.clip.resampled(SAMPLE_RATE).quantised() for spoken in said]
        audio = TurnAudio(
            voice="+".join(dict.fromkeys(spoken.voice for spoken in said)),
            engine=said[0].voice,
            spoken=" | ".join(spoken.text for spoken in said),
            clip=open_line(clips).sha256,
        )
        return clips, audio, (*events, *_retakes(said))

    def reply(self, speech: str) -> Sounded | None:
        """Speak the agent's words onto the timeline; None where they hold nothing that its language can say.

        Words that no voice can say soundly, or nobody would listen to, are the agent's own fault: they are heard as silence,
        and it is kept why.

        Raises:
            ChangedClipError: a cached clip was changed and no longer passes quality control.
        """
        text = spoken_form(speech, self.scenario.language)
        self._replies += 1
        if not is_speakable(text, self.scenario.language):
            return None
        if len(text) > MAX_REPLY:
            return Sounded(span=None, retakes=(f"{len(text)} characters: at most {MAX_REPLY} are spoken in one turn",))
        try:
            spoken = self._speaker.say(
                text,
                self._cast.agent,
                language=self.scenario.language,
                seed=derive(self._seed, "reply", self._replies),
                pace=1.0,
            )
        except ChangedClipError:
            raise
        except ClipError as error:
            return Sounded(span=None, retakes=(str(error),))
        span = self.timeline.add(Channel.AGENT, spoken.clip.resampled(SAMPLE_RATE))
        return Sounded(span, spoken.voice, text, spoken.rejected)


class SpokenLine:
    """`asr`: the turn is spoken, sent through the channel, cut at its silences and transcribed."""

    condition = Condition.ASR

    def __init__(self, booth: Booth, channel: ChannelSpec, listener: Listener) -> None:
        self._booth = booth
        self._channel = channel
        self._listener = listener

    def settings(self) -> dict[str, JsonValue]:
        """Channel, voices, recogniser and detector with versions, model hashes and CPU features."""
        return {
            "line": "asr-1",
            **self._channel.settings(),
            **self._booth.settings(),
            **self._listener.settings(),
        }

    def carry(self, turn: LineTurn, rng: np.random.Generator) -> Heard:
        """What the recogniser made of the turn, fragment by fragment; chance in the channel comes from `rng`.

        Raises:
            ClipError: the turn could not be spoken soundly.
            EngineError, WeightsError, MissingExtraError, OperatorError: an engine or the cache cannot be used.
        """
        pieces, audio, events = self._booth.caller_pieces(turn)
        arrived = through(open_line(pieces), self._channel, self._listener, self._booth.scenario.language, rng)
        whole = self._booth.timeline.add(Channel.CALLER, arrived.clip)
        heard: list[HeardFragment] = []
        hits: list[ChannelEvent] = []
        for number, piece in enumerate(arrived.pieces, 1):
            words = piece.understood.transcript
            heard.append(HeardFragment(words.text, _part(whole, *piece.span), piece.clip.sha256, words.confidence))
            hits += _hearing_notes(piece.understood, number)
        if len(heard) < len(pieces):
            # people talking in the background fill a pause: to the detector they are speech
            merged = f"{len(pieces)} pieces were spoken, {len(heard)} arrived"
            hits.append(ChannelEvent(id="hearing_pause", kind="note", applied=True, detail=merged))
        notes = interruption_notes(self._booth.scenario, turn.number, turn.expressed)
        return Heard(fragments=tuple(heard), events=(*events, *hits, *notes), audio=audio)

    def reply(self, speech: str) -> Sounded | None:
        """Put the agent's speech on the recording; the channel is on the caller's side only."""
        return self._booth.reply(speech)

    def recording(self, messages: Sequence[Message]) -> Recording | None:
        """The finished recording."""
        return recording.describe(self._booth.timeline, messages)

    def save(self, folder: Path, messages: Sequence[Message]) -> None:
        """Write recording, captions and clips."""
        recording.save(self._booth.timeline, folder, messages)


class RecordedLine:
    """Another line with sound beside it: the candidate still gets the inner line's words, the recording the intended ones."""

    def __init__(self, inner: Line, booth: Booth) -> None:
        self._inner = inner
        self._booth = booth

    @property
    def condition(self) -> Condition:
        """The inner line's condition."""
        return self._inner.condition

    def settings(self) -> dict[str, JsonValue]:
        """The inner line's settings, and how the call was spoken."""
        return {**self._inner.settings(), "recorded": self._booth.settings()}

    def carry(self, turn: LineTurn, rng: np.random.Generator) -> Heard:
        """What the inner line delivers, with the place of each fragment in the recording."""
        heard = self._inner.carry(turn, rng)
        pieces, audio, events = self._booth.caller_pieces(turn)
        whole = self._booth.timeline.add(Channel.CALLER, open_line(pieces))
        spans = _piece_spans(whole, pieces)
        if len(spans) != len(heard.fragments):
            # a damaged span moved or undid a pause: the whole turn sounds under its first fragment
            spans = [whole, *[None] * (len(heard.fragments) - 1)]
        fragments = tuple(HeardFragment(text=piece.text, span=span) for piece, span in zip(heard.fragments, spans, strict=True))
        retakes = tuple(event for event in events if event.kind == "note")
        return Heard(fragments=fragments, events=(*heard.events, *retakes), audio=audio)

    def reply(self, speech: str) -> Sounded | None:
        """Put the agent's speech on the recording."""
        return self._booth.reply(speech)

    def recording(self, messages: Sequence[Message]) -> Recording | None:
        """The finished recording."""
        return recording.describe(self._booth.timeline, messages)

    def save(self, folder: Path, messages: Sequence[Message]) -> None:
        """Write recording, captions and clips."""
        recording.save(self._booth.timeline, folder, messages)


@dataclass(frozen=True)
class ArrivedPiece:
    """A stretch of a turn between two silences."""

    span: tuple[int, int]
    """Where it lies in the turn, in samples."""
    clip: Clip
    """Its sound."""
    understood: Guarded
    """What the recogniser made of it."""


@dataclass(frozen=True)
class Arrived:
    """A turn at the far end of the line."""

    clip: Clip
    """All of it, 16 kHz and 16 bits."""
    pieces: tuple[ArrivedPiece, ...]
    """One to three pieces that tile it."""


def through(sent: Clip, channel: ChannelSpec, listener: Listener, language: str, rng: np.random.Generator) -> Arrived:
    """What comes of 16 kHz sound that is sent through a channel, cut at its silences and heard; chance comes from `rng`.

    Raises:
        EngineError, WeightsError, MissingExtraError, OperatorError: an engine or the cache cannot be used.
    """
    clip = channel.apply(sent, rng).quantised()
    pieces = [(span, clip.cut(*span)) for span in listener.cut(clip)]
    return Arrived(clip, tuple(ArrivedPiece(span, piece, listener.understand(piece, language)) for span, piece in pieces))


def open_line(pieces: Sequence[Clip]) -> Clip:
    """Pieces of one rate with an authored pause between each two, and the open line before and after them."""
    rate = pieces[0].sample_rate
    pause, edge = Clip.silence(PAUSE_S, rate), Clip.silence(EDGE_S, rate)
    return concat(edge, *[clip for piece in pieces for clip in (pause, piece)][1:], edge)


def _piece_spans(whole: AudioSpan, pieces: Sequence[Clip]) -> list[AudioSpan | None]:
    """Where each piece sounds; pauses and edges belong to none."""
    spans: list[AudioSpan | None] = []
    start = round(EDGE_S * SAMPLE_RATE)
    for piece in pieces:
        spans.append(_part(whole, start, start + len(piece)))
        start += len(piece) + round(PAUSE_S * SAMPLE_RATE)
    return spans


def _part(whole: AudioSpan, start: int, end: int) -> AudioSpan:
    return AudioSpan(channel=whole.channel, start_sample=whole.start_sample + start, end_sample=whole.start_sample + end)


def _hearing_notes(understood: Guarded, fragment: int) -> Iterator[ChannelEvent]:
    """A note for every hit of the guard in a fragment, counted from 1, and for a language the recogniser found by itself."""
    for hit in understood.hits:
        figures = ", ".join(f"{name} {value:g}" for name, value in hit.figures.items())
        yield ChannelEvent(
            id=f"hearing_guard:{hit.kind}",
            kind="note",
            applied=hit.after != hit.before,
            before=hit.before,
            after=hit.after,
            detail=f"fragment {fragment}: {figures}",
        )
    found = understood.transcript.detected
    if found is not None:
        yield ChannelEvent(id="hearing_language", kind="note", applied=True, after=found, detail=f"fragment {fragment}")


def _retakes(said: Sequence[Spoken]) -> tuple[ChannelEvent, ...]:
    """A note for every clip that failed quality control before another was used."""
    return tuple(
        ChannelEvent(id="quality_control", kind="note", applied=True, before=spoken.text, detail=fault)
        for spoken in said
        for fault in spoken.rejected
    )
