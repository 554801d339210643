"""`summary.json`: everything a reader asks of a run, rebuilt from its manifest, journal, traces and grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.bundle import Bundle
from core.grading.grade import GRADING_VERSION, judge_key
from core.hearing import KNOWN_VALUES
from core.runs.attribution import attribute
from core.runs.estimates import CUTOFF, Estimates, Scored
from core.runs.figures import by_kind, char_rate, figures, sliced, word_rate
from core.runs.hearing import CaseHearing, PooledHearing, accuracy, case_hearing
from core.runs.notes import NOTES
from core.runs.official import unofficial
from core.runs.pairs import Half, paired
from core.runs.trust import Hearer, hearers, trust_of
from core.schemas.base import Condition, Diagnostic
from core.schemas.call_trace import CodeVersion, PartyRecord, Trace
from core.schemas.grade import Grade
from core.schemas.hearing import HearingFigures, KnownValueReport
from core.schemas.phrases import HearingTable
from core.schemas.run import (
    Attribution,
    CaseSummary,
    ConditionSummary,
    JournalLine,
    RunFile,
    Score,
    Signature,
    Summary,
)
from core.schemas.usage import Usage
from core.stats.bootstrap import METHOD
from core.text import RAW, normaliser_of

NO_SCORE = "no_score"
"""Why a graded case is ungraded all the same: a pillar holds no scored item."""


@dataclass(frozen=True)
class GradedCase:
    """A finished case with its record and its grade."""

    name: str
    """Case name."""
    trace: Trace
    """The call."""
    grade: Grade
    """Its grade by the judge of the summary."""


@dataclass(frozen=True)
class _Measured:
    """What is kept of a case, so that a run of any size need not be held in memory."""

    row: CaseSummary
    scored: Scored
    hearing: PooledHearing
    attribution: tuple[Attribution, ...]
    hearers: frozenset[Hearer]
    code: CodeVersion
    graded_by: CodeVersion | None


def summarise(
    run: RunFile,
    bundle: Bundle,
    judge: PartyRecord,
    cases: Iterable[GradedCase],
    dropped: Mapping[str, JournalLine],
    *,
    tagged: bool,
    table: HearingTable | None = None,
    unjudged: Mapping[str, str] | None = None,
    usage: Mapping[str, Usage] | None = None,
    cuts: int = 0,
) -> Summary:
    """The summary of a run as one judge grades it.

    `cases` are the finished and graded ones, in any order; each is looked at once and let go of. `dropped` maps a case's name
    to its last journal line, `unjudged` that of a finished case to why the judge failed; `usage` is what each role used,
    `cuts` how often what was under way is missing from it; `tagged` says whether the code stands on the tag of its version,
    `table` how well voices are heard, hence how far figures of hearing can be trusted. The same files give the same summary,
    byte for byte.
    """
    by_name = {case.name: _measure(case, bundle) for case in cases}
    measured = [by_name[key.name] for key in run.cases if key.name in by_name]
    conditions = [condition for condition in Condition if any(key.condition is condition for key in run.cases)]
    groups = {condition: [m for m in measured if m.row.condition is condition] for condition in conditions}
    estimates = Estimates(run.seed)
    unscored = {entry.row.case: NO_SCORE for entry in measured if not entry.scored.is_graded} | dict(unjudged or {})
    summaries = {
        condition: _condition(condition, run, group, dropped, unscored, estimates) for condition, group in groups.items()
    }
    rows = tuple(entry.row for entry in measured)
    halves = [Half(name.value, [row for row in rows if row.condition is name], held) for name, held in summaries.items()]
    reasons = tuple(
        unofficial(
            run,
            bundle,
            by_name.keys(),
            dropped,
            played_by={entry.code for entry in measured},
            graded_by={entry.graded_by for entry in measured},
            tagged=tagged,
        )
    )
    return Summary(
        signature=_signature(run, bundle, judge, measured),
        official=not reasons,
        official_reasons=reasons,
        conditions=summaries,
        paired=tuple(pair for a, b in combinations(halves, 2) for pair in paired(a, b, run.seed)),
        attribution=tuple(each for entry in measured for each in entry.attribution),
        slices=_slices(groups, bundle, estimates),
        hearing_slices=_hearing_slices(groups),
        trust=trust_of((hearer for entry in measured for hearer in entry.hearers), table),
        cases=rows,
        notes=NOTES,
        usage={role: _rounded(used) for role, used in sorted((usage or {}).items())},
        cuts=cuts,
    )


def _measure(case: GradedCase, bundle: Bundle) -> _Measured:
    scenario = bundle.scenarios[case.grade.scenario]
    hearing = case_hearing(case.trace, scenario)
    return _Measured(
        row=_case(case, hearing),
        scored=Scored.of(case.grade),
        hearing=hearing.pooled(),
        attribution=tuple(attribute(case.name, case.trace, case.grade, scenario, hearing.turns)),
        hearers=frozenset(hearers(case.trace)),
        code=case.trace.header.code,
        graded_by=case.grade.code,
    )


def _condition(
    condition: Condition,
    run: RunFile,
    group: Sequence[_Measured],
    dropped: Mapping[str, JournalLine],
    unscored: Mapping[str, str],
    estimates: Estimates,
) -> ConditionSummary:
    planned = [key for key in run.cases if key.condition is condition]
    scored = [entry.scored for entry in group]
    graded = sum(case.is_graded for case in scored)
    ungraded = [_first_word(unscored[key.name]) for key in planned if key.name in unscored]
    lost = [dropped[key.name] for key in planned if key.name in dropped]
    whole = figures(entry.hearing for entry in group)
    return ConditionSummary(
        n=graded,
        planned=len(planned),
        dropped=_dropped(lost),
        ungraded=len(ungraded),
        ungraded_reasons=dict(sorted(Counter(ungraded).items())),
        unplayed=len(planned) - graded - len(ungraded) - len(lost),
        ends=dict(sorted(Counter(entry.row.end for entry in group).items())),
        task=estimates.measure(scored, "task"),
        conversation=estimates.measure(scored, "conversation"),
        overall=estimates.measure(scored, "overall"),
        success=estimates.success(scored),
        passes=estimates.passes(scored, {key.scenario for key in planned}, run.repeats),
        precision=estimates.precision(scored),
        wer=whole.wer,
        cer=whole.cer,
        known_value_accuracy=_known_values(group),
        hearing=whole if whole.turns else None,
        diagnostics={diagnostic: estimates.diagnostic(scored, diagnostic) for diagnostic in Diagnostic},
    )


def _dropped(lines: Iterable[JournalLine]) -> dict[str, dict[str, int]]:
    """Class to reason to count; the reason is the word before the colon."""
    counts: dict[str, Counter[str]] = {}
    for line in lines:
        drop_class = "unknown" if line.drop_class is None else line.drop_class.value
        counts.setdefault(drop_class, Counter())[_first_word(line.reason)] += 1
    return {name: dict(sorted(counts[name].items())) for name in sorted(counts)}


def _first_word(reason: str) -> str:
    """The stable word before the colon."""
    return reason.split(":")[0].strip() or "unknown"


def _rounded(used: Usage) -> Usage:
    """Without the last bits of a sum, which hang on its order."""
    return used.model_copy(update={"cost_usd": round(used.cost_usd, 6)})


def _known_values(group: Sequence[_Measured]) -> KnownValueReport:
    said = [(entry.hearing.voice, value) for entry in group for turn in entry.hearing.turns for value in turn.values]
    voices = sorted({voice for voice, _value in said if voice is not None})
    return KnownValueReport(
        **accuracy(value for _voice, value in said).model_dump(),
        by_kind=by_kind(value for _voice, value in said),
        by_voice={voice: accuracy(value for its, value in said if its == voice) for voice in voices},
    )


def _slices(
    groups: Mapping[Condition, Sequence[_Measured]], bundle: Bundle, estimates: Estimates
) -> dict[str, dict[str, dict[Condition, Score]]]:
    slices: dict[str, dict[str, dict[Condition, Score]]] = {}
    for condition, group in groups.items():
        members: dict[tuple[str, str], list[Scored]] = {}
        for entry in group:
            for label in _labels(entry, bundle):
                members.setdefault(label, []).append(entry.scored)
        for (name, value), cases in sorted(members.items()):
            slices.setdefault(name, {}).setdefault(value, {})[condition] = estimates.measure(cases, "overall")
    return slices


def _hearing_slices(groups: Mapping[Condition, Sequence[_Measured]]) -> dict[str, dict[str, dict[Condition, HearingFigures]]]:
    found: dict[str, dict[str, dict[Condition, HearingFigures]]] = {}
    for condition, group in groups.items():
        for name, values in sliced([entry.hearing for entry in group]).items():
            for value, held in values.items():
                found.setdefault(name, {}).setdefault(value, {})[condition] = held
    return found


def _labels(entry: _Measured, bundle: Bundle) -> Iterator[tuple[str, str]]:
    """The slices a case is in: one of each dimension, but one for each of its tags."""
    scenario = bundle.scenarios[entry.row.scenario]
    yield "language", scenario.language
    yield "difficulty", scenario.difficulty.value
    yield "domain", bundle.agent_of(scenario).domain
    yield "agent", scenario.agent
    yield from (("tag", tag) for tag in dict.fromkeys(scenario.tags))


def _case(case: GradedCase, hearing: CaseHearing) -> CaseSummary:
    trace, grade = case.trace, case.grade
    return CaseSummary(
        case=case.name,
        scenario=grade.scenario,
        agent=grade.agent,
        condition=grade.condition,
        repeat=grade.repeat,
        end=trace.end.value,
        trace_sha256=grade.trace_sha256,
        scores={pillar: score.score for pillar, score in grade.pillars.items()},
        overall=grade.overall,
        turns=len(trace.caller_turns),
        voice=hearing.voice,
        wer=word_rate([hearing]),
        cer=char_rate([hearing]),
        known_values=accuracy(value for turn in hearing.turns for value in turn.values),
        hearing=hearing.shown,
    )


def _signature(run: RunFile, bundle: Bundle, judge: PartyRecord, measured: Sequence[_Measured]) -> Signature:
    languages = {bundle.scenarios[entry.row.scenario].language for entry in measured}
    return Signature(
        bundle=f"{run.bundle}@{run.bundle_version}",
        bundle_hash=run.bundle_hash,
        caller=run.caller.party,
        candidate=run.candidate.party,
        judge=judge.party,
        judge_key=judge_key(judge),
        seed=run.seed,
        repeats=run.repeats,
        code=run.code,
        measures={
            "grading": GRADING_VERSION,
            "interval": METHOD,
            "success": f"overall>={CUTOFF:g}, provisional",
            "wer": "+".join(sorted({normaliser_of(language) for language in languages})) or "none",
            "raw_wer": RAW,
            "known_values": KNOWN_VALUES,
        },
        lines=run.lines,
    )
