"""Evaluations that are finished: their figures, held against the answers beside them, and every answer beside its call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence

from core.errors import FileError, InputError
from core.schemas.detections import DetectionError, EvaluationSummary, InputMode, Response
from core.schemas.months import CallTranscript
from core.schemas.snapshot_report import JoinedRow
from core.schemas.snapshots import Label
from core.snapshots.collapse import RULES
from core.snapshots.evaluating.store import SUMMARY, EvaluationStore
from core.snapshots.freezing.reading import Snapshot, read_transcripts
from core.snapshots.metrics import ERROR_POLICY
from core.snapshots.parsing import PARSER


def finished_summary(store: EvaluationStore, month: Snapshot | None) -> EvaluationSummary:
    """The figures of an evaluation. With its month they are made anew, and `summary.json` with them where it says something else.

    Raises:
        InputError: calls are not answered yet; without the month, also figures that are missing or not those of the answers.
    """
    run, responses = store.run(), store.responses()
    if month is not None:
        _refuse_unfinished(store, len(responses), len(month.rows))
        made = store.summarised(month.rows)
        if _saved(store) != made:
            store.save_summary(made)
        return made
    if not (store.root / SUMMARY).is_file():
        raise FileError(f"{store.root}: no {SUMMARY}, and {len(responses)} answers: {_remedy(run.snapshot_id)}")
    saved = store.summary()
    _refuse_unfinished(store, len(responses), saved.metrics.n)
    reason = "it is of another run.json" if saved.run != run else _stale(saved, responses)
    if reason is not None:
        raise InputError(
            f"{store.root / SUMMARY}: not the figures of the answers beside it ({reason}): {_remedy(run.snapshot_id)}"
        )
    return saved


def partial_summary(store: EvaluationStore, month: Snapshot, only: Container[str]) -> EvaluationSummary:
    """The figures of some calls of an evaluation alone; nothing is written.

    Raises:
        InputError: calls of the month are not answered yet, or all that are counted have one label.
    """
    _refuse_unfinished(store, len(store.responses()), len(month.rows))
    return store.summarised(month.rows, only)


def _refuse_unfinished(store: EvaluationStore, answered: int, calls: int) -> None:
    if answered < calls:
        raise InputError(f"{store.root}: {answered} of {calls} calls are answered: run ringback snapshot evaluate again to go on")


def _remedy(snapshot_id: str) -> str:
    return f"name its month, {snapshot_id!r}, with --snapshot, or run ringback snapshot evaluate again"


def _saved(store: EvaluationStore) -> EvaluationSummary | None:
    try:
        return store.summary()
    except FileError:
        return None


def _stale(saved: EvaluationSummary, responses: Sequence[Response]) -> str | None:
    """Why figures cannot be those of these answers, as far as the answers tell without the labels of their calls."""
    rules, in_force = ((saved.parser, saved.error_policy, saved.rules.version), (PARSER, ERROR_POLICY, RULES.version))
    if rules != in_force:
        return f"made by {', '.join(rules)}; in force are {', '.join(in_force)}"
    labels = Counter(response.parsed for response in responses)
    kinds = Counter(response.error for response in responses if response.error is not None)
    told = Counter[DetectionError]()
    for by_kind in saved.errors.values():
        told.update(by_kind)
    figures = saved.metrics
    pairs = (
        ("answers", figures.n, len(responses)),
        ("FRAUD", figures.tp + figures.fp, labels[Label.FRAUD]),
        ("NONFRAUD", figures.tn + figures.fn, labels[Label.NONFRAUD]),
        *((kind.value, told[kind], kinds[kind]) for kind in DetectionError),
    )
    return next((f"{what}: {there} there, {here} here" for what, there, here in pairs if there != here), None)


def joined_rows(store: EvaluationStore, month: Snapshot) -> Iterator[JoinedRow]:
    """Every answer beside its call, in the order of the manifest.

    Raises:
        InputError: calls are not answered yet, or a transcript that was read is not there.
    """
    run = store.run()
    responses = {response.sample_id: response for response in store.responses()}
    _refuse_unfinished(store, len(responses), len(month.rows))
    heard = {one.transcript_id: one.text for one in _transcripts(store, month)} if run.mode is InputMode.ASR else {}
    for row in month.rows:
        response = responses[row.call.sample_id]
        if response.transcript_id is not None and response.transcript_id not in heard:
            found = f"the transcript {response.transcript_id[:12]} of {row.call.sample_id!r}"
            raise FileError(f"{store.root}: {found} stands neither here nor in {month.root}")
        yield JoinedRow(
            snapshot_id=run.snapshot_id,
            root_sha256=run.root_sha256,
            row=row,
            config_key=run.config_key,
            detector=run.detector,
            settings=run.settings,
            mode=run.mode,
            prompt_language=run.prompt_language,
            prompt_sha256=run.prompt_sha256,
            recogniser=run.recogniser,
            audio_sha256=response.audio_sha256,
            transcript_id=response.transcript_id,
            transcript=None if response.transcript_id is None else heard[response.transcript_id],
            raw=response.raw,
            parsed=response.parsed,
            error=response.error,
            asked_at=response.started_at,
        )


def _transcripts(store: EvaluationStore, month: Snapshot) -> list[CallTranscript]:
    return [*read_transcripts(month.root).values(), *store.transcripts().values()]
