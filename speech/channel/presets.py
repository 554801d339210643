"""The channels a user can name: `clean`, `landline`, and `landline:snr=5,loss=0.05`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from pydantic import JsonValue

from core.errors import UsageError
from speech.channel import effects
from speech.clip import Clip

CHANNEL_VERSION = 1
"""Goes up with any change that alters what a channel does to the same samples and seed."""

LANDLINE_RATE = 8000
LANDLINE_BAND_HZ = (300.0, 3400.0)


@dataclass(frozen=True)
class Setting:
    """One number of a preset that a user may override."""

    default: float
    """Value of the plain preset."""
    low: float
    """Smallest allowed value."""
    high: float
    """Largest allowed value."""
    meaning: str
    """What it is, with its unit."""


LANDLINE: dict[str, Setting] = {
    "snr": Setting(20, -10, 80, "dB from active speech down to the pink noise, before the band-pass"),
    "loss": Setting(0, 0, 0.9, "probability that a 20 ms packet is lost"),
    "gain": Setting(0, -40, 40, "dB on the line after the band-pass"),
    "clip": Setting(1, 0.01, 1, "amplitude above which the line clips"),
}
PRESETS: dict[str, dict[str, Setting]] = {"clean": {}, "landline": LANDLINE}
"""Preset name to the settings it takes."""


@dataclass(frozen=True)
class ChannelSpec:
    """One channel, fully decided. `str()` gives its canonical form, which `parse_channel` reads back."""

    preset: str
    """A key of PRESETS."""
    values: tuple[tuple[str, float], ...] = ()
    """Every setting of the preset with its value, in the preset's order."""

    def __str__(self) -> str:
        settings = ",".join(f"{name}={_number(value)}" for name, value in self.values)
        return f"{self.preset}:{settings}" if settings else self.preset

    def settings(self) -> dict[str, JsonValue]:
        """All that decides the channel, for the trace."""
        return {"channel": str(self), "version": CHANNEL_VERSION}

    def apply(self, clip: Clip, rng: np.random.Generator) -> Clip:
        """What comes out at the far end, at the rate of `clip`; equal clips and generators give equal samples."""
        if self.preset == "clean":
            return clip
        value = dict(self.values)
        line = effects.chain(
            effects.resample(LANDLINE_RATE),
            effects.pink_noise(value["snr"]),
            effects.band_pass(*LANDLINE_BAND_HZ),
            effects.gain(value["gain"]),
            effects.clipping(value["clip"]),
            effects.mu_law(),
            effects.packet_loss(value["loss"]),
            effects.resample(clip.sample_rate),
        )
        return _same_length(line(clip, rng), len(clip))


def parse_channel(text: str) -> ChannelSpec:
    """The channel a text such as `landline:snr=5,loss=0.05` names.

    Raises:
        UsageError: unknown preset or setting, a setting given twice, not a number or out of range.
    """
    preset, colon, rest = text.strip().partition(":")
    if preset not in PRESETS:
        raise UsageError(f"unknown channel {preset!r} in {text!r}: choose one of {', '.join(PRESETS)}")
    settings = PRESETS[preset]
    values = {name: setting.default for name, setting in settings.items()}
    given: set[str] = set()
    for item in rest.split(",") if colon else []:
        name, _, number = (part.strip() for part in item.partition("="))
        if name not in settings:
            takes = f"takes {', '.join(settings)}" if settings else "takes no settings"
            raise UsageError(f"unknown setting {name!r} in channel {text!r}: {preset} {takes}")
        if name in given:
            raise UsageError(f"setting {name!r} stands twice in channel {text!r}: give it once")
        given.add(name)
        values[name] = _value(text, name, number, settings[name])
    return ChannelSpec(preset, tuple(values.items()))


def _value(text: str, name: str, number: str, setting: Setting) -> float:
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not setting.low <= value <= setting.high:
        bounds = f"{_number(setting.low)} to {_number(setting.high)}"
        raise UsageError(f"{name}={number} in channel {text!r}: give a number from {bounds} ({setting.meaning})")
    return value + 0.0  # minus zero would give the same channel two names


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _same_length(clip: Clip, count: int) -> Clip:
    """Exactly `count` samples: resampling down and up may differ by a sample or two."""
    samples = clip.samples[:count]
    return Clip(np.concatenate([samples, np.zeros(count - len(samples), np.float32)]), clip.sample_rate)
