"""Holding a month against its hashes, its head, its contract and its own labels; every difference is named with its file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from core.errors import FileError, InputError
from core.files import read_bytes
from core.hearing import char_errors
from core.schemas.base import Json, sha256
from core.schemas.months import (
    CallTranscript,
    Difference,
    Finding,
    Rebuilt,
    Recipe,
    Remade,
    Sameness,
    TranscriptSet,
    Verification,
)
from core.schemas.snapshots import ManifestRow, SnapshotHead
from core.schemas.trees import MixedTree, Rejected
from core.snapshots.building.library import CaseLibrary
from core.snapshots.freezing import layout
from core.snapshots.freezing.checking import (
    Fault,
    fault_of_recording,
    faults_of_contract,
    faults_of_rows,
    faults_of_transcripts,
    faults_of_words,
    in_order,
    shipped_cases,
)
from core.snapshots.freezing.heads import facts_of_head
from core.snapshots.freezing.reading import find_snapshot, first_fault, read_file, read_lines, split_lines
from core.snapshots.freezing.recomputing import faults_against_trees
from core.snapshots.freezing.remade import DURATION_BOUND, TRANSCRIPT_BOUND, length_fault, transcript_fault
from core.snapshots.freezing.sounding import Hearer, known_on_both, machine_differences, machine_of, settings_differences
from core.snapshots.freezing.sums import entries, read_sums, root_of
from core.text import normaliser_of

_WRITE = 0o222


@dataclass
class _Check:
    """What was found so far."""

    root: Path
    head: SnapshotHead | None = None
    recipe: Recipe | None = None
    sums: dict[str, str] | None = None
    """Path to frozen hash; None where they cannot be read."""
    found: dict[str, str] = field(default_factory=dict)
    """Path to hash as it is; empty for a link."""
    rows: list[ManifestRow] = field(default_factory=list)
    all_rows: bool = True
    """Whether every row could be read."""
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    without_audio: bool = False
    rebuilt: Rebuilt | None = None
    """What stands beside the month, which anybody can write: it only says what to hear."""
    again: dict[str, Remade] = field(default_factory=dict)
    """Path to what is said of a recording with other bytes that was made again."""
    made: TranscriptSet | None = None
    frozen_words: dict[str, str] = field(default_factory=dict)
    """Call to its frozen transcript."""

    def find(self, kind: Difference, where: str, what: str) -> None:
        """Note a difference once."""
        finding = Finding(kind=kind, where=where, what=what)
        if finding not in self.findings:
            self.findings.append(finding)

    def faults(self, kind: Difference, file: str, faults: Iterable[Fault]) -> None:
        """Note faults of rows."""
        for name, fault in faults:
            self.find(kind, f"{file}: {name}" if name else file, fault)


def verify(folder: Path, here: Mapping[str, Json] | None = None, hearer: Hearer | None = None) -> Verification:
    """Check a month, whole or without its recordings, or with recordings that were made again (`REBUILT.json`).

    `here` holds `cpu_features` and `packages` of this machine and, where its engines are here, `render`: what a recording would
    be made with now. `hearer` hears recordings that were made again; without it nothing tells what they say, and they are
    `changed`.

    Raises:
        FileError: there is no month.
        OperatorError, ProviderError: the hearer cannot work.
    """
    check = _Check(find_snapshot(folder))
    _read_head(check)
    _check_files(check)
    _check_rows(check)
    _check_head(check)
    _check_recordings(check)
    _check_transcripts(check)
    _check_remade(check, here, hearer)
    _note_sound(check, here)
    _note_writable(check)
    head = check.head
    return Verification(
        snapshot_id=head.snapshot_id if head else check.root.resolve().name,
        root_sha256=head.root_sha256 if head else "",
        sameness=_sameness(check),
        calls=len(check.rows),
        findings=tuple(check.findings),
        notes=tuple(check.notes),
    )


def _sameness(check: _Check) -> Sameness:
    if any(finding.kind is not Difference.WRITABLE for finding in check.findings):
        return Sameness.BROKEN
    if check.without_audio:
        return Sameness.TEXT_ONLY
    return Sameness.EQUIVALENT if check.again else Sameness.IDENTICAL


def _read_head(check: _Check) -> None:
    try:
        check.head = read_file(check.root / layout.HEAD, SnapshotHead)
    except FileError as error:
        check.find(Difference.HEAD, layout.HEAD, _plain(check, error))
    try:
        check.recipe = read_file(check.root / layout.RECIPE, Recipe)
    except FileError as error:
        if (check.root / layout.RECIPE).exists():
            check.find(Difference.CHANGED, layout.RECIPE, _plain(check, error))
    try:
        check.sums = read_sums(check.root)
    except FileError as error:
        missing = not (check.root / layout.SUMS).exists()
        check.find(Difference.MISSING if missing else Difference.CHANGED, layout.SUMS, _plain(check, error))


def _check_files(check: _Check) -> None:
    """Every file against SHA256SUMS: changed, missing, added, or under another name."""
    for name, path in entries(check.root).items():
        check.found[name] = "" if path.is_symlink() else sha256(read_bytes(path, "file"))
    sums, found = check.sums, check.found
    if sums is None:
        return
    recordings = {name for name in sums if name.startswith(f"{layout.AUDIO}/")}
    check.without_audio = bool(recordings) and not any(name.startswith(f"{layout.AUDIO}/") for name in found)
    missing = {name for name in sums if name not in found} - (recordings if check.without_audio else set())
    if check.without_audio:
        check.notes.append(f"{len(recordings)} recordings are not here: ringback snapshot rebuild makes them again")
    extra = [name for name in found if name not in sums]
    for name in extra:
        old = next((other for other in sorted(missing) if sums[other] == found[name]), None)
        if old is None:
            check.find(Difference.EXTRA, name, "was not frozen: remove it" if found[name] else "a link, which was not frozen")
        else:
            missing.discard(old)
            check.find(Difference.RENAMED, name, f"has the bytes of {old}, which is gone")
    _check_folders(check, sums)
    for name in sorted(missing):
        check.find(Difference.MISSING, name, "was frozen and is gone")
    changed = [name for name in sorted(found) if sums.get(name, found[name]) != found[name]]
    for name in _not_remade(check, changed):
        what = f"has the hash {found[name][:12]}..., frozen was {sums[name][:12]}..." if found[name] else "is a link now"
        check.find(Difference.CHANGED, name, what)


def _check_folders(check: _Check, sums: Mapping[str, str]) -> None:
    """Folders that hold nothing, now or when the month was frozen."""
    folders = {parent.as_posix() for name in (*sums, *check.found) for parent in PurePosixPath(name).parents}
    for path in sorted(check.root.rglob("*")):
        name = path.relative_to(check.root).as_posix()
        if path.is_dir() and not path.is_symlink() and name not in folders:
            check.find(Difference.EXTRA, name, "an empty folder, which was not frozen: remove it")


def _not_remade(check: _Check, changed: list[str]) -> list[str]:
    """Changed files without the recordings that REBUILT.json says were made again; those are kept to be heard."""
    path = check.root / layout.REBUILT
    if not path.exists():
        return changed
    try:
        check.rebuilt = read_file(path, Rebuilt)
    except FileError as error:
        check.find(Difference.EXTRA, layout.REBUILT, _plain(check, error))
        return changed
    claimed = {
        layout.audio_path(call.sample_id): call
        for call in check.rebuilt.calls
        if not call.same_bytes and call.sha256 == check.found.get(layout.audio_path(call.sample_id))
    }
    check.again = {name: claimed[name] for name in changed if name in claimed}
    return [name for name in changed if name not in check.again]


def _check_rows(check: _Check) -> None:
    """Rows by themselves, beside each other, and against their trees."""
    try:
        lines = split_lines(check.root / layout.MANIFEST)
    except FileError:
        return  # named as missing by its hash
    for number, line in enumerate(lines, start=1):
        try:
            check.rows.append(ManifestRow.model_validate_json(line))
        except ValidationError as error:
            check.find(Difference.ROW, f"{layout.MANIFEST}: {_name_of(line, number)}", first_fault(error))
            check.all_rows = False
    library = _library(check)
    check.faults(Difference.ROW, layout.MANIFEST, faults_of_rows(check.rows, library))
    trees = {name: _tree(check, name) for name in dict.fromkeys(row.call.tree_id for row in check.rows)}
    if check.recipe is not None:
        check.faults(Difference.ROW, layout.MANIFEST, faults_against_trees(check.rows, trees, check.recipe, library))
    for _, told in faults_of_words((tree for tree in trees.values() if tree is not None), _rejected(check), library):
        where, _, fault = told.partition(": ")
        check.find(Difference.ROW, where, fault)


def _rejected(check: _Check) -> tuple[Rejected, ...]:
    """What was left out; none where the file is gone, which its hash names."""
    try:
        return read_lines(check.root / layout.REJECTED, Rejected)
    except FileError as error:
        if (check.root / layout.REJECTED).exists():
            check.find(Difference.CHANGED, layout.REJECTED, _plain(check, error))
        return ()


def _library(check: _Check) -> CaseLibrary | None:
    """The cases the month was written from, where they are those that ship here."""
    if check.recipe is None:
        return None
    try:
        library = shipped_cases(check.recipe.contract.language)
    except InputError as error:
        check.notes.append(f"actions and safety were not checked: {error}")
        return None
    if library.sha256 == check.recipe.words.get("cases_sha256"):
        return library
    check.notes.append("actions and safety were not checked: the cases that ship here are not those the month was written from")
    return None


def _tree(check: _Check, tree_id: str) -> MixedTree | None:
    name = layout.tree_path(tree_id)
    if not (check.root / name).exists():
        if name not in (check.sums or {}):
            check.find(Difference.MISSING, name, "calls of this tree stand in the manifest")
        return None
    try:
        return read_file(check.root / name, MixedTree)
    except FileError as error:
        check.find(Difference.CHANGED, name, _plain(check, error))
        return None


def _name_of(line: bytes, number: int) -> str:
    """The sample a row is about, as far as it can be read."""
    try:
        return str(json.loads(line)["call"]["sample_id"])
    except (ValueError, KeyError, TypeError):
        return f"line {number}"


def _check_head(check: _Check) -> None:
    """The head against sums, recipe and rows; rows against the contract and its order."""
    head, recipe = check.head, check.recipe
    if head is None:
        return
    if check.sums is not None and (root := root_of(check.sums, head)) != head.root_sha256:
        what = (
            f"the root hash is {head.root_sha256[:12]}..., but this file and {layout.SUMS} give {root[:12]}...: one was changed"
        )
        check.find(Difference.HEAD, layout.HEAD, what)
    if recipe is None:
        return
    for name, value in facts_of_head(recipe, check.rows if check.all_rows else None).items():
        if (said := getattr(head, name)) != value:
            check.find(Difference.HEAD, layout.HEAD, f"{name} is {_said(said)}, but recipe and rows say {_said(value)}")
    if not check.all_rows:
        return
    check.faults(Difference.CONTRACT, layout.MANIFEST, faults_of_contract(check.rows, head.contract))
    if tuple(check.rows) != in_order(check.rows, recipe.build.seed, recipe.snapshot_id):
        check.find(Difference.CONTRACT, layout.MANIFEST, "the rows are not in the order of the month's seed")


def _check_recordings(check: _Check) -> None:
    """Headers against rows; of recordings made again, lengths within bounds."""
    for row in check.rows:
        audio = row.audio
        path = check.root / layout.audio_path(row.call.sample_id)
        if audio is None or not path.is_file():
            continue
        data = read_bytes(path, "recording")
        fault = length_fault(data, audio) if audio.path in check.again else fault_of_recording(data, audio)
        if fault is not None:
            check.find(Difference.ROW, f"{layout.MANIFEST}: {row.call.sample_id}", f"its recording {fault}")
        if (check.sums or {}).get(audio.path, audio.sha256) != audio.sha256:
            what = f"the hash of its recording is not that of {layout.SUMS}"
            check.find(Difference.ROW, f"{layout.MANIFEST}: {row.call.sample_id}", what)


def _check_transcripts(check: _Check) -> None:
    if check.head is None or not check.head.contract.audio:
        return
    try:
        made = read_file(check.root / layout.TRANSCRIPT_SET, TranscriptSet)
        name = layout.transcripts_path(made.name)
        lines = read_lines(check.root / name, CallTranscript)
    except FileError as error:
        check.find(Difference.ROW, layout.TRANSCRIPT_SET, _plain(check, error))
        return
    check.made, check.frozen_words = made, {line.sample_id: line.text for line in lines}
    if check.all_rows:
        check.faults(Difference.ROW, name, faults_of_transcripts(made, lines, check.rows))


def _check_remade(check: _Check, here: Mapping[str, Json] | None, hearer: Hearer | None) -> None:
    """Recordings with other bytes: whether they may have them, and whether they are heard to say the same."""
    if not check.again:
        return
    reason = _why_not_again(check, here) or (_why_not_heard(check, hearer) if hearer is not None else None)
    rows = {row.audio.path: row for row in check.rows if row.audio is not None}
    for name, call in check.again.items():
        if reason is not None:
            fault: str | None = reason
        elif hearer is None:
            fault = f"was made again, as {layout.REBUILT} says, and was not heard here: ringback snapshot verify --hear"
        elif name not in rows or not check.frozen_words.get(call.sample_id):
            fault = "was made again, and no frozen words are there to hold it against"
        else:
            fault = _heard_fault(check, hearer, rows[name], call)
        if fault is not None:
            check.find(Difference.CHANGED, name, fault)
    if hearer is not None and reason is None:
        check.notes.append(
            f"{len(check.again)} of {len(rows)} recordings were made again with other bytes, on other hardware or packages;"
            f" each was heard here and is held against its frozen length (within {DURATION_BOUND:.0%}) and transcript (within"
            f" {TRANSCRIPT_BOUND:g} character errors a character)"
        )


def _why_not_again(check: _Check, here: Mapping[str, Json] | None) -> str | None:
    """Why no recording may have other bytes; None where they may."""
    speech = check.head.speech if check.head else {}
    if check.rebuilt is not None:
        there = machine_of({"cpu_features": list(check.rebuilt.cpu_features), "packages": dict(check.rebuilt.packages)})
        if there == machine_of(speech):
            return (
                f"has other bytes, though {layout.REBUILT} names the frozen CPU features and packages, which make the frozen ones"
            )
    if here is None:
        return None
    others = settings_differences(speech["render"], here["render"]) if {"render"} <= speech.keys() & here.keys() else []
    if others:
        return f"was made again where sound is made in another way: {'; '.join(others)}"
    one, other = known_on_both(speech, here)
    if one == other:
        return "has other bytes, though this machine has the frozen CPU features and packages, which make the frozen ones"
    return None


def _why_not_heard(check: _Check, hearer: Hearer) -> str | None:
    """Why what is heard here cannot be held against the frozen transcripts; None where it can."""
    if check.made is None:
        return "was made again, and no frozen transcripts are there to hold it against"
    others = settings_differences(dict(check.made.settings), dict(hearer.settings))
    return f"was made again, and is heard in another way than the frozen one: {'; '.join(others)}" if others else None


def _heard_fault(check: _Check, hearer: Hearer, row: ManifestRow, call: Remade) -> str | None:
    """Hear a recording; why it does not say what the frozen one does."""
    data = read_bytes(check.root / layout.audio_path(call.sample_id), "recording")
    frozen = check.frozen_words[call.sample_id]
    change = char_errors(frozen, hearer(row, data), normaliser_of(row.call.language)).rate
    return transcript_fault(call.model_copy(update={"transcript_change": round(change, 6)}))


def _note_sound(check: _Check, here: Mapping[str, Json] | None) -> None:
    """Say where this machine would not make the same bytes."""
    speech = check.head.speech if check.head else {}
    if here is None or not speech:
        return
    told = machine_differences(*known_on_both(speech, here))
    if told:
        check.notes.append(f"recordings were made with other {' and '.join(told)}: made again here they may have other bytes")
    if {"render"} <= speech.keys() & here.keys() and (others := settings_differences(speech["render"], here["render"])):
        check.notes.append(f"sound is made in another way here, so recordings cannot be made again: {'; '.join(others)}")


def _note_writable(check: _Check) -> None:
    files = [path for path in sorted(check.root.rglob("*")) if path.is_file() and not path.is_symlink()]
    writable = [path.relative_to(check.root).as_posix() for path in files if path.stat().st_mode & _WRITE]
    if writable:
        what = f"{len(writable)} of {len(files)} files may be written again; chmod -R a-w takes that away"
        check.find(Difference.WRITABLE, writable[0], what)


def _plain(check: _Check, error: Exception) -> str:
    """An error's line without the folder, which the reader knows."""
    return str(error).replace(f"{check.root}/", "")


def _said(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."
