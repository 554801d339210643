"""Rendering the calls of a month: voices bound to trees, deliveries, one timeline, a telephone channel, quality control.

`assign` settles the voices of all trees at once; then `render_call` makes the sound of one call, in any process and order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import JsonValue

from core.errors import ChangedClipError, ClipError, UsageError
from core.files import write_atomic
from core.schemas.base import content_hash, sha256
from core.schemas.snapshots import CallAudio, CallTurn, CallVoices, Delivery, Side, SnapshotCall, TurnSpan
from core.schemas.voicing import DeliveryForm, RenderConfig
from core.seeds import derive, generator
from core.spoken import rules_of
from speech import audiofile, qc, speaking
from speech.channel.presets import ChannelSpec, parse_channel
from speech.clip import Clip
from speech.engines import Synthesizer
from speech.level import LEVEL_DBFS
from speech.rendering import assigning, delivery, quality, timeline
from speech.rendering.pool import snapshot_voices
from speech.rendering.tables import delivery_table, voice_table
from speech.rendering.timeline import SAMPLE_RATE
from speech.speaking import Spoken
from speech.spoken_form import spoken_form
from speech.studio import Studio

VERSION = "render-1"
"""Goes up with any change of the sound that the same call and settings give."""


@dataclass(frozen=True)
class Rendered:
    """The recording of a call that passed quality control."""

    audio: CallAudio
    """What its manifest row says of it."""
    wav: bytes
    """The file."""


@dataclass(frozen=True)
class Refused:
    """A call that could not be rendered soundly; another one may take its place."""

    sample_id: str
    """The call."""
    reasons: tuple[str, ...]
    """What failed, each with value and bounds."""


def assign(calls: Iterable[SnapshotCall], config: RenderConfig, studio: Studio) -> dict[str, CallVoices]:
    """Both voices of every tree by its id, for all trees of a month in their order. Loads no engine.

    Raises:
        UsageError: calls of several languages, siblings with different people, or too few voices.
    """
    known = tuple(calls)
    languages = sorted({call.language for call in known})
    if len(languages) > 1:
        raise UsageError(f"calls of several languages, {', '.join(languages)}: a month has one")
    if not known:
        return {}
    pool = snapshot_voices(config.voices, languages[0], studio.cache_root)
    return assigning.assign_voices(assigning.casts_of(known), pool, voice_table(), config.seed)


def render_call(call: SnapshotCall, voices: CallVoices, config: RenderConfig, studio: Studio) -> Rendered | Refused:
    """The recording of one call; equal arguments give equal bytes, with a full cache and with an empty one.

    Raises:
        UsageError: an unknown voice or channel.
        ChangedClipError: a cached clip was changed.
        ProviderError, WeightsError, MissingExtraError, OperatorError: an engine or the cache cannot be used; nothing was
            rendered otherwise instead.
    """
    engines = {
        Side.CALLER: _engine(voices.caller.voice_id, call.language, config, studio),
        Side.RECEIVER: _engine(voices.receiver.voice_id, call.language, config, studio),
    }
    try:
        turns = [_said(turn, call, engines[turn.side], config, studio) for turn in call.turns]
    except ChangedClipError:
        raise
    except ClipError as error:
        return Refused(call.sample_id, (str(error),))
    channel = channel_of(call.tree_id, config)
    waits = timeline.gaps(config.seed, call.tree_id, len(turns) - 1)
    sent, places = timeline.joined([turn.clip for turn in turns], waits)
    arrived = through(sent, channel, config.seed, call.tree_id)
    spans = tuple(
        TurnSpan(turn=number, start_sample=start, end_sample=end, rendered=turn.rendered)
        for number, (turn, (start, end)) in enumerate(zip(turns, places, strict=True))
    )
    wav = audiofile.encode(arrived.to_pcm16()[:, None], SAMPLE_RATE, "WAV")
    audio = CallAudio(
        path=f"audio/{call.sample_id}.wav",
        sha256=sha256(wav),
        sample_rate=SAMPLE_RATE,
        samples=len(arrived),
        spans=spans,
        channel=str(channel),
        variant=config.variant,
        engines={engine.spec.id: content_hash(dict(engine.signature())) for engine in engines.values()},
        checks=(),
        attempts=tuple(attempt for turn in turns for attempt in turn.attempts),
    )
    checks = quality.inspect_file(wav, call, audio)
    failed = quality.reasons(checks)
    if failed:
        return Refused(call.sample_id, failed)
    return Rendered(audio.model_copy(update={"checks": quality.recorded(checks)}), wav)


def write_audio(root: Path, rendered: Rendered) -> Path:
    """Write the recording where its row says, whole or not at all.

    Raises:
        FileError: it cannot be written.
    """
    path = root / rendered.audio.path
    write_atomic(path, rendered.wav)
    return path


def channel_of(tree_id: str, config: RenderConfig) -> ChannelSpec:
    """The telephone channel of a tree.

    Raises:
        UsageError: an unknown channel, or one that needs a sound behind the voices.
    """
    drawn = int(generator(config.seed, "channel", tree_id).integers(len(config.channels)))
    channels = [parse_channel(text) for text in config.channels]
    for channel in channels:
        if channel.needs is not None:
            raise UsageError(f"channel {str(channel)!r} needs other sound behind the voices: give one that makes its own noise")
    return channels[drawn]


def through(sent: Clip, channel: ChannelSpec, seed: int, tree_id: str) -> Clip:
    """A call at the far end of its channel; siblings meet the same noise and losses, so that they share their first samples."""
    stream = channel.open(sent.sample_rate, LEVEL_DBFS, generator(seed, "line", tree_id))
    head, tail = stream.process(sent.samples), stream.flush()
    return Clip(np.concatenate([head, tail]), sent.sample_rate).quantised()


def settings(language: str, config: RenderConfig, studio: Studio) -> dict[str, JsonValue]:
    """Everything that decides the sound of a month beside its calls, for `SNAPSHOT.json`.

    Raises:
        UsageError: an unknown voice or channel.
        MissingExtraError: an engine is not installed.
    """
    pool = snapshot_voices(config.voices, language, studio.cache_root)
    deliveries, table = delivery_table(), voice_table()
    return {
        "render": VERSION,
        **config.model_dump(mode="json"),
        **pool.settings(),
        "synthesizers": {voice.spec.id: dict(studio.voice(voice.spec, voice.options).signature()) for voice in pool.voices},
        "channel_settings": {text: dict(parse_channel(text).settings()) for text in config.channels},
        "assignment": assigning.VERSION,
        "voice_table": {"version": table.version, "sha256": content_hash(table.model_dump(mode="json"))},
        "delivery": delivery.VERSION,
        "delivery_table": {"version": deliveries.version, "sha256": content_hash(deliveries.model_dump(mode="json"))},
        "spoken_form": rules_of(language),
        "quality_control": {"clip": qc.VERSION, "call": quality.VERSION},
    }


@dataclass(frozen=True)
class _Turn:
    """A turn as it was said."""

    clip: Clip
    """Its sound at the rate of recordings."""
    rendered: str
    """The delivery, fully written out."""
    attempts: tuple[str, ...]
    """Earlier attempts, each with the delivery it was rendered in."""


def _said(turn: CallTurn, call: SnapshotCall, engine: Synthesizer, config: RenderConfig, studio: Studio) -> _Turn:
    """A turn in its delivery; a second attempt has the same one, a little slower, and no other voice stands in.

    Raises:
        ClipError: no attempt passed.
    """
    name = turn.delivery if config.variant == "delivery" else Delivery.NEUTRAL
    form = delivery_table().forms[name]
    try:
        spoken = studio.speaker.say(
            spoken_form(turn.text, call.language),
            [engine],
            language=call.language,
            seed=derive(config.seed, "speech", call.tree_id, turn.side.value, turn.text),
            pace=delivery.engine_pace(form),
        )
    except ChangedClipError:
        raise
    except ClipError as error:
        raise ClipError(f"turn {turn.i} as {name}:{form}: {error}") from error
    attempts = tuple(f"turn {turn.i} as {name}:{form}: {fault}" for fault in spoken.rejected)
    return _Turn(delivery.shaped(spoken.clip, form, SAMPLE_RATE), f"{name}:{_as_said(form, spoken)}", attempts)


def _as_said(form: DeliveryForm, spoken: Spoken) -> DeliveryForm:
    """The form with the pace of the attempt that passed."""
    _, factor = speaking.ATTEMPTS[len(spoken.rejected)]
    return form.model_copy(update={"pace": round(form.pace * factor, 4)})


def _engine(voice_id: str, language: str, config: RenderConfig, studio: Studio) -> Synthesizer:
    pool = snapshot_voices(config.voices, language, studio.cache_root)
    for voice in pool.voices:
        if voice.spec.id == voice_id:
            return studio.voice(voice.spec, voice.options)
    raise UsageError(f"voice {voice_id!r} is none of the voices {config.voices!r}: assign voices from the same ones")
