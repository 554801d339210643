"""What a build with sound keeps of single calls while it is at work, and what it cost. None of it is frozen."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from core.errors import FileError
from core.files import whole_lines
from core.schemas.base import Model, Sha256
from core.schemas.snapshots import CallAudio
from core.yamlfile import read_data

EFFORTS, EFFORT = "effort.jsonl", "effort.json"
"""A line for each call that was worked on, and their sum."""
WHOLE_MONTH = 900
"""Calls of the usual contract, for which effort is extrapolated."""
_M = TypeVar("_M", bound=Model)


class Rendering(Model):
    """`rendered/<sample_id>.json`: what came of rendering a call."""

    format: Literal[1] = 1
    """Version of this format."""
    made_from: Sha256
    """Hash of the call, its voices and all that decides the sound, this machine included."""
    audio: CallAudio | None
    """The recording; null where it was refused."""
    refused: tuple[str, ...] = ()
    """What failed, each with value and bounds; empty where there is a recording."""


class CallEffort(Model):
    """A line of `effort.jsonl`: what one call cost."""

    sample_id: str
    """The call."""
    speech_s: float = Field(ge=0)
    """Seconds of the recording that was made; 0 where none was."""
    bytes: int = Field(ge=0)
    """Its bytes."""
    rendering_cpu_s: float = Field(ge=0)
    """CPU seconds of rendering it, programs that were started included."""
    hearing_cpu_s: float = Field(ge=0)
    """CPU seconds of hearing it."""
    wall_s: float = Field(ge=0)
    """Seconds that one process worked on it."""


class Effort(Model):
    """`effort.json`: what the calls of a build cost, and what a whole month would at the same rate."""

    format: Literal[1] = 1
    """Version of this format."""
    calls: int = Field(ge=0)
    """Calls that were rendered, those that failed quality control included."""
    speech_s: float
    """Seconds of their recordings."""
    bytes: int
    """Bytes of their recordings."""
    rendering_cpu_s: float
    """CPU seconds of rendering."""
    hearing_cpu_s: float
    """CPU seconds of hearing."""
    wall_s: float
    """Seconds of all processes that worked on calls, summed."""
    processes: int = Field(ge=1)
    """Processes at once, when the build ended."""

    @property
    def speech_per_cpu_s(self) -> float | None:
        """Seconds of recording per CPU second; None where nothing was measured."""
        spent = self.rendering_cpu_s + self.hearing_cpu_s
        return self.speech_s / spent if spent else None

    def of_month(self, calls: int = WHOLE_MONTH) -> tuple[float, float, float]:
        """Hours, CPU hours and megabytes of so many calls at this rate, with as many processes as here."""
        share = calls / self.calls if self.calls else 0.0
        cpu_s = (self.rendering_cpu_s + self.hearing_cpu_s) * share
        return self.wall_s * share / self.processes / 3600, cpu_s / 3600, self.bytes * share / 1e6


def summed(efforts: Iterable[CallEffort], processes: int) -> Effort:
    """The effort of many calls; a call that was worked on twice, since the build was killed over it, cost both times."""
    listed = list(efforts)
    last = {each.sample_id: each for each in sorted(listed, key=lambda each: each.bytes)}
    return Effort(
        calls=len(last),
        speech_s=round(sum(each.speech_s for each in last.values()), 3),
        bytes=sum(each.bytes for each in last.values()),
        rendering_cpu_s=round(sum(each.rendering_cpu_s for each in listed), 3),
        hearing_cpu_s=round(sum(each.hearing_cpu_s for each in listed), 3),
        wall_s=round(sum(each.wall_s for each in listed), 3),
        processes=processes,
    )


def read_efforts(folder: Path) -> list[CallEffort]:
    """The lines of `effort.jsonl`, none where there is no such file.

    Raises:
        FileError: a line is damaged.
    """
    path = folder / EFFORTS
    try:
        return [CallEffort.model_validate_json(line) for line in whole_lines(path, "record of effort")]
    except ValidationError as error:
        raise FileError(f"{path}: no record of effort: {error.errors()[0]['msg']}; remove it, it decides nothing") from None


def read_model(path: Path, model: type[_M]) -> _M | None:
    """A file in its form, or None where there is none or it is damaged: it is made again then."""
    try:
        return model.model_validate(read_data(path))
    except (FileError, ValidationError):
        return None
