"""Quality control by hand: of a sound file, of one case of a run, or of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.runs.store import RunStore, load_trace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from speech.qc import Check


@dataclass(frozen=True)
class Inspected:
    """One sound with all that was held against it."""

    name: str
    """The file, or the case's recording."""
    checks: tuple[Check, ...]
    """Every check."""
    notes: tuple[str, ...] = ()
    """What was done to bring it in."""
    figures: dict[str, dict[str, float]] = field(default_factory=dict)
    """Figures for study by side, where they were asked for."""

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)


def inspect_target(path: Path, *, text: str | None = None, detail: bool = False) -> Iterator[Inspected]:
    """Quality control of a sound file, a case folder or a run's recordings; `text` is what a file should say.

    Raises:
        InputError: nothing there that can be inspected.
    """
    holds = _names(path)
    if text is not None and holds & {"run.json", "trace.json"}:
        raise InputError(f"{path}: holds calls, whose words stand in their traces: --text is for single clips")
    if text is not None and not text.strip():
        raise InputError("--text is empty: give what the clip should say, or leave it out")
    if "run.json" in holds:
        store = RunStore.open(path)
        folders = [store.case_folder(case.name) for case in store.run().cases if store.has(case.name)]
        found = [each for folder in folders if (each := _case(folder, detail)) is not None]
        if not found:
            raise InputError(f"{path}: no case of this run has a recording: play it with --record or --condition asr")
        yield from found
    elif "trace.json" in holds:
        one = _case(path, detail)
        if one is None:
            raise InputError(f"{path}: this call has no recording")
        yield one
    else:
        yield _file(path, text, detail)


def _names(folder: Path) -> set[str]:
    """Names in a folder; none of what is no folder, which is then taken for a sound."""
    try:
        return {path.name for path in folder.iterdir()}
    except OSError:
        return set()


def _case(folder: Path, detail: bool) -> Inspected | None:
    """The recording of a case against its trace; None where it has none."""
    from speech import audiofile
    from speech.recording_qc import inspect_recording

    trace = load_trace(folder / "trace.json")
    if trace.recording is None:
        return None
    path = folder / trace.recording.file
    samples, rate = audiofile.read_channels(path)
    checks = inspect_recording(samples, rate, trace.recording, trace.messages)
    return Inspected(str(path), checks, figures=_figures(samples, rate) if detail else {})


def _file(path: Path, text: str | None, detail: bool) -> Inspected:
    """One sound file: a clip of speech, or, with two channels, a call."""
    from speech import qc
    from speech.intake import take_file
    from speech.recording_qc import inspect_recording

    taken = take_file(path)
    count = taken.samples.shape[1]
    if count > 2:
        raise InputError(f"{path}: has {count} channels: a clip has one, a call two")
    if count == 2 and text is not None:
        raise InputError(f"{path}: has 2 channels, a call: --text is held against clips of one channel")
    if count == 2:
        checks = inspect_recording(taken.samples, taken.sample_rate, None)
    else:
        checks = qc.inspect(taken.clip()[0], text, sample_rate=taken.sample_rate, pace=1.0)
    return Inspected(str(path), checks, taken.notes, _figures(taken.samples, taken.sample_rate) if detail else {})


def _figures(samples: NDArray[np.float32], rate: int) -> dict[str, dict[str, float]]:
    from speech.acoustics import figures
    from speech.clip import Clip

    names = ("clip",) if samples.shape[1] == 1 else ("caller", "agent")
    return {name: figures(Clip(samples[:, column], rate)) for column, name in enumerate(names)}
