"""A small month from cases to report in one folder, offline: each stage is the one behind the command of its name.

build/ month/ evals/<detector>-<mode>/ audit.json report.json report.html

Every stage goes on where it was, and what it makes depends on language, seed and this machine alone, so a demonstration that was
killed at any moment ends with the same root hash.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.errors import FileError
from core.files import write_atomic
from core.report.month_audit import broken
from core.report.snapshots.assemble import Told, assemble
from core.report.snapshots.page import render_snapshot_page
from core.runs.store import sole_worker
from core.schemas.audits import MonthAudit
from core.schemas.base import Json, pretty_json
from core.schemas.detections import InputMode
from core.schemas.months import Sameness, Verification
from core.schemas.snapshots import ManifestRow
from core.snapshots.audits.month import MonthCalls
from core.snapshots.freezing import layout
from core.snapshots.freezing.freeze import freeze, mark_frozen
from core.snapshots.freezing.reading import Snapshot, read_recipe, read_snapshot, read_transcripts, refuse_month
from core.snapshots.freezing.verify import verify
from gateway.settings import Settings
from gateway.snapshots.auditing import audited
from gateway.snapshots.building import BuildRequest, Built, build
from gateway.snapshots.building import Told as Step
from gateway.snapshots.evaluating import ProgressBar, Request, evaluate
from gateway.snapshots.files import read_model
from gateway.snapshots.voicing import machine

FRAUD, NONFRAUD = 10, 5
"""Calls of five trees at least, into so many parts the audit splits them."""
MONTH = "2026-11"
"""Month that it stands for: not the one on the clock, so that one seed has one root hash."""
VOICES = "hibari-heart,piper-joe,espeak-f2,espeak-f4,espeak-m3,espeak-m7"
RECOGNISER = "whisper-base"
"""Voices and recogniser that a fresh install has without a network."""
DETECTORS = (
    ("offline:tfidf-lr", InputMode.ASR),
    ("offline:tfidf-lr", InputMode.REF),
    ("offline:tfidf-svm", InputMode.ASR),
    ("offline:frozen-encoder", InputMode.ASR),
    ("offline:keywords", InputMode.ASR),
    ("offline:acoustic", InputMode.AUDIO),
)
BUILD, FROZEN_MONTH, EVALUATIONS = "build", "month", "evals"
AUDIT, REPORT, PAGE = "audit.json", "report.json", "report.html"


@dataclass(frozen=True)
class DemoRequest:
    """What `ringback snapshot demo` was asked for."""

    out: Path
    """Folder of all of it."""
    language: str
    """Language of the calls."""
    seed: int
    """Seed of cases, words, sound and audit."""
    concurrency: int
    """Processes that speak and hear."""
    now: str
    """Time of the freeze, UTC; recorded, and decides nothing."""
    generator: dict[str, Json]
    """Which code freezes."""


@dataclass(frozen=True)
class Shown:
    """Where a demonstration tells how far it is."""

    line: Callable[[str], None]
    """A stage that is done."""
    step: Step
    """A step of the build."""
    progress: Callable[[int], ProgressBar]
    """Makes a counter of calls that are asked about."""


@dataclass(frozen=True)
class Demonstration:
    """A finished demonstration."""

    verification: Verification
    """What the month was found to be."""
    report: Told | None
    """What detectors and audit came to; None for a month that is broken."""


def demonstrate(request: DemoRequest, settings: Settings, shown: Shown) -> Demonstration:
    """Build, freeze, verify, evaluate, audit and report, or go on with it.

    Raises:
        FileError: the folder holds something else, or a demonstration in another language or with another seed.
        BusyError: another process is at work there.
        OperatorError, ProviderError: the machine or an engine failed; the same command goes on where it was.
    """
    refuse_month(request.out)
    _refuse_foreign(request.out)
    _refuse_other(request)
    with sole_worker(request.out, "making this demonstration"):
        _clear(request.out)
        stage = _Stages(shown.line)
        with stage("build"):
            built = build(_build_request(request), settings, shown.step)
            stage.says(_told_build(built))
        with stage("freeze"):
            month = _frozen(request, built)
            stage.says(f"{month.head.snapshot_id}, root {month.head.root_sha256}")
        with stage("verify"):
            verification = verify(month.root, machine())
            stage.says(f"{verification.sameness}, {verification.calls} calls")
        if verification.sameness is Sameness.BROKEN:
            return Demonstration(verification, None)
        summaries = []
        for detector, mode in DETECTORS:
            with stage("evaluate"):
                summaries.append(evaluate(_asked(request, month, detector, mode), settings, shown.progress))
                stage.says(f"{detector} ({mode}): balanced accuracy {summaries[-1].metrics.balanced_accuracy:.3f}")
        with stage("audit"):
            audit = _audited(request, month)
            stage.says(f"{len(audit.checks)} checks, {len(broken(audit))} broken; so few calls cannot show a side door")
        with stage("report"):
            told = assemble(summaries, [audit], months={month.head.root_sha256: month.head.month})
            write_atomic(request.out / REPORT, pretty_json(told.report.to_json()))
            write_atomic(request.out / PAGE, render_snapshot_page(told).encode())
            stage.says(PAGE)
    return Demonstration(verification, told)


class _Stages:
    """Tells of every stage on one line, with its seconds."""

    def __init__(self, line: Callable[[str], None]) -> None:
        self._line = line
        self._said = ""

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time a stage; nothing is told of one that fails."""
        began = time.monotonic()
        yield
        self._line(f"{name:<8} {time.monotonic() - began:6.1f} s  {self._said}")

    def says(self, text: str) -> None:
        """What came of the stage at hand."""
        self._said = text


def _refuse_foreign(out: Path) -> None:
    if out.exists() and not (out / BUILD).exists():
        other = sorted(entry.name for entry in out.iterdir()) if out.is_dir() else ["a file"]
        if other:
            raise FileError(f"{out}: holds {other[0]!r} and is no demonstration: choose a new folder with --out")


def _refuse_other(request: DemoRequest) -> None:
    if (request.out / BUILD / layout.RECIPE).is_file():
        begun = read_recipe(request.out / BUILD).build
        if (begun.language, begun.seed) != (request.language, request.seed):
            there, now = (f"{one.language!r} with seed {one.seed}" for one in (begun, request))
            raise FileError(f"{request.out}: holds a demonstration in {there}, not in {now}: choose another folder with --out")


def _clear(out: Path) -> None:
    """Remove what a kill kept from getting its name; the stages clear their own folders."""
    for folder in (out, out / BUILD):
        for pattern in (".*.json*.*", f".{PAGE}.*"):
            for left in folder.glob(pattern):
                left.unlink()


def _build_request(request: DemoRequest) -> BuildRequest:
    return BuildRequest(
        out=request.out / BUILD,
        language=request.language,
        seed=request.seed,
        this_month=MONTH,
        month=MONTH,
        name=f"demo-{request.language}",
        fraud=FRAUD,
        nonfraud=NONFRAUD,
        voices=VOICES,
        recogniser=RECOGNISER,
        concurrency=request.concurrency,
    )


def _told_build(built: Built) -> str:
    audios = [row.audio for row in built.rows if row.audio is not None]
    minutes = sum(audio.duration_s for audio in audios) / 60
    voices = sorted({name for audio in audios for name in audio.engines})
    heard = "" if built.transcripts is None else f", heard by {RECOGNISER} with CER {built.transcripts.cer:.2f}"
    trees = len({row.call.tree_id for row in built.rows})
    return f"{len(built.rows)} calls of {trees} trees, {minutes:.1f} minutes, said by {', '.join(voices)}{heard}"


def _frozen(request: DemoRequest, built: Built) -> Snapshot:
    """The frozen month; a kill after it appeared may have kept the build from noting it."""
    out = request.out / FROZEN_MONTH
    if not (out / layout.HEAD).is_file():
        freeze(built.root, out, request.now, request.generator)
    month = read_snapshot(out)
    if not (built.root / layout.FROZEN).exists():
        if month.recipe != built.recipe or _recordings(month.rows) != _recordings(built.rows):
            raise FileError(f"{out}: not the month of {built.root}: remove it, and run the same command again")
        mark_frozen(built.root, month.head)
    return month


def _recordings(rows: Iterable[ManifestRow]) -> set[tuple[str, str | None]]:
    return {(row.call.sample_id, row.audio.sha256 if row.audio else None) for row in rows}


def _asked(request: DemoRequest, month: Snapshot, detector: str, mode: InputMode) -> Request:
    name = f"{detector.removeprefix('offline:')}-{mode}"
    return Request(str(month.root), detector, mode, request.out / EVALUATIONS / name)


def _audited(request: DemoRequest, month: Snapshot) -> MonthAudit:
    """The audit that is there, or a new one."""
    path, head = request.out / AUDIT, month.head
    kept = read_model(path, MonthAudit)
    if kept is not None and kept.root_sha256 == head.root_sha256:
        return kept
    heard = {name: line.text for name, line in read_transcripts(month.root).items()}
    calls = MonthCalls(head.snapshot_id, head.root_sha256, head.contract.language, month.rows, heard)
    found = audited(calls, (), request.seed)
    write_atomic(path, pretty_json(found.to_json()))
    return found
