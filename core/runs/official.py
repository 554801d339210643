"""Whether a run's figures may be called official, and every reason why not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from core.bundle import Bundle
from core.schemas.call_trace import CodeVersion
from core.schemas.run import DropClass, JournalLine, RunFile


def unofficial(
    run: RunFile,
    bundle: Bundle,
    done: Collection[str],
    dropped: Mapping[str, JournalLine],
    *,
    played_by: Collection[CodeVersion],
    graded_by: Collection[CodeVersion | None],
    tagged: bool,
) -> Iterator[str]:
    """Every reason against it.

    `done` are the names of cases that are finished and graded, `dropped` maps others to their last journal line; `played_by` and
    `graded_by` are the versions of the code behind them, and `tagged` says whether its commit carries the tag of its version.
    """
    yield from _of_code(run, tagged)
    if not run.bundle_locked:
        yield "the bundle is not locked"
    if any(code != run.code for code in played_by):
        yield "some calls were made by another version of the code"
    if any(code != run.code for code in graded_by):
        yield "some calls were graded by another version of the code"
    yield from _of_plan(run, bundle)
    lost = {case for case, line in dropped.items() if line.drop_class is DropClass.INFRASTRUCTURE}
    if lost:
        yield f"{len(lost)} of {len(run.cases)} declared cases were dropped by the infrastructure"
    accounted = {*done, *dropped}
    if missing := sum(key.name not in accounted for key in run.cases):
        yield f"{missing} of {len(run.cases)} declared cases are not finished and graded"


def _of_code(run: RunFile, tagged: bool) -> Iterator[str]:
    if run.code.commit is None:
        yield "the code did not run from a checkout"
    elif run.code.dirty is not False:
        yield "the working tree has uncommitted changes"
    if not tagged:
        yield f"the commit does not carry the tag of its version, v{run.code.version}"


def _of_plan(run: RunFile, bundle: Bundle) -> Iterator[str]:
    """Under each condition every scenario that runs include, as often as the bundle wants it."""
    active = [name for name, scenario in bundle.scenarios.items() if bundle.agent_of(scenario).active]
    planned = {(key.scenario, key.condition, key.repeat) for key in run.cases}
    for condition in dict.fromkeys(key.condition for key in run.cases):
        whole = [name for name in active if all((name, condition, repeat) in planned for repeat in range(run.repeats))]
        if len(whole) < len(active):
            yield f"{condition.value}: only {len(whole)} of the bundle's {len(active)} scenarios were to be called"
    if run.repeats < bundle.file.official_repeats:
        yield f"each scenario was to be called {run.repeats} times, and the bundle wants {bundle.file.official_repeats}"
