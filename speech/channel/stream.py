"""A channel at work: sound comes in in chunks of any size and leaves in step, the same whatever the chunks were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from speech import extras
from speech.channel.effects import Frame, Stage, frame_samples

Samples = NDArray[np.float32]


class ChannelStream:
    """One sound on its way through the stages of a line; what leaves is as long as what came in, and in step with it."""

    def __init__(self, sample_rate: int, line_rate: int, stages: Sequence[Stage]) -> None:
        self._inlet = _Resampler(sample_rate, line_rate)
        self._outlet = _Resampler(line_rate, sample_rate)
        self._blocks = _Blocks(frame_samples(sample_rate))
        self._frames = _Blocks(frame_samples(line_rate))
        self._stages = stages
        self._late = sum(stage.delay for stage in stages)
        self._skip = self._late
        self._inside = 0
        self._owed = 0

    def process(self, samples: Samples) -> Samples:
        """Send the next samples in; gives what has arrived by now, possibly nothing."""
        self._owed += len(samples)
        out = [self._outlet.push(self._travel(self._inlet.push(block))) for block in self._blocks.push(samples)]
        return self._deliver(np.concatenate([np.zeros(0, np.float32), *out]))

    def flush(self) -> Samples:
        """End the sound; gives all that is still on its way."""
        rest = self._inlet.push(self._blocks.rest(), last=True)
        owed = self._inside + len(rest)
        # silence pushes the last samples out; what the stages add beyond them stays behind
        silence = np.zeros(self._late + self._frames.size, np.float32)
        out = self._deliver(self._outlet.push(self._travel(np.concatenate([rest, silence]))[:owed], last=True))
        return np.concatenate([out, np.zeros(self._owed, np.float32)])

    def _travel(self, samples: Samples) -> Samples:
        """What comes out of the line when more goes in: whole frames, less the samples by which the stages are late."""
        out = [np.zeros(0, np.float32)]
        for block in self._frames.push(samples):
            frame: Frame = block.astype(np.float64)
            for stage in self._stages:
                frame = stage.process(frame)
            skipped = min(self._skip, len(frame))
            self._skip -= skipped
            out.append(frame[skipped:].astype(np.float32))
        line = np.concatenate(out)
        self._inside += len(samples) - len(line)
        return line

    def _deliver(self, samples: Samples) -> Samples:
        """No more than came in: resampling down and up may give a sample or two more."""
        out = samples[: self._owed]
        self._owed -= len(out)
        return out


class _Blocks:
    """Cuts what comes in into blocks of one size."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._held = np.zeros(0, np.float32)

    def push(self, samples: Samples) -> list[Samples]:
        """The blocks that are full by now."""
        self._held = np.concatenate([self._held, samples])
        count = len(self._held) // self.size
        blocks = np.split(self._held[: count * self.size], count) if count else []
        self._held = self._held[count * self.size :]
        return blocks

    def rest(self) -> Samples:
        """What fills no block; forgotten here."""
        rest, self._held = self._held, np.zeros(0, np.float32)
        return rest


class _Resampler:
    """soxr HQ as a stream, which is in step with its input; nothing where the rates are equal."""

    def __init__(self, source: int, target: int) -> None:
        self._stream: Any = None
        if source != target:
            soxr = extras.load("soxr", package="soxr", extra="speech", purpose="resampling sound")
            self._stream = soxr.ResampleStream(source, target, 1, dtype="float32", quality="HQ")

    def push(self, samples: Samples, *, last: bool = False) -> Samples:
        """What the next samples bring out; with `last`, all of it."""
        if self._stream is None:
            return samples
        out: Samples = self._stream.resample_chunk(samples, last=last)
        return out
