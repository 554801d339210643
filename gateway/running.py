"""From a request to a finished run: parties checked, manifest, calls, grades. Everything else is rebuilt from what is on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from core.bundle import Bundle, load_bundle
from core.caller import Caller
from core.candidate import Candidate
from core.grading.grade import judge_key
from core.grading.judges import Judge
from core.metered import Metered, check, usage_by_role
from core.own_thread import LIMIT_S
from core.runs.budget import Budget
from core.runs.plan import plan_cases
from core.runs.runner import CaseResult, run_cases, unfinished
from core.runs.store import RunStore, sole_player
from core.schemas.base import Condition
from core.schemas.run import CaseKey, DropClass, RunFile
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
from gateway.reporting import Outcome, rebuild
from gateway.settings import Settings
from gateway.threads import Threads
from gateway.user_backends import BundlePrograms
from gateway.version import code_version

PROCESSES = 2
"""Calls at once where nobody says how many and the work is computed here."""
THREADS = 8
"""Calls, or judgements, at once where nobody says how many and the work is waiting for an endpoint."""
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
    concurrency: int | None = None
    """Calls at once; None for as many as fit the parties."""
    budget_usd: float | None = None
    """US dollars that may be spent before the last call starts; None for any."""
    allow_code: bool = False
    """Whether code of the bundle may run."""
    turn_timeout_s: float = LIMIT_S
    """Seconds that a user's code may take for a turn or a tool's answer."""
    argv: tuple[str, ...] = ()
    """The command line."""


class ProgressBar(Protocol):
    """Shows how far a run is."""

    def begin(self, done: int, spent_usd: float) -> None:
        """Begin with some cases done before."""
        ...

    def step(self, result: CaseResult) -> None:
        """Count one case."""
        ...

    def close(self) -> None:
        """Finish."""
        ...


@dataclass(frozen=True)
class _Parties:
    """One of each party, made for its record and to be checked; calls are played with others."""

    caller: Caller
    candidate: Candidate
    judge: Judge

    def waiting(self) -> bool:
        """Whether the work of a call, where nothing sounds, is waiting for an endpoint."""
        return any(isinstance(party, Metered) for party in (self.caller, self.candidate, self.judge))


def evaluate(request: RunRequest, settings: Settings, progress: Callable[[int], ProgressBar]) -> Outcome:
    """Play (or go on with) a run, grade it, and write summary and report.

    Raises:
        OperatorError: a party cannot work as it is set up; where no call was played before, nothing is written then.
        UsageError: a budget is given, and the price of a party is not known.
    """
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
    cases = _planned(request, bundle)
    BundlePrograms(bundle, allowed=request.allow_code, limit_s=request.turn_timeout_s).check(case.scenario for case in cases)
    first = bundle.scenarios[cases[0].scenario]
    candidate = make_candidate(request.candidate, request.turn_timeout_s)
    parties = _Parties(make_caller(request.caller)(first), candidate(first), make_judge(request.judge))
    run = _manifest(request, bundle, lines, cases, parties)
    _check_parties(RunStore(request.out), run, parties, request.budget_usd)
    with sole_player(request.out):
        store = RunStore.begin(request.out, run, bundle)
        _work(store, run, request, lines, parties, progress(len(run.cases)))
        return rebuild(store, bundle, run.judge)


def grade_run(store: RunStore, bundle: Bundle, judge: str) -> int:
    """Grade every finished case that this judge has not graded; returns how many were graded now.

    Where a judge fails, its case stays ungraded with its reason and the rest is graded.
    """
    made = make_judge(judge)
    key = judge_key(made.record())
    todo = [case for case in store.run().cases if store.has(case.name) and not store.is_graded(key, case.name)]
    if not todo:
        return 0
    check(made)
    results: list[CaseResult] = []
    go = partial(run_cases, store, todo, worker.Grader(store, bundle, judge).work, judge_key=key, progress=results.append)
    if isinstance(made, Metered):
        with Threads(THREADS) as threads:
            go(executor=threads, workers=THREADS)
    else:
        go()
    return sum(result.judged is not None and not result.judged.reason for result in results)


def _planned(request: RunRequest, bundle: Bundle) -> tuple[CaseKey, ...]:
    cases = plan_cases(
        bundle,
        request.conditions,
        agents=request.agents,
        scenarios=request.scenarios,
        languages=request.languages,
        repeats=request.repeats,
    )
    check_languages(request.caller, request.candidate, (bundle.scenarios[case.scenario] for case in cases))
    return cases


def _manifest(request: RunRequest, bundle: Bundle, lines: LineSettings, cases: tuple[CaseKey, ...], parties: _Parties) -> RunFile:
    return RunFile(
        bundle=bundle.file.id,
        bundle_version=bundle.file.version,
        bundle_hash=bundle.bundle_hash,
        bundle_locked=bundle.locked,
        bundle_path=request.bundle_name,
        caller=parties.caller.record(),
        candidate=parties.candidate.record(),
        judge=parties.judge.record(),
        lines={condition: made.settings() for condition, made in make_lines(request.conditions, lines).items()},
        seed=request.seed,
        repeats=request.repeats,
        record=request.record,
        cases=cases,
        code=code_version(),
        argv=tuple(map(redacted, request.argv)),
    )


def _check_parties(store: RunStore, run: RunFile, parties: _Parties, budget_usd: float | None) -> None:
    """Check whoever will be asked for anything, and with a budget that their prices are known."""
    dropped = store.dropped()
    lost = {case for case, line in dropped.items() if line.drop_class is DropClass.SIMULATION}
    finished = [case for case in run.cases if store.has(case.name)]
    key = judge_key(run.judge)
    asked: dict[str, object] = {}
    if len(finished) + len(lost) < len(run.cases):
        asked = {"caller": parties.caller, "candidate": parties.candidate, "judge": parties.judge}
    elif not all(store.is_graded(key, case.name) for case in finished):
        asked = {"judge": parties.judge}
    for party in asked.values():
        check(party)
    if budget_usd is not None:
        Budget(budget_usd, usage_by_role(asked))


def _work(store: RunStore, run: RunFile, request: RunRequest, lines: LineSettings, parties: _Parties, bar: ProgressBar) -> None:
    plan = worker.WorkerPlan(
        root=request.out,
        caller=request.caller,
        candidate=request.candidate,
        judge=request.judge,
        conditions=request.conditions,
        lines=lines,
        seed=request.seed,
        code=run.code,
        allow_code=request.allow_code,
        turn_timeout_s=request.turn_timeout_s,
    )
    # Spoken calls first: they take longest, and two processes then never make the same clip for two lines of one scenario.
    cases = sorted(run.cases, key=lambda case: _DEAREST_FIRST.index(case.condition))
    key = judge_key(run.judge)
    todo = unfinished(store, cases, key)
    used = store.usage()
    budget = None if request.budget_usd is None else Budget(request.budget_usd, used)
    bar.begin(len(cases) - len(todo), sum(each.cost_usd for each in used.values()))
    waiting = parties.waiting() and Condition.ASR not in request.conditions and not request.record
    count = request.concurrency or (THREADS if waiting else PROCESSES)
    go = partial(run_cases, store, todo, judge_key=key, progress=bar.step, budget=budget)
    try:
        if not todo:
            return
        if waiting:
            with Threads(count) as threads:
                go(worker.Worker(plan).work, executor=threads, workers=count)
        elif count == 1:
            go(worker.Worker(plan).work)
        else:
            with Pool(count, worker.prepare, plan) as pool:
                go(worker.work, executor=pool, workers=count)
    finally:
        bar.close()
