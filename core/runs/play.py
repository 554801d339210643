"""Playing one case: attempts with fresh parties, three reruns for an invalid caller, then a trace or a drop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from core.backend import Backend
from core.bundle import Bundle
from core.call import Stage, run_call
from core.caller import Caller, CallerInvalid
from core.candidate import Candidate
from core.errors import ClipError, ProviderError, RefusedError
from core.line import Line, LineFactory
from core.metered import summed, usage_by_role
from core.schemas.base import Condition, sha256
from core.schemas.call_trace import CodeVersion, Seeds, Trace, TraceHeader
from core.schemas.run import CaseKey, DropClass
from core.schemas.scenario import Scenario
from core.schemas.usage import Usage
from core.seeds import component_seeds

MAX_RERUNS = 3


@dataclass(frozen=True)
class Parties:
    """How the parties of a run are made: fresh ones for every attempt at a call."""

    caller: Callable[[Scenario], Caller]
    """Makes the caller; only offline callers look at the scenario's `offline` block."""
    candidate: Callable[[Scenario], Candidate]
    """Makes the candidate; only `offline:reference` looks at the scenario, any other learns what its view shows."""
    lines: Mapping[Condition, LineFactory]
    """One line factory per condition."""
    backend: Callable[[Scenario, int], Backend | None] | None = None
    """Makes the backend of scenarios whose tools are a program, from its seed; by default such scenarios are refused."""


@dataclass(frozen=True)
class Played:
    """A finished call."""

    trace: Trace
    """Its record."""
    line: Line
    """The line, which holds the recording."""
    usage: Mapping[str, Usage] = field(default_factory=dict)
    """What caller and candidate used, reruns included; parties that are programs are left out."""


@dataclass(frozen=True)
class Dropped:
    """A case that says nothing about the candidate."""

    drop_class: DropClass
    """Whose fault."""
    reason: str
    """A short stable word, a colon, and what happened."""
    usage: Mapping[str, Usage] = field(default_factory=dict)
    """What caller and candidate used all the same."""


def play_case(case: CaseKey, bundle: Bundle, parties: Parties, run_seed: int, code: CodeVersion) -> Played | Dropped:
    """Play one case to a trace or a drop; faults of the machine or the input are raised."""
    scenario = bundle.scenarios[case.scenario]
    last, used = "caller: ", dict[str, Usage]()
    for rerun in range(MAX_RERUNS + 1):
        seeds = component_seeds(run_seed, case.scenario, case.repeat, rerun, case.condition)
        stage = _stage(case, bundle, scenario, parties, seeds)
        played = _attempt(stage, _header(case, bundle, scenario, stage, seeds, rerun, code))
        used = summed([used, usage_by_role({"caller": stage.caller, "candidate": stage.candidate})])
        if not isinstance(played, CallerInvalid):
            return replace(played, usage=used)
        last = f"caller_invalid: {played}"
    return Dropped(DropClass.SIMULATION, last, used)


def _attempt(stage: Stage, header: TraceHeader) -> Played | Dropped | CallerInvalid:
    try:
        return Played(run_call(stage, header), stage.line)
    except CallerInvalid as invalid:
        return invalid
    except ClipError as error:
        return Dropped(DropClass.INFRASTRUCTURE, f"clip: {error}")
    except RefusedError as error:
        return Dropped(DropClass.INFRASTRUCTURE, f"{error.word}: {error}")
    except ProviderError as error:
        return Dropped(DropClass.INFRASTRUCTURE, f"provider: {error}")


def _stage(case: CaseKey, bundle: Bundle, scenario: Scenario, parties: Parties, seeds: Seeds) -> Stage:
    return Stage(
        agent=bundle.agent_of(scenario),
        scenario=scenario,
        instructions=bundle.prompt(scenario),
        caller=parties.caller(scenario),
        line=parties.lines[case.condition].open(scenario, seeds.speech),
        candidate=parties.candidate(scenario),
        backend=None if parties.backend is None else parties.backend(scenario, seeds.backend),
    )


def _header(
    case: CaseKey, bundle: Bundle, scenario: Scenario, stage: Stage, seeds: Seeds, rerun: int, code: CodeVersion
) -> TraceHeader:
    return TraceHeader(
        bundle=bundle.file.id,
        bundle_version=bundle.file.version,
        bundle_hash=bundle.bundle_hash,
        scenario=scenario.id,
        agent=scenario.agent,
        language=scenario.language,
        condition=case.condition,
        repeat=case.repeat,
        rerun=rerun,
        prompt_sha256=sha256(stage.instructions),
        seeds=seeds,
        caller=stage.caller.record(),
        candidate=stage.candidate.record(),
        line=stage.line.settings(),
        code=code,
    )
