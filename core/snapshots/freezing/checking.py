"""What the rows of a month must hold, by themselves, beside each other, against their trees and against their recordings.

Freezing refuses what these find, and verifying names it; a fault is a sample id (empty for the whole month) and a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from core.errors import InputError, UsageError
from core.schemas.months import CallTranscript, TranscriptSet
from core.schemas.snapshots import CallAudio, Contract, Label, ManifestRow
from core.schemas.trees import MixedTree, Rejected
from core.seeds import generator
from core.snapshots.building.library import CaseLibrary, load_cases
from core.snapshots.building.plot import Plot
from core.snapshots.building.safety import Safety
from core.snapshots.building.validator import faults_between, faults_of_call
from core.snapshots.freezing import layout
from core.snapshots.freezing.transcripts import transcript_id
from core.snapshots.freezing.wav import read_wav

Fault = tuple[str, str]
"""Sample id and what is wrong."""
_CHECKS = ("structural", "label", "safety")
"""Checks that every row has passed; one with a recording has passed `signal` too."""


@cache
def shipped_cases(language: str) -> CaseLibrary:
    """The cases of a language that ship, read once in a process.

    Raises:
        UsageError: the language has none.
    """
    return load_cases(language)


def in_order(rows: Iterable[ManifestRow], seed: int, snapshot_id: str) -> tuple[ManifestRow, ...]:
    """Rows in the order of their month: a seeded shuffle that knows ids alone, and they are hashes."""
    known = sorted(rows, key=lambda row: row.call.sample_id)
    return tuple(known[place] for place in generator(seed, snapshot_id, "order").permutation(len(known)))


def counts_of(rows: Iterable[ManifestRow]) -> dict[Label, int]:
    """Calls of each label."""
    labels = [row.call.label for row in rows]
    return {label: labels.count(label) for label in Label}


def faults_of_contract(rows: Sequence[ManifestRow], contract: Contract) -> list[Fault]:
    """What rows hold other than their contract says."""
    counts, wanted = counts_of(rows), {Label.FRAUD: contract.fraud, Label.NONFRAUD: contract.nonfraud}
    faults = [
        ("", f"the contract asks for {wanted[label]} {label.value} calls, and there are {counts[label]}")
        for label in Label
        if counts[label] != wanted[label]
    ]
    for row in rows:
        call = row.call
        if call.language != contract.language:
            faults.append((call.sample_id, f"its language is {call.language!r}, the contract's is {contract.language!r}"))
        if not contract.audio and (row.audio is not None or row.voices is not None):
            faults.append((call.sample_id, "it has a recording or voices, and the contract is for text alone"))
        if contract.audio and (row.audio is None or row.voices is None):
            faults.append((call.sample_id, "it has no recording or no voices, and the contract asks for them"))
        if row.audio is not None and row.audio.sample_rate != contract.sample_rate:
            faults.append(
                (call.sample_id, f"its rate is {row.audio.sample_rate} Hz, the contract's is {contract.sample_rate} Hz")
            )
    return faults


def faults_of_rows(rows: Sequence[ManifestRow], library: CaseLibrary | None) -> list[Fault]:
    """What is wrong with rows; actions and safety are held against a library where there is one."""
    faults = [(row.call.sample_id, fault) for row in rows for fault in _faults_of_row(row)]
    if library is not None:
        plot, safety = Plot(library.catalogue), Safety(library.denied, library.catalogue)
        faults += [(row.call.sample_id, fault) for row in rows for fault in _against_library(row, safety, plot)]
    for told in faults_between(row.call for row in rows):
        name, _, fault = told.partition(": ")
        faults.append((name, fault))
    voices: dict[str, tuple[str, str]] = {}
    for row in rows:
        if row.voices is not None:
            pair = row.voices.caller.voice_id, row.voices.receiver.voice_id
            if voices.setdefault(row.call.tree_id, pair) != pair:
                faults.append((row.call.sample_id, f"other voices than its siblings of {row.call.tree_id}"))
    return faults


def faults_of_words(trees: Iterable[MixedTree], rejected: Iterable[Rejected], library: CaseLibrary | None) -> list[Fault]:
    """What frozen trees, and lines of what was left out, say that no call may say; nothing where there is no library."""
    if library is None:
        return []
    safety = Safety(library.denied, library.catalogue)
    faults = [("", f"{layout.tree_path(tree.tree_id)}: {fault}") for tree in trees for fault in safety.faults(tree)]
    lines = enumerate(rejected, start=1)
    return faults + [("", f"{layout.REJECTED}: line {line}: {fault}") for line, item in lines for fault in safety.faults(item)]


def fault_of_recording(data: bytes, audio: CallAudio) -> str | None:
    """What the header of a recording says other than its row; None where both agree."""
    try:
        header = read_wav(data)
    except InputError as error:
        return str(error)
    found = (header.sample_rate, header.channels, header.bits, header.samples)
    if found != (audio.sample_rate, 1, 16, audio.samples):
        return (
            f"is {header.samples} samples at {header.sample_rate} Hz, {header.channels} channels of {header.bits} bits; its row"
            f" says {audio.samples} at {audio.sample_rate} Hz, mono, 16 bits"
        )
    return None


def faults_of_transcripts(made: TranscriptSet, transcripts: Sequence[CallTranscript], rows: Sequence[ManifestRow]) -> list[Fault]:
    """What is wrong with transcripts: there is one for each row, in their order, of its recording, with the id that follows."""
    recordings = {row.call.sample_id: row.audio.sha256 for row in rows if row.audio is not None}
    faults: list[Fault] = []
    if made.calls != len(transcripts):
        faults.append(("", f"{layout.TRANSCRIPT_SET} says {made.calls} transcripts, and there are {len(transcripts)}"))
    if [line.sample_id for line in transcripts] != [row.call.sample_id for row in rows]:
        faults.append(("", f"the transcripts are not one for each call in the order of {layout.MANIFEST}"))
    for line in transcripts:
        if line.audio_sha256 != recordings.get(line.sample_id):
            faults.append((line.sample_id, "its transcript is of another recording"))
        if line.transcript_id != transcript_id(made.settings, line.audio_sha256, line.text):
            faults.append((line.sample_id, "the id of its transcript does not follow from recogniser, recording and words"))
    return faults


def _against_library(row: ManifestRow, safety: Safety, plot: Plot) -> list[str]:
    try:
        faults = faults_of_call(row.call, plot)
    except UsageError as error:
        return [str(error)]
    return faults + safety.faults(row.call)


def _faults_of_row(row: ManifestRow) -> list[str]:
    needed = _CHECKS if row.audio is None else (*_CHECKS, "signal")
    faults = [f"the check {name!r} is missing" for name in needed if name not in row.checks]
    faults += [f"the check {name!r} failed" for name, passed in sorted(row.checks.items()) if not passed]
    if row.voices is not None and row.voices.caller.voice_id == row.voices.receiver.voice_id:
        faults.append(f"caller and receiver have the same voice {row.voices.caller.voice_id!r}")
    if row.audio is not None:
        faults += _faults_of_audio(row, row.audio)
    return faults


def _faults_of_audio(row: ManifestRow, audio: CallAudio) -> list[str]:
    faults = []
    if audio.path != layout.audio_path(row.call.sample_id):
        faults.append(f"its recording is {audio.path!r}: another call's")
    faults += [f"quality control of its recording: {check.name} is {check.value:g}" for check in audio.checks if not check.passed]
    spans = audio.spans
    ordered = all(before.end_sample <= after.start_sample for before, after in pairwise(spans))
    inside = all(span.start_sample < span.end_sample <= audio.samples for span in spans)
    if [span.turn for span in spans] != [turn.i for turn in row.call.turns] or not ordered or not inside:
        faults.append("the spans of its recording are not those of its turns, in order and within it")
    return faults
