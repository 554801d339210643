"""Asking a detector about every call of a month, once, in the order of the manifest; every answer is kept at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass
from functools import partial

from core.errors import ContextOverflowError, FileError, ProviderError, RefusedError
from core.schemas.base import encodable, is_json
from core.schemas.detections import DetectionError, Response
from core.schemas.snapshots import ManifestRow
from core.seeds import derive
from core.snapshots.detector import Detector, Said
from core.snapshots.evaluating.inputs import Inputs
from core.snapshots.evaluating.store import EvaluationStore
from core.snapshots.parsing import read_label

ASKED_AGAIN = frozenset({DetectionError.TRANSPORT, DetectionError.TIMEOUT})
"""What may be asked anew: no answer is nothing that a detector said."""


@dataclass(frozen=True)
class Clock:
    """Tells times for the record; none of them decides anything."""

    now: Callable[[], str]
    """The time, UTC, as text."""
    seconds: Callable[[], float]
    """Seconds since some moment."""


@dataclass(frozen=True)
class Asking:
    """Who is asked, what it is given, and when."""

    detector: Detector
    inputs: Inputs
    clock: Clock


def ask_all(
    rows: Sequence[ManifestRow],
    asking: Asking,
    store: EvaluationStore,
    executor: Executor | None = None,
    *,
    again: bool = False,
    on_answer: Callable[[Response], None] | None = None,
) -> None:
    """Ask about every call that has no answer yet, several at once with an `executor`; call it under the store's `working`.

    With `again` those are asked anew, too, to which no answer came, or none in time; a new answer takes the old one's place
    and names it among its attempts.

    Raises:
        FileError: an answer that is kept is about no call of the month, or a recording is not the frozen one.
        OperatorError: the detector cannot work as it is set up; what was answered before is kept.
    """
    kept = {response.sample_id: response for response in store.responses()}
    strangers = kept.keys() - {row.call.sample_id for row in rows}
    if strangers:
        raise FileError(f"{store.root}: holds an answer about {min(strangers)!r}, no call of this month")
    waiting = [row for row in rows if row.call.sample_id not in kept]
    if again:
        waiting += [row for row in rows if (old := kept.get(row.call.sample_id)) and old.error in ASKED_AGAIN]

    def keep(response: Response) -> None:
        """Write an answer down, in the place of an earlier one where there is one."""
        old = kept.get(response.sample_id)
        if old is None:
            store.add(response)
        else:
            before = f"asked at {old.started_at}: {old.error}"
            store.replace(response.model_copy(update={"attempts": (*old.attempts, before, *response.attempts)}))
        if on_answer is not None:
            on_answer(response)

    if executor is None:
        for row in waiting:
            keep(ask(row, asking))
    else:
        _ask_at_once(waiting, asking, executor, keep)


def _ask_at_once(rows: Sequence[ManifestRow], asking: Asking, executor: Executor, keep: Callable[[Response], None]) -> None:
    """Keep answers as they come; after a failure keep those that are there already, and raise it."""
    futures: list[Future[Response]] = [executor.submit(partial(ask, row, asking)) for row in rows]
    taken: set[Future[Response]] = set()
    try:
        for future in as_completed(futures):
            taken.add(future)
            keep(future.result())
    except BaseException:
        for future in futures:
            if not future.cancel() and future.done() and future not in taken and future.exception() is None:
                keep(future.result())
        raise


def ask(row: ManifestRow, asking: Asking) -> Response:
    """One answer; what a detector raises about a call becomes an error flag with its reason.

    Raises:
        FileError: the recording is not the frozen one.
        OperatorError: the detector cannot work as it is set up.
    """
    given = asking.inputs.of(row)
    started_at, began = asking.clock.now(), asking.clock.seconds()
    error: DetectionError | None = None
    try:
        said = _writable(asking.detector.detect(given.given, derive("detector", row.call.sample_id)))
    except ContextOverflowError as problem:
        error, said = DetectionError.TOO_LONG, _nothing(problem)
    except RefusedError as problem:
        error, said = DetectionError.REFUSAL, _nothing(problem)
    except TimeoutError as problem:
        error, said = DetectionError.TIMEOUT, _nothing(problem)
    except ProviderError as problem:
        error, said = DetectionError.TRANSPORT, _nothing(problem)
    error = error or said.error
    label, unread = (None, error) if error else read_label(said.raw)
    return Response(
        sample_id=row.call.sample_id,
        audio_sha256=given.audio_sha256,
        transcript_id=given.transcript_id,
        raw=said.raw,
        parsed=label,
        error=unread,
        flagged=error is not None,
        score=said.score,
        attempts=said.attempts,
        started_at=started_at,
        latency_ms=max(0.0, (asking.clock.seconds() - began) * 1000),
        usage=said.usage,
    )


def _writable(said: Said) -> Said:
    """An answer that can be kept; raises ProviderError for one with half of a character, as an endpoint's JSON may hold."""
    odd = next((text for text in (said.raw, *said.attempts) if not is_json(text)), None)
    if odd is not None:
        raise ProviderError(f"answered with {ascii(odd)[:80]}, which is no Unicode text")
    return said


def _nothing(problem: Exception) -> Said:
    """No answer, for a reason."""
    reason = " ".join(str(problem).split()) or type(problem).__name__
    return Said("", attempts=(encodable(reason),))
