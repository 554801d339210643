"""An evaluation on disk: what decides its answers first, then every answer on a line of its own, kept before the next is asked.

run.json           what is evaluated and how; another configuration, or another month, is refused
responses.jsonl    a line for each call that was answered, in the order in which answers came
transcripts.jsonl  what was heard, where the recogniser is not the one of the month's own transcripts
summary.json       figures; derived, and made again at any time
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue, ValidationError

from core.errors import FileError, InputError
from core.files import append_line, cut_torn_line, make_folder, whole_lines, write_atomic
from core.runs.store import read_model, sole_worker
from core.schemas.base import canonical_json, content_hash, json_lines, pretty_json
from core.schemas.detections import EvaluationRun, EvaluationSummary, Response
from core.schemas.months import CallTranscript
from core.schemas.snapshots import ManifestRow
from core.snapshots.metrics import Gold
from core.snapshots.parsing import PARSER, read_label
from core.snapshots.summary import config_key, summarise

RUN, RESPONSES, TRANSCRIPTS, SUMMARY = "run.json", "responses.jsonl", "transcripts.jsonl", "summary.json"
SEED = 20_261_101
"""Seed of the intervals in every summary, so that one evaluation has one summary."""
_FREE = {"started_at", "config_key"}
_Line = TypeVar("_Line", Response, CallTranscript)


class EvaluationStore:
    """The folder of one evaluation."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def begin(cls, root: Path, run: EvaluationRun) -> EvaluationStore:
        """Start an evaluation, or go on with the one that stands there; call it under `working`.

        Raises:
            InputError: an evaluation of another month or in another configuration stands there; what differs is named.
            FileError: the folder holds something else, or cannot be used.
        """
        store = cls(make_folder(root))
        if store.is_begun():
            store.refuse_other(run)
            store._mend()
        elif any(not path.name.startswith(f".{RUN}.") for path in root.iterdir()):
            raise FileError(f"{root}: this folder is not empty and holds no evaluation: choose another with --out")
        else:
            write_atomic(root / RUN, pretty_json(run.to_json()))
        return store

    @classmethod
    def open(cls, root: Path) -> EvaluationStore:
        """An evaluation that stands there; raises FileError where none does."""
        store = cls(root)
        if not store.is_begun():
            raise FileError(f"{root}: no evaluation here: it is a folder with {RUN}, made by `ringback snapshot evaluate`")
        return store

    def working(self) -> AbstractContextManager[None]:
        """Hold the folder while calls are asked about; raises BusyError where another process does."""
        return sole_worker(self.root, "asking about these calls")

    def is_begun(self) -> bool:
        """Whether an evaluation stands here."""
        return (self.root / RUN).is_file()

    def run(self) -> EvaluationRun:
        """What decides the answers; raises FileError where the file was changed."""
        found = read_model(self.root / RUN, EvaluationRun, "manifest of an evaluation")
        key = config_key(found)
        if key != found.config_key:
            said = f"its key is {found.config_key[:12]!r}, its contents say {key[:12]!r}"
            raise FileError(f"{self.root / RUN}: was changed: {said}; evaluate anew into another folder")
        return found

    def refuse_other(self, run: EvaluationRun) -> None:
        """Raises InputError where the evaluation here is one of another month or in another configuration; names what differs."""
        old = self.run()
        if (old.snapshot_id, old.root_sha256) != (run.snapshot_id, run.root_sha256):
            there, now = f"{old.snapshot_id} {old.root_sha256[:12]}", f"{run.snapshot_id} {run.root_sha256[:12]}"
            raise InputError(f"{self.root}: holds answers about {there}, not about {now}: choose another folder with --out")
        free = {*_FREE, *_unsaid(old)}
        before, after = (each.model_dump(mode="json", exclude=free) for each in (old, run))
        different = [key for key in before if before[key] != after[key]]
        if different:
            shown = "; ".join(f"{key}: {_difference(before[key], after[key])}" for key in different)
            raise InputError(f"{self.root}: holds an evaluation with another configuration ({shown}): choose another with --out")

    def _mend(self) -> None:
        """Clear away what a kill left behind."""
        for name in (RESPONSES, TRANSCRIPTS):
            cut_torn_line(self.root / name)
        for name in (RUN, RESPONSES, SUMMARY):
            for path in self.root.glob(f".{name}.*"):
                path.unlink()

    # -- answers ------------------------------------------------------------------------------------------------------

    def responses(self) -> tuple[Response, ...]:
        """Every whole line, in the order in which answers came.

        Raises:
            FileError: a line is none, a call is there twice, or a label or an error is not what the answer's own words say.
        """
        path = self.root / RESPONSES
        found = _read(path, Response, "response")
        if not found:
            return found
        parser = self.run().parser
        if parser not in (None, PARSER):
            raise FileError(f"{path}: labels were read by {parser!r}, in force is {PARSER!r}: evaluate anew into another folder")
        for number, one in enumerate(found, 1):
            if (fault := _misread(one, flags_known=parser is not None)) is not None:
                where = f"{path}: line {number}, {one.sample_id!r}"
                raise FileError(f"{where}: was changed: {fault}; evaluate anew into another folder")
        return found

    def add(self, response: Response) -> None:
        """Keep an answer about a call that has none, and wait until it is on disk."""
        append_line(self.root / RESPONSES, canonical_json(response.to_json()), synced=True)

    def replace(self, response: Response) -> None:
        """Put an answer in the place of the one that the call has; the file is there whole with either."""
        kept = [response if each.sample_id == response.sample_id else each for each in self.responses()]
        write_atomic(self.root / RESPONSES, json_lines(kept))

    # -- what was heard -----------------------------------------------------------------------------------------------

    def transcripts(self) -> dict[str, CallTranscript]:
        """What was heard for this evaluation, by call; raises FileError."""
        return {each.sample_id: each for each in _read(self.root / TRANSCRIPTS, CallTranscript, "transcript")}

    def add_transcript(self, transcript: CallTranscript) -> None:
        """Keep what was heard of a call that was not heard before, and wait until it is on disk."""
        append_line(self.root / TRANSCRIPTS, canonical_json(transcript.to_json()), synced=True)

    # -- figures ------------------------------------------------------------------------------------------------------

    def summarised(self, rows: Iterable[ManifestRow], only: Container[str] | None = None) -> EvaluationSummary:
        """The figures of the answers from the labels of the month, or of the calls of `only`; nothing is written.

        Raises:
            InputError: not exactly one answer to every call, or calls of one label only.
        """
        gold = [Gold(row.call.sample_id, row.call.tree_id, row.call.label) for row in rows]
        responses: Iterable[Response] = self.responses()
        if only is not None:
            gold = [one for one in gold if one.sample_id in only]
            responses = [one for one in responses if one.sample_id in only]
        try:
            return summarise(self.run(), gold, responses, SEED)
        except ValueError as error:
            raise InputError(f"{self.root}: cannot be summed up: {error}") from None

    def save_summary(self, summary: EvaluationSummary) -> Path:
        """Write `summary.json`."""
        path = self.root / SUMMARY
        write_atomic(path, pretty_json(summary.to_json()))
        return path

    def summary(self) -> EvaluationSummary:
        """The saved figures; raises FileError where there are none."""
        return read_model(self.root / SUMMARY, EvaluationSummary, "summary")


def _read(path: Path, model: type[_Line], what: str) -> tuple[_Line, ...]:
    found: dict[str, _Line] = {}
    for number, raw in enumerate(whole_lines(path, f"{what}s"), 1):
        try:
            line = model.model_validate_json(raw)
        except ValidationError as error:
            raise FileError(f"{path}: line {number} is no {what}: {error.errors()[0]['msg']}: {raw[:60]!r}") from None
        if line.sample_id in found:
            raise FileError(f"{path}: line {number} is a second {what} of {line.sample_id!r}: take one of them out")
        found[line.sample_id] = line
    return tuple(found.values())


def _misread(one: Response, *, flags_known: bool) -> str | None:
    """How a label or an error differs from what the words say; older files do not tell which errors the detector itself gave."""
    if one.error is not None and (one.flagged or not flags_known):
        return None
    read = read_label(one.raw)
    if (one.parsed, one.error) == read:
        return None
    return f"{one.parsed or one.error} stands there, {one.raw[:60]!r} reads as {read.label or read.error}"


def _unsaid(old: EvaluationRun) -> set[str]:
    """Fields that are not held against each other: what an older file lacks, and how a party is spelled where it names itself."""
    unsaid = {name for name in ("party", "parser") if getattr(old, name) is None}
    return unsaid if "party" in unsaid else {*unsaid, "detector"}


def _difference(before: JsonValue, after: JsonValue) -> str:
    """What differs, of settings only those that do."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
        return ", ".join(f"{key} {_short(before.get(key))} there, {_short(after.get(key))} now" for key in keys)
    return f"{_short(before)} there, {_short(after)} now"


def _short(value: JsonValue) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"#{content_hash(value)[:8]}"
