"""The round trip of a run: every reply of its agent heard again, in several processes, into one file beside the run's grades."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from core.errors import InputError
from core.runs.roundtrip import round_trip
from core.runs.store import RunStore, trace_bytes
from core.schemas.base import sha256
from core.schemas.roundtrip import ReplyRoundTrip, RoundTrip
from gateway.defaults import DEFAULT_VOICES
from gateway.pool import Pool
from speech.endpoint import Endpoint
from speech.roundtrip import echoes_of_recording, echoes_of_words
from speech.studio import Studio, build_studio


@dataclass(frozen=True)
class Plan:
    """What every process must know."""

    root: Path
    """The run's folder."""
    cache_root: Path
    """Cache folder."""
    recogniser: str
    """Recogniser as named."""
    endpoint: Endpoint | None = None
    """Speech server of remote models."""


@dataclass(frozen=True)
class Measured:
    """One case."""

    case: str
    """Case name."""
    trace_sha256: str
    """Identity of its trace."""
    language: str
    """BCP 47 tag."""
    listener: dict[str, JsonValue]
    """What decides what was heard."""
    replies: tuple[ReplyRoundTrip, ...]
    """Every reply."""


def measure_run(plan: Plan, concurrency: int, progress: Callable[[str], None]) -> RoundTrip:
    """Measure every finished case of a run and write the file.

    Raises:
        InputError: no case is finished.
        RingbackError: the first failure, whichever process met it; nothing is written.
    """
    store = RunStore.open(plan.root)
    cases = [case.name for case in store.run().cases if store.has(case.name)]
    if not cases:
        raise InputError(f"{plan.root}: no case of this run is finished: play it with `ringback run` first")
    found = []
    with Pool(min(concurrency, len(cases)), prepare, plan) as pool:
        for case, measured in pool.in_order(measure, cases):
            found.append(measured)
            progress(case)
    whole = RoundTrip(
        recogniser=plan.recogniser,
        listeners={each.language: each.listener for each in found},
        traces={each.case: each.trace_sha256 for each in found},
        replies=tuple(reply for each in found for reply in each.replies),
    )
    store.save_round_trip(whole)
    return whole


class Bench:
    """One process's studios over one run."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._store = RunStore(plan.root)
        self._bundle = self._store.bundle()
        self._studios: dict[str, Studio] = {}

    def measure(self, case: str) -> Measured:
        """Measure one case."""
        trace = self._store.trace(case)
        head = trace.header
        studio = self._studio(str(head.line.get("voices", DEFAULT_VOICES)))
        listener = studio.listener(head.language)
        scenario = self._bundle.scenarios[head.scenario]
        if trace.recording is not None:
            echoes = echoes_of_recording(trace, self._store.case_folder(case), listener)
        else:
            echoes = echoes_of_words(trace, studio.booth(scenario, head.seeds.speech), listener)
        return Measured(
            case=case,
            trace_sha256=sha256(trace_bytes(trace)),
            language=head.language,
            listener=listener.settings(),
            replies=tuple(round_trip(case, trace, scenario.script, echo) for echo in echoes),
        )

    def _studio(self, voices: str) -> Studio:
        if voices not in self._studios:
            plan = self._plan
            self._studios[voices] = build_studio(plan.cache_root, "clean", plan.recogniser, voices, plan.endpoint)
        return self._studios[voices]


_bench: Bench | None = None


def prepare(plan: Plan) -> None:
    """Make this process ready to measure."""
    global _bench  # noqa: PLW0603  # a process pool offers no other place for per-process state
    _bench = Bench(plan)


def measure(case: str) -> Measured:
    """Measure one case in a prepared process."""
    if _bench is None:
        raise AssertionError("the process was not prepared")
    return _bench.measure(case)
