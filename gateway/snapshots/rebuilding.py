"""Making the recordings of a frozen month again from its words, its voices and its recipe, in a folder of their own.

On a machine with the same CPU features and packages they come out byte for byte. Elsewhere `REBUILT.json` says how near they
are. A recording with the frozen bytes needs no hearing: what was heard of these bytes is frozen too.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import FileError, OperatorError, UsageError
from core.files import make_folder, read_bytes, write_atomic
from core.hearing import char_errors
from core.runs.store import sole_worker
from core.schemas.base import pretty_json, sha256
from core.schemas.months import CallTranscript, Rebuilt, Remade, Verification
from core.schemas.snapshots import CallAudio, ManifestRow
from core.snapshots.freezing import layout
from core.snapshots.freezing.reading import Snapshot, find_snapshot, read_snapshot, read_transcripts, refuse_month
from core.snapshots.freezing.sounding import machine_of
from core.snapshots.freezing.sums import read_sums
from core.snapshots.freezing.verify import verify
from core.text import normaliser_of
from gateway.pool import Pool
from gateway.settings import Settings
from gateway.snapshots.building import Sound, Told, clear_leftovers
from gateway.snapshots.hearing import MonthHearer
from gateway.snapshots.voicing import Work, kept_rendering, kept_transcript, machine, made_from, prepare, work_off

AT_WORK = ".rebuilding"
"""Folder of recordings until all are there."""
_READ_ONLY = 0o444


@dataclass(frozen=True)
class Remaking:
    """What came of making a month's recordings again."""

    root: Path
    """The whole month."""
    refused: Mapping[str, tuple[str, ...]]
    """Calls that failed quality control on this machine, and why; they have no recording."""
    verification: Verification
    """What the whole month was found to be; recordings with other bytes were heard for it."""


def rebuild(name: str, out: Path, settings: Settings, concurrency: int, told: Told) -> Remaking:
    """Copy a month's words and recipe into `out` and make its recordings there, or go on with it.

    Raises:
        UsageError: a month of text alone, or `out` is the month itself.
        FileError: no month has this name, its words are not what was frozen, or `out` holds something else.
        BusyError: another process is at work in `out`.
        OperatorError, ProviderError: the machine or an engine failed; the same command goes on where it was.
    """
    snapshot = read_snapshot(find_snapshot(name))
    if not snapshot.head.contract.audio:
        raise UsageError(f"{snapshot.root}: a month of text alone has no recordings to make again")
    _refuse(snapshot, out)
    sound = Sound.of(snapshot.recipe, out / AT_WORK, settings)
    with sole_worker(out, "making this month's recordings"):
        if not (out / layout.HEAD).exists():
            make_folder(out / AT_WORK)  # first, so that what is begun here is told from a frozen month
        _copy_words(snapshot, out)
        heard: dict[str, str] = {}
        refused = {} if (out / layout.REBUILT).exists() else _remake(snapshot, sound, out, concurrency, told, heard)
        shutil.rmtree(out / AT_WORK, ignore_errors=True)
        for path in out.rglob("*"):
            if path.is_file():
                path.chmod(_READ_ONLY)
    return Remaking(out, refused, verify(out, sound.record, MonthHearer(sound, heard)))


def _refuse(snapshot: Snapshot, out: Path) -> None:
    if out.exists() and out.resolve() == snapshot.root.resolve():
        raise UsageError(f"{out}: the month itself, which never changes: choose a new folder with --out")
    refuse_month(out, itself=False)
    head = out / layout.HEAD
    if head.exists():
        if not any((out / name).exists() for name in (AT_WORK, layout.REBUILT)):
            refuse_month(out)
        if read_bytes(head, "head of a month") != read_bytes(snapshot.root / layout.HEAD, "head of a month"):
            raise FileError(f"{out}: holds another month: choose a new folder with --out")
    elif out.exists() and (not out.is_dir() or any(not _begun(entry.name) for entry in out.iterdir())):
        raise FileError(f"{out}: holds something else: choose a new folder with --out")


def _begun(name: str) -> bool:
    """Whether a start that was killed before the head stood may have left this."""
    return name == AT_WORK or name.startswith(f".{layout.HEAD}.")


def _copy_words(snapshot: Snapshot, out: Path) -> None:
    """Copy everything but the recordings, the head first, each file held against its frozen hash."""
    sums = read_sums(snapshot.root)
    words = {name: digest for name, digest in sums.items() if not name.startswith(f"{layout.AUDIO}/")}
    for name in (layout.HEAD, layout.SUMS, *sorted(words)):
        data = read_bytes(snapshot.root / name, "file of the month")
        if name in words and sha256(data) != words[name]:
            raise FileError(f"{snapshot.root / name}: not what was frozen: see `ringback snapshot verify {snapshot.root}`")
        if not (out / name).exists():
            write_atomic(out / name, data)


def _remake(
    snapshot: Snapshot, sound: Sound, out: Path, concurrency: int, told: Told, heard: dict[str, str]
) -> dict[str, tuple[str, ...]]:
    """Make every recording; returns what was refused. `heard` fills with what was heard, by hash of the recording."""
    work_folder = make_folder(out / AT_WORK)
    if (out / layout.AUDIO).exists():  # a kill fell between the last two steps
        shutil.rmtree(work_folder / layout.AUDIO, ignore_errors=True)
        (out / layout.AUDIO).rename(work_folder / layout.AUDIO)
    clear_leftovers(work_folder)
    works = [_work(row) for row in snapshot.rows]
    with Pool(concurrency, prepare, sound.plan) as pool:
        for number, call in enumerate(work_off(pool, works), 1):
            told("calls", number, len(works), call.sample_id)
    frozen = read_transcripts(snapshot.root)
    refused: dict[str, tuple[str, ...]] = {}
    calls = []
    for row, work in zip(snapshot.rows, works, strict=True):
        rendering = kept_rendering(work_folder, work, made_from(work, sound.plan.render, machine()))
        if rendering is None:
            raise OperatorError(f"{out}: a file that was just written is not there: run the same command to go on")
        if rendering.audio is None:
            refused[row.call.sample_id] = rendering.refused
        else:
            calls.append(_remade(row, rendering.audio, frozen.get(row.call.sample_id), sound, heard))
    here = machine_of(sound.record)
    versions = {name: version for name, _, version in (each.partition(" ") for each in sorted(here.packages))}
    rebuilt = Rebuilt(cpu_features=tuple(sorted(here.cpu_features)), packages=versions, calls=tuple(calls))
    if calls:
        (work_folder / layout.AUDIO).rename(out / layout.AUDIO)
    write_atomic(out / layout.REBUILT, pretty_json(rebuilt.to_json()))
    return refused


def _work(row: ManifestRow) -> Work:
    if row.voices is None or row.audio is None:
        raise FileError(f"{layout.MANIFEST}: {row.call.sample_id}: a row without voices or sound in a month with recordings")
    return Work(row.call, row.voices, row.audio.sha256)


def _remade(row: ManifestRow, audio: CallAudio, frozen: CallTranscript | None, sound: Sound, known: dict[str, str]) -> Remade:
    """How near a recording is to the frozen one."""
    if row.audio is None:
        raise AssertionError("checked before it was made")
    change = None
    if audio.sha256 != row.audio.sha256 and frozen is not None:
        heard = kept_transcript(sound.plan.root, row.call, audio, sound.hearing)
        if heard is not None:
            known[audio.sha256] = heard.text
            change = round(char_errors(frozen.text, heard.text, normaliser_of(row.call.language)).rate, 6)
    return Remade(
        sample_id=row.call.sample_id,
        sha256=audio.sha256,
        same_bytes=audio.sha256 == row.audio.sha256,
        duration_change=round(audio.samples / row.audio.samples - 1, 6),
        transcript_change=change,
    )
