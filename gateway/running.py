"""From a request to a finished run: manifest, cases, grades, summary, report. Everything is rebuilt from what is on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from core.bundle import Bundle, load_bundle
from core.files import write_atomic
from core.grading.grade import grade_trace, judge_key
from core.grading.judges import Judge
from core.report.page import MAX_EMBEDDED_BYTES, CasePage, render_page
from core.runs.plan import plan_cases
from core.runs.roundtrip import of_traces
from core.runs.runner import CaseResult, run_cases
from core.runs.store import RunStore, sole_player
from core.runs.summary import GradedCase, summarise
from core.runs.trust import shipped_table
from core.schemas.base import Condition
from core.schemas.roundtrip import RoundTrip
from core.schemas.run import DropClass, RunFile, Summary
from gateway import worker
from gateway.defaults import (
    DEFAULT_CALLER,
    DEFAULT_CANDIDATE,
    DEFAULT_CHANNEL,
    DEFAULT_JUDGE,
    DEFAULT_RECOGNISER,
    DEFAULT_SEED,
    DEFAULT_VOICES,
)
from gateway.lines import LineSettings, make_lines, spoken_languages
from gateway.parties import check_languages, make_caller, make_candidate, make_judge
from gateway.party_spec import redacted
from gateway.pool import Pool
from gateway.settings import Settings
from gateway.version import code_version

_DEAREST_FIRST = (Condition.AUDIO, Condition.ASR, Condition.AUTHORED, Condition.TEXT)


@dataclass(frozen=True)
class RunRequest:
    """What the command line asked for."""

    bundle: Path
    """The bundle's folder."""
    bundle_name: str
    """The bundle as given."""
    conditions: tuple[Condition, ...]
    """Lines, in order."""
    out: Path
    """Folder of the run."""
    candidate: str = DEFAULT_CANDIDATE
    """Candidate party."""
    caller: str = DEFAULT_CALLER
    """Caller party."""
    judge: str = DEFAULT_JUDGE
    """Judge party."""
    agents: str = "*"
    """Patterns of agent ids."""
    scenarios: str = "*"
    """Patterns of scenario ids."""
    languages: tuple[str, ...] = ()
    """Language codes; empty for all."""
    repeats: int = 1
    """Calls per scenario and condition."""
    seed: int = DEFAULT_SEED
    """Seed of the run."""
    channel: str = DEFAULT_CHANNEL
    """Channel of spoken lines."""
    record: bool = False
    """Whether text lines are spoken too."""
    voices: str = DEFAULT_VOICES
    """Voices that may take part."""
    recogniser: str = DEFAULT_RECOGNISER
    """Recogniser of `asr` calls."""
    concurrency: int = 2
    """Processes."""
    argv: tuple[str, ...] = ()
    """The command line."""


@dataclass(frozen=True)
class Outcome:
    """What a user is shown at the end."""

    summary: Summary
    """The summary."""
    report: Path
    """The HTML report."""
    audio: Literal["embedded", "linked", "none"]
    """Where the page's sound is."""
    unplayed: tuple[str, ...] = ()
    """Calls that the infrastructure dropped, each with the reason."""
    back: RoundTrip | None = None
    """What was measured of the agent's own speech, if it was."""


class ProgressBar(Protocol):
    """Counts finished cases."""

    def step(self, note: str) -> None:
        """Count one."""
        ...

    def close(self) -> None:
        """Finish."""
        ...


def evaluate(request: RunRequest, settings: Settings, progress: Callable[[int], ProgressBar]) -> Outcome:
    """Play (or go on with) a run, grade it, and write summary and report."""
    sounds = Condition.ASR in request.conditions or request.record
    bundle = load_bundle(request.bundle, spoken=spoken_languages() if sounds else None)
    lines = LineSettings(
        cache_root=settings.cache_root,
        channel=request.channel,
        record=request.record,
        voices=request.voices,
        recogniser=request.recogniser,
        endpoint=settings.endpoint,
    )
    judge = make_judge(request.judge)
    run = _manifest(request, bundle, lines, judge)
    plan = worker.WorkerPlan(
        root=request.out,
        caller=request.caller,
        candidate=request.candidate,
        conditions=request.conditions,
        lines=lines,
        seed=request.seed,
        code=run.code,
    )
    with sole_player(request.out):
        store = RunStore.begin(request.out, run, bundle)
        _play(store, run, plan, request.concurrency, progress(len(run.cases)))
        return finish(store, bundle, judge)


def finish(store: RunStore, bundle: Bundle, judge: Judge) -> Outcome:
    """Grade what is not graded yet by this judge, and write summary and report; `bundle` is the run's own."""
    grade_cases(store, bundle, judge)
    return rebuild(store, bundle, judge)


def grade_cases(store: RunStore, bundle: Bundle, judge: Judge) -> int:
    """Grade every finished case this judge has not graded; returns how many were graded now."""
    run = store.run()
    key = judge_key(judge.record())
    graded = 0
    for case in run.cases:
        if not store.has(case.name) or store.grade(key, case.name) is not None:
            continue
        store.save_grade(grade_trace(store.trace(case.name), bundle, judge), case.name)
        graded += 1
    return graded


def rebuild(store: RunStore, bundle: Bundle, judge: Judge) -> Outcome:
    """Write `summary.json` and `report.html` from traces, grades and journal."""
    run = store.run()
    graded = graded_cases(store, run, judge)
    dropped = store.dropped()
    tagged = run.code.tag is not None
    summary = summarise(run, bundle, judge.record(), graded, dropped, tagged=tagged, table=shipped_table())
    store.save_summary(summary)
    back = _round_trip(store, summary)
    pages, audio = _case_pages(store, summary, graded, back)
    report = store.root / "report.html"
    write_atomic(report, render_page(summary, pages, audio, back).encode())
    unplayed = [f"{case}: {line.reason}" for case, line in dropped.items() if line.drop_class is DropClass.INFRASTRUCTURE]
    return Outcome(summary, report, audio, tuple(unplayed), back)


def graded_cases(store: RunStore, run: RunFile, judge: Judge) -> list[GradedCase]:
    """Every finished case with its trace and this judge's grade."""
    key = judge_key(judge.record())
    found = []
    for case in run.cases:
        grade = store.grade(key, case.name) if store.has(case.name) else None
        if grade is not None:
            found.append(GradedCase(case.name, store.trace(case.name), grade))
    return found


def _manifest(request: RunRequest, bundle: Bundle, lines: LineSettings, judge: Judge) -> RunFile:
    cases = plan_cases(
        bundle,
        request.conditions,
        agents=request.agents,
        scenarios=request.scenarios,
        languages=request.languages,
        repeats=request.repeats,
    )
    check_languages(request.caller, request.candidate, (bundle.scenarios[case.scenario] for case in cases))
    first = bundle.scenarios[cases[0].scenario]
    return RunFile(
        bundle=bundle.file.id,
        bundle_version=bundle.file.version,
        bundle_hash=bundle.bundle_hash,
        bundle_locked=bundle.locked,
        bundle_path=request.bundle_name,
        caller=make_caller(request.caller)(first).record(),
        candidate=make_candidate(request.candidate)(first).record(),
        judge=judge.record(),
        lines={condition: made.settings() for condition, made in make_lines(request.conditions, lines).items()},
        seed=request.seed,
        repeats=request.repeats,
        record=request.record,
        cases=cases,
        code=code_version(),
        argv=tuple(map(redacted, request.argv)),
    )


def _play(store: RunStore, run: RunFile, plan: worker.WorkerPlan, concurrency: int, bar: ProgressBar) -> None:
    # Spoken calls first: they take longest, and two processes then never make the same clip for two lines of one scenario.
    cases = sorted(run.cases, key=lambda case: _DEAREST_FIRST.index(case.condition))

    def note(result: CaseResult) -> None:
        bar.step(result.case if result.trace_sha256 else f"{result.case} dropped: {result.reason}")

    try:
        if concurrency == 1:
            run_cases(store, cases, worker.Worker(plan).play, progress=note)
            return
        with Pool(concurrency, worker.prepare, plan) as pool:
            run_cases(store, cases, worker.play, executor=pool, workers=concurrency, progress=note)
    finally:
        bar.close()


def _round_trip(store: RunStore, summary: Summary) -> RoundTrip | None:
    """What was measured of the agent's own speech in exactly the calls of this summary."""
    found = store.round_trip()
    return None if found is None else of_traces(found, {case.case: case.trace_sha256 for case in summary.cases})


def _case_pages(
    store: RunStore, summary: Summary, graded: list[GradedCase], back: RoundTrip | None
) -> tuple[list[CasePage], Literal["embedded", "linked", "none"]]:
    """The report's cases, with their sound inside where all of it is small enough."""
    files = {case.name: store.case_folder(case.name) / "call.flac" for case in graded}
    total = sum(path.stat().st_size for path in files.values() if path.is_file())
    audio: Literal["embedded", "linked", "none"] = (
        "none" if not total else "embedded" if total <= MAX_EMBEDDED_BYTES else "linked"
    )
    by_name = {case.name: case for case in graded}
    pages = []
    for entry in summary.cases:
        case = by_name[entry.case]
        path = files[entry.case]
        sound = path.read_bytes() if audio == "embedded" and path.is_file() else None
        link = f"cases/{entry.case}/call.flac" if audio == "linked" and path.is_file() else None
        replies = tuple(reply for reply in back.replies if reply.case == entry.case) if back else ()
        pages.append(CasePage(summary=entry, trace=case.trace, grade=case.grade, audio=sound, link=link, replies=replies))
    return pages, audio
