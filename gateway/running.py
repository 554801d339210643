"""From a request to a finished run: parties checked, manifest, calls, grades. Everything else is rebuilt from what is on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from core.bundle import Bundle, load_bundle
from core.caller import Caller
from core.candidate import Candidate
from core.errors import RingbackError
from core.grading.grade import judge_key
from core.grading.judges import Judge
from core.metered import Metered, check, usage_by_role
from core.own_thread import LIMIT_S
from core.runs.budget import Budget
from core.runs.plan import plan_cases
from core.runs.runner import CaseResult, run_cases, stays_dropped, unfinished
from core.runs.store import RunStore, sole_worker
from core.schemas.base import Condition
from core.schemas.run import CaseKey, RunFile
from core.schemas.usage import Usage
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
    again: bool = False
    """Whether calls that an endpoint refused are played again."""
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
    store, key = RunStore(request.out), judge_key(run.judge)
    is_new = not store.is_begun()
    used = _checked(_asked(store, run, parties, request), request.budget_usd) if is_new else {}
    with sole_worker(request.out):
        store = RunStore.begin(request.out, run, bundle)
        if is_new:
            _keep(store, used, key)
        else:
            _check_kept(store, _asked(store, run, parties, request), request.budget_usd, key)
        _work(store, run, request, lines, parties, progress(len(run.cases)))
        return rebuild(store, bundle, run.judge)


@dataclass(frozen=True)
class Regraded:
    """What came of judging a run again."""

    now: int
    """Calls graded now."""
    left: int
    """Calls that the judge was not asked about, since the budget was spent."""


def grade_run(
    store: RunStore,
    bundle: Bundle,
    judge: str,
    progress: Callable[[int], ProgressBar],
    *,
    concurrency: int | None = None,
    budget_usd: float | None = None,
) -> Regraded:
    """Grade every finished case that this judge has not graded, until the budget is spent; what it cost here before counts.

    Where a judge fails, its case stays ungraded with its reason and the rest is graded.

    Raises:
        OperatorError: the judge cannot work as it is set up.
        UsageError: a budget is given, and the price of the judge is not known.
        BusyError: another process plays or judges this run.
    """
    made = make_judge(judge)
    key = judge_key(made.record())
    finished = [case for case in store.run().cases if store.has(case.name)]
    if all(store.is_graded(key, case.name) for case in finished):
        return Regraded(0, 0)
    with sole_worker(store.root):
        store.mend()
        _check_kept(store, {"judge": made}, budget_usd, key)
        todo = unfinished(store, finished, key)
        used = {"judge": store.spending.usage(key).get("judge", Usage())}
        bar = progress(len(finished))
        bar.begin(len(finished) - len(todo), used["judge"].cost_usd)
        results: list[CaseResult] = []

        def step(result: CaseResult) -> None:
            results.append(result)
            bar.step(result)

        budget = None if budget_usd is None else Budget(budget_usd, used)
        work = worker.Grader(store, bundle, judge).work
        go = partial(run_cases, store, todo, work, judge_key=key, progress=step, budget=budget, judging_waits=True)
        waiting = isinstance(made, Metered) or concurrency is not None
        try:
            with _counted(store, made):
                _in_threads(go, concurrency or THREADS) if waiting else go()
        finally:
            bar.close()
    graded = sum(result.judged is not None and not result.judged.reason for result in results)
    return Regraded(graded, len(todo) - len(results))


def _keep(store: RunStore, used: Mapping[str, Usage], key: str) -> None:
    """Count what checks used; `key` is the judge's."""
    for role, each in used.items():
        store.spending.add(role, each, key if role == "judge" else None)


def _check_kept(store: RunStore, asked: Mapping[str, object], budget_usd: float | None, key: str) -> None:
    """Like `_checked`; what it uses is told to the store at once. After a check that fails nothing is under way."""
    failed: RingbackError | None = None
    with _counted(store, *asked.values()):
        for role, party in asked.items():
            store.spending.of(role, party, key if role == "judge" else None)
        try:
            _checked(asked, budget_usd)
        except RingbackError as error:
            failed = error
    if failed is not None:
        raise failed


def _counted(store: RunStore, *parties: object) -> AbstractContextManager[None]:
    """While these work: what they use is told to the store, where any of them is a model."""
    return store.spending.working() if any(isinstance(party, Metered) for party in parties) else nullcontext()


def _in_threads(go: Callable[..., None], count: int) -> None:
    with Threads(count) as threads:
        go(executor=threads, workers=count)


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


def _asked(store: RunStore, run: RunFile, parties: _Parties, request: RunRequest) -> dict[str, object]:
    """Whoever will be asked for anything, by role."""
    dropped = store.dropped()
    lost = {case for case, line in dropped.items() if stays_dropped(line, again=request.again)}
    finished = [case for case in run.cases if store.has(case.name)]
    key = judge_key(run.judge)
    if len(finished) + len(lost) < len(run.cases):
        return {"caller": parties.caller, "candidate": parties.candidate, "judge": parties.judge}
    return {} if all(store.is_graded(key, case.name) for case in finished) else {"judge": parties.judge}


def _checked(asked: Mapping[str, object], budget_usd: float | None) -> dict[str, Usage]:
    """Check parties, and with a budget that their prices are known; returns what each used for it."""
    for party in asked.values():
        check(party)
    used = usage_by_role(asked)
    if budget_usd is not None:
        Budget(budget_usd, used)
    return used


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
    todo = unfinished(store, cases, key, again=request.again)
    used = store.spending.usage(key)
    budget = None if request.budget_usd is None else Budget(request.budget_usd, used)
    bar.begin(len(cases) - len(todo), sum(each.cost_usd for each in used.values()))
    waiting = parties.waiting() and Condition.ASR not in request.conditions and not request.record
    count = request.concurrency or (THREADS if waiting else PROCESSES)
    go = partial(run_cases, store, todo, judge_key=key, progress=bar.step, budget=budget, again=request.again)
    if not todo:
        return
    try:
        with _counted(store, parties.caller, parties.candidate, parties.judge):
            if waiting:
                _in_threads(partial(go, worker.Worker(plan).work), count)
            elif count == 1:
                go(worker.Worker(plan).work)
            else:
                with Pool(count, worker.prepare, plan) as pool:
                    go(worker.work, executor=pool, workers=count)
    finally:
        bar.close()
