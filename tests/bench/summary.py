"""How long a summary takes: 500 graded cases, 125 scenarios of 13 agents under four conditions, ten caller turns each.

python -m tests.bench.summary
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import time
from contextlib import nullcontext
from pathlib import Path

from core.bundle import Bundle
from core.grading.grade import grade
from core.runs.summary import GradedCase, summarise
from core.schemas.base import Condition
from core.schemas.bundle import Agent, BundleFile
from core.schemas.call_trace import CodeVersion, Trace
from core.schemas.run import CaseKey, RunFile
from core.schemas.scenario import Scenario
from models.parties.rules import RulesJudge
from tests.core.grading_samples import HASH, PROMPT, Called, CallScript, scenario

SCENARIOS, AGENTS, TURNS = 125, 13, 10
SAID = "It's {0}, and the ZIP code is four seven nine zero six."
ACTION = {"id": "find_1", "tool": "find", "args": {"number": {"equals": "$caller.facts.account_no"}}}


def measure(count: int = SCENARIOS, profile: cProfile.Profile | None = None) -> tuple[int, float, float]:
    """Number of cases of `count` scenarios, CPU seconds of grading them, CPU seconds of the summary."""
    scenarios = [_scenario(number) for number in range(count)]
    traces = [_trace(s, c, n) for n, s in enumerate(scenarios) for c in Condition]
    judge = RulesJudge()
    start = time.process_time()
    cases = [_graded(trace, scenarios, judge) for trace in traces]
    graded = time.process_time()
    run, bundle = _run(cases, judge), _bundle(scenarios)
    begin = time.process_time()
    with profile or nullcontext():
        summarise(run, bundle, judge.record(), cases, {}, tagged=False)
    return len(cases), graded - start, time.process_time() - begin


def main() -> None:
    """Print seconds for grading and for the summary; `--profile` adds where the summary's go."""
    profile = cProfile.Profile() if "--profile" in sys.argv else None
    cases, grading, summary = measure(profile=profile)
    print(f"grade   {cases} cases: {grading:.2f} s\nsummary {cases} cases: {summary:.2f} s")
    if profile is not None:
        pstats.Stats(profile).sort_stats("cumulative").print_stats(35)


def _scenario(number: int) -> Scenario:
    made = scenario(id=f"s{number}", agent=f"a{number % AGENTS}", expected=[ACTION])
    fact = made.caller.facts["account_no"].model_copy(update={"value": _number(number)})
    caller = made.caller.model_copy(update={"facts": {**made.caller.facts, "account_no": fact}})
    return made.model_copy(update={"caller": caller})


def _number(number: int) -> str:
    return f"{4820197355 + 7919 * number}"


def _trace(made: Scenario, condition: Condition, number: int) -> Trace:
    script = CallScript(condition, made.id).agent("Hello, what is your account number?")
    for turn in range(TURNS):
        said = SAID.format(" ".join(_number(number + turn % 3)))
        damaged = condition is not Condition.TEXT and (number + turn) % 3 == 0
        script.caller(said, said.replace("9", "5") if damaged else said, clip=condition is Condition.ASR)
        script.agent("One moment, I will look that up for you.")
    sent = _number(number).replace("9", "5") if number % 2 else _number(number)
    return script.agent("", Called("find", {"number": sent})).agent("Thank you. Goodbye.").trace(agent=made.agent)


def _graded(trace: Trace, scenarios: list[Scenario], judge: RulesJudge) -> GradedCase:
    made = scenarios[int(trace.header.scenario[1:])]
    name = CaseKey(scenario=made.id, condition=trace.header.condition).name
    return GradedCase(name, trace, grade(trace, made, PROMPT, judge, trace_sha256=HASH))


def _bundle(scenarios: list[Scenario]) -> Bundle:
    agents = {s.agent: Agent(id=s.agent, name="n", domain="d", direction="inbound", tools=()) for s in scenarios}
    file = BundleFile(id="b", version="1.0.0", languages=("en",), licence="CC0-1.0")
    return Bundle(
        root=Path("b"),
        file=file,
        agents=agents,
        templates=dict.fromkeys(agents, PROMPT),
        scenarios={s.id: s for s in scenarios},
        files={},
        bundle_hash=HASH,
        locked=True,
    )


def _run(cases: list[GradedCase], judge: RulesJudge) -> RunFile:
    header = cases[0].trace.header
    keys = [CaseKey(scenario=c.grade.scenario, condition=c.grade.condition) for c in cases]
    return RunFile(
        bundle="b",
        bundle_version="1.0.0",
        bundle_hash=HASH,
        bundle_locked=True,
        bundle_path="b",
        caller=header.caller,
        candidate=header.candidate,
        judge=judge.record(),
        lines={},
        seed=7,
        repeats=1,
        record=False,
        cases=tuple(keys),
        code=CodeVersion(version="0"),
        argv=(),
    )


if __name__ == "__main__":
    main()
