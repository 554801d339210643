"""The channels a user can name: `clean`, `landline`, `bad-cell`, and `landline:snr=5,loss=0.05`.

Every preset but `clean` is the same line: room, background noise, band-pass, gain, clipping, codec, packet loss. Presets
differ in rate and in their settings, and each setting can be given or switched off by name.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from pydantic import JsonValue

from core.errors import UsageError
from speech import extras
from speech.channel import effects, libav, noise
from speech.channel.effects import Frame, Stage
from speech.channel.stream import ChannelStream
from speech.clip import Clip
from speech.level import LEVEL_DBFS, active_power, decibels

CHANNEL_VERSION = 2
"""Goes up with any change that alters what a channel does to the same samples and seed."""

OFF = "off"
"""Switches an effect off, as in `snr=off`."""

Value = float | str


@dataclass(frozen=True)
class Number:
    """A setting that is a number."""

    low: float
    """Smallest allowed value."""
    high: float
    """Largest allowed value."""
    meaning: str
    """What it is, with its unit."""
    neutral: Value
    """The value that does nothing, which `off` stands for."""

    def read(self, text: str) -> Value | None:
        """The value a text names; None where it names none."""
        if text == OFF:
            return self.neutral
        try:
            value = float(text)
        except ValueError:
            return None
        return value + 0.0 if self.low <= value <= self.high else None  # minus zero would give the same channel two names

    def __str__(self) -> str:
        return f"a number from {_shown(self.low)} to {_shown(self.high)} or off ({self.meaning})"


@dataclass(frozen=True)
class Choice:
    """A setting that is one of a few words."""

    words: tuple[str, ...]
    """Allowed words."""
    meaning: str
    """What it is."""
    neutral: Value = OFF
    """The word that does nothing."""

    def read(self, text: str) -> Value | None:
        """The word, or None where it is not allowed."""
        word = noise.FILE if text.startswith(noise.FILE) else text
        return text if word in self.words and text != noise.FILE else None

    def __str__(self) -> str:
        return f"one of {', '.join(word + '<path>' if word == noise.FILE else word for word in self.words)} ({self.meaning})"


Setting = Number | Choice

_NOISES = (*noise.MADE, noise.BABBLE, noise.FILE)
SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        "room": Number(0.05, 2, "seconds until the echoes of the caller's room have died away by 60 dB", OFF),
        "noise": Choice(_NOISES, "what is heard behind the voice", "pink"),
        "snr": Number(-10, 80, "dB from active speech down to the noise, before the band-pass", OFF),
        "band": Choice((OFF, "300-3400", "100-7000"), "Hz that the line carries"),
        "gain": Number(-40, 40, "dB on the line after the band-pass", 0.0),
        "clip": Number(0.01, 1, "amplitude above which the line clips", 1.0),
        "codec": Choice((OFF, *dict.fromkeys((*libav.NARROW, *libav.WIDE))), "speech codec"),
        "loss": Number(0, 0.9, "probability that a 20 ms packet is lost", 0.0),
        "burst": Number(1, 50, "mean length of a burst of lost packets, at least that of independent losses", 1.0),
    }
)
"""Every setting of a line, in the order in which its canonical form names them."""


EFFECTS: Mapping[str, str] = MappingProxyType(
    {"room": "room", "noise": "snr", "band": "band", "gain": "gain", "clipping": "clip", "codec": "codec", "loss": "loss"}
)
"""Effect to the setting that switches it off, in the order in which sound meets them."""


@dataclass(frozen=True)
class Preset:
    """A kind of line."""

    summary: str
    """What it is like."""
    rate: int
    """Samples per second on the line."""
    values: Mapping[str, Value]
    """The settings that are not neutral."""

    def setting(self, name: str) -> Setting:
        """A setting as this preset allows it: codecs belong to one rate."""
        if name == "codec":
            return Choice((OFF, *(libav.NARROW if self.rate == 8000 else libav.WIDE)), SETTINGS["codec"].meaning)
        return SETTINGS[name]


_TELEPHONE = {"noise": "pink", "band": "300-3400"}
PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "landline": Preset("a quiet wired telephone", 8000, {**_TELEPHONE, "snr": 20.0, "codec": "mulaw"}),
        "mobile": Preset("a mobile telephone indoors", 8000, {**_TELEPHONE, "snr": 20.0, "codec": "amr", "loss": 0.01}),
        "voip": Preset(
            "a wide-band internet call", 16000, {"snr": 25.0, "band": "100-7000", "codec": "opus", "loss": 0.02, "burst": 2.0}
        ),
        "noisy-street": Preset(
            "a mobile telephone in traffic", 8000, {**_TELEPHONE, "snr": 8.0, "codec": "amr", "loss": 0.02, "burst": 2.0}
        ),
        "cafe": Preset(
            "a mobile telephone among people talking", 8000, {**_TELEPHONE, "noise": "babble", "snr": 10.0, "codec": "amr"}
        ),
        "bad-cell": Preset(
            "an old mobile telephone at the edge of its cell",
            8000,
            {**_TELEPHONE, "noise": "white", "snr": 12.0, "codec": "gsm", "loss": 0.08, "burst": 3.0},
        ),
        "speakerphone": Preset("a telephone across the room", 8000, {**_TELEPHONE, "room": 0.5, "snr": 18.0, "codec": "mulaw"}),
    }
)
"""Preset name to line; `clean` is no line at all."""
CLEAN = "clean"
NAMES = (CLEAN, *PRESETS)
"""Every name a channel can begin with."""


@dataclass(frozen=True)
class ChannelSpec:
    """One channel, fully decided. `str()` gives its canonical form, which `parse_channel` reads back."""

    preset: str
    """One of NAMES."""
    values: tuple[tuple[str, Value], ...] = ()
    """Every setting with its value, in the order of SETTINGS; none for `clean`."""
    background: Clip | None = field(default=None, compare=False)
    """The sound behind the voice, where `needs` says that one must be given."""

    def __str__(self) -> str:
        settings = ",".join(f"{name}={_shown(value)}" for name, value in self.values)
        return f"{self.preset}:{settings}" if settings else self.preset

    def settings(self) -> dict[str, JsonValue]:
        """All that decides the channel, for the trace.

        Raises:
            MissingExtraError: a package it needs is not installed.
        """
        found: dict[str, JsonValue] = {"channel": str(self), "version": CHANNEL_VERSION}
        if self.preset != CLEAN:
            used = ("numpy", "soxr", *libav.packages(str(dict(self.values)["codec"])))
            found["channel_packages"] = {name: extras.version(name, extra="speech", purpose="the channel") for name in used}
        if self.background is not None:
            found["background"] = {"clip": self.background.sha256, "seconds": round(self.background.duration_s, 3)}
        return found

    @property
    def needs(self) -> str | None:
        """The background that must be given: `babble`, or `file:` and a path; None where none is."""
        value = dict(self.values)
        kind = str(value.get("noise", ""))
        return None if kind in ("", *noise.MADE) or value["snr"] == OFF else kind

    @property
    def effects(self) -> tuple[str, ...]:
        """The names of the effects that are on, in order."""
        value = dict(self.values)
        return tuple(name for name, key in EFFECTS.items() if key in value and value[key] != SETTINGS[key].neutral)

    def keeping(self, effects: Collection[str]) -> ChannelSpec:
        """The channel with every effect off but these; its rate stays."""
        off = {EFFECTS[name] for name in self.effects if name not in effects}
        return replace(self, values=tuple((key, SETTINGS[key].neutral if key in off else value) for key, value in self.values))

    def with_background(self, sound: Clip) -> ChannelSpec:
        """The channel with this sound behind the voice, repeated as long as the call lasts.

        Raises:
            UsageError: the sound is silent.
        """
        if not sound.samples.any():
            raise UsageError(f"the background of channel {str(self)!r} is silent: give a sound that can be heard")
        return replace(self, background=sound)

    def apply(self, clip: Clip, rng: np.random.Generator) -> Clip:
        """What comes out at the far end, in step with `clip` and at its rate; equal arguments give equal samples.

        Noise is set against the active speech of `clip`, or against the usual level of speech where it holds none.
        """
        if self.preset == CLEAN:
            return clip
        power = active_power(clip.resampled(PRESETS[self.preset].rate))
        stream = self.open(clip.sample_rate, decibels(power) if power else LEVEL_DBFS, rng)
        return Clip(np.concatenate([stream.process(clip.samples), stream.flush()]), clip.sample_rate)

    def open(self, sample_rate: int, level_dbfs: float, rng: np.random.Generator) -> ChannelStream:
        """The channel for sound that arrives bit by bit, whose active speech is expected at `level_dbfs`."""
        if self.preset == CLEAN:
            return ChannelStream(sample_rate, sample_rate, [])
        rate = PRESETS[self.preset].rate
        return ChannelStream(sample_rate, rate, _stages(self, rate, level_dbfs, rng))


def parse_channel(text: str) -> ChannelSpec:
    """The channel a text such as `landline:snr=5,loss=0.05` names.

    Raises:
        UsageError: unknown preset or setting, a setting given twice, or a value that is not allowed.
    """
    name, colon, rest = text.strip().partition(":")
    if name not in NAMES:
        raise UsageError(f"unknown channel {name!r} in {text!r}: choose one of {', '.join(NAMES)}")
    if name == CLEAN:
        if colon:
            raise UsageError(f"{CLEAN} takes no settings, but {text!r} gives it some: choose {', '.join(PRESETS)} for those")
        return ChannelSpec(CLEAN)
    preset = PRESETS[name]
    values = {key: preset.values.get(key, setting.neutral) for key, setting in SETTINGS.items()}
    given: set[str] = set()
    for item in rest.split(",") if colon else []:
        key, _, word = (part.strip() for part in item.partition("="))
        if key not in SETTINGS:
            raise UsageError(f"unknown setting {key!r} in channel {text!r}: {name} takes {', '.join(SETTINGS)}")
        if key in given:
            raise UsageError(f"setting {key!r} stands twice in channel {text!r}: give it once")
        given.add(key)
        value = preset.setting(key).read(word)
        if value is None:
            raise UsageError(f"{key}={word} in channel {text!r}: give {preset.setting(key)}")
        values[key] = value
    return ChannelSpec(name, tuple(values.items()))


def _stages(spec: ChannelSpec, rate: int, level_dbfs: float, rng: np.random.Generator) -> list[Stage]:
    """The steps of a line, each with a generator of its own, so that changing one does not shift another's chance."""
    value = dict(spec.values)
    for_room, for_loop, for_noise, for_loss = rng.spawn(4)
    stages: list[Stage] = []
    if value["room"] != OFF:
        stages.append(effects.room(float(value["room"]), rate, for_room))
    if value["snr"] != OFF:
        loop = _loop(spec, str(value["noise"]), rate, for_loop)
        stages.append(effects.Noise(loop, level_dbfs - float(value["snr"]), for_noise))
    if value["band"] != OFF:
        low, high = str(value["band"]).split("-")
        stages.append(effects.band_pass(float(low), float(high), rate))
    if value["gain"]:
        stages.append(effects.Gain(float(value["gain"])))
    if value["clip"] != 1:
        stages.append(effects.Clipping(float(value["clip"])))
    if value["codec"] != OFF:
        stages.append(libav.open_codec(str(value["codec"]), rate))
    if value["loss"]:
        stages.append(effects.PacketLoss(float(value["loss"]), float(value["burst"]), rate, for_loss))
    return stages


def _loop(spec: ChannelSpec, kind: str, rate: int, rng: np.random.Generator) -> Frame:
    if kind in noise.MADE:
        return noise.made_loop(kind, rate, rng)
    if spec.background is None:
        raise ValueError(f"the channel {str(spec)!r} has no background sound: give it one by `with_background`")
    return noise.given_loop(spec.background, rate)


def _shown(value: Value) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if math.isfinite(value) and value == int(value) else repr(value)
