"""The sentences and number formats that terminal, Markdown and page share, so that one run reads the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from core.runs.coverage import is_short, not_covered, shortfall
from core.runs.notes import INTERVAL_NOTE, SLICE_NOTE
from core.schemas.call_trace import EndReason
from core.schemas.hearing import ErrorRate, ValueAccuracy, Verdict
from core.schemas.run import Attribution, ConditionSummary, Paired, PassK, Rate, Score, Summary
from core.schemas.usage import Usage

ENOUGH_AGENTS = 20
"""Agents from which intervals hold about what they promise; `make long` measures it."""

NO_INTERVAL = "no interval"
WITHHELD = "withheld"

AGENT_FAULTS = (EndReason.AGENT_DISCONNECTED, EndReason.PROTOCOL_ERROR, EndReason.AGENT_IDLE)
"""Ends that are the agent's own fault: such a call is graded as it stands and never dropped."""

TITLES = {"task": "Task", "conversation": "Conversation", "overall": "Overall"}
"""Measures as people read them."""


def number(value: float | None, digits: int = 1) -> str:
    """A number with fixed digits, `-` for none."""
    return "-" if value is None else f"{value:.{digits}f}"


def signed(value: float | None, digits: int = 1) -> str:
    """A difference with its sign; a value that rounds to nothing has none."""
    if value is None:
        return "-"
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0 else text


def interval(low: float | None, high: float | None, digits: int = 1, sign: bool = False) -> str:
    """`[low, high]`, or nothing where there is no interval."""
    if low is None or high is None:
        return ""
    show = signed if sign else number
    return f"[{show(low, digits)}, {show(high, digits)}]"


def withheld(score: Score) -> bool:
    """Whether too little was judged for this score to be a headline."""
    return score.score is not None and is_short(score)


def score_text(score: Score) -> str:
    """`81.2 [70.1, 90.3]`, `withheld`, or `-`."""
    if withheld(score):
        return WITHHELD
    return f"{number(score.score)} {interval(score.low, score.high)}".rstrip()


def points_text(score: Score) -> str:
    """Pooled points with their maximum, so that a reader can weigh otherwise: `128.5 of 131`."""
    return f"{score.points:g} of {score.max_points:g}" if score.max_points else "-"


def rate_text(rate: ErrorRate | None) -> str:
    """Normalised error rate to three digits, `-` where nothing was transcribed."""
    return "-" if rate is None else number(rate.rate, 3)


def raw_text(rate: ErrorRate | None) -> str:
    """Raw error rate to three digits."""
    return "-" if rate is None else number(rate.raw, 3)


def first_rate(summary: Summary) -> Literal["wer", "cer"]:
    """The error rate a reader looks at first: characters where every transcribed condition is in a language counted so."""
    wanted = [held.hearing.headline for held in summary.conditions.values() if held.hearing is not None]
    return "cer" if wanted and set(wanted) == {"cer"} else "wer"


def values_text(accuracy: ValueAccuracy) -> str:
    """`0.917 (11/12)`, `-` where no known value was said."""
    return "-" if accuracy.rate is None else f"{accuracy.rate:.3f} ({accuracy.survived}/{accuracy.occurring})"


def dropped_count(summary: ConditionSummary) -> int:
    """How many cases were dropped, whatever the class."""
    return sum(sum(reasons.values()) for reasons in summary.dropped.values())


def dropped_reasons(summary: ConditionSummary) -> list[str]:
    """`infrastructure:clip 1` for every class and reason."""
    return [
        f"{kind}:{reason} {count}"
        for kind, reasons in sorted(summary.dropped.items())
        for reason, count in sorted(reasons.items())
    ]


def dropped_text(summary: ConditionSummary) -> str:
    """All reasons on one line, or `none`."""
    return ", ".join(dropped_reasons(summary)) or "none"


def agent_faults(summary: ConditionSummary) -> dict[str, int]:
    """Each end that is the agent's fault to its number of calls; those that never happened are left out."""
    return {end.value: summary.ends[end.value] for end in AGENT_FAULTS if summary.ends.get(end.value)}


def agent_faults_text(summary: ConditionSummary) -> str:
    """`1/12 (0.08)`: calls that the agent's fault ended among finished ones, with their share; `-` where none was finished."""
    finished, faults = sum(summary.ends.values()), sum(agent_faults(summary).values())
    return f"{faults}/{finished} ({faults / finished:.2f})" if finished else "-"


def agent_faults_detail(summary: ConditionSummary) -> str:
    """`agent_idle 1, protocol_error 2`, or nothing."""
    return ", ".join(f"{end} {count}" for end, count in sorted(agent_faults(summary).items()))


def success_withheld(summary: ConditionSummary) -> bool:
    """Whether too little was judged for the success rate, and for success over repeats, to be headlines."""
    return summary.success.rate is not None and not_covered(summary, "success")


def success_text(summary: ConditionSummary) -> str:
    """Success rate with its interval, `withheld`, or `-`."""
    if success_withheld(summary):
        return WITHHELD
    return f"{number(summary.success.rate, 2)} {interval(summary.success.low, summary.success.high, 2)}".rstrip()


def passes_rows(conditions: Sequence[ConditionSummary]) -> list[list[str]]:
    """Success over repeats, one row per measure with its name first; empty for runs without repeats.

    Lower bounds, in which lost tries are failures, have rows of their own where a try was lost.
    """
    found = [held.passes for held in conditions]
    if not any(found):
        return []
    lost = any(passes.lost for passes in found if passes)
    measures: list[tuple[str, Callable[[PassK], str], Callable[[PassK], str]]] = [
        ("pass@", lambda one: _rate(one.pass_at), lambda one: number(one.pass_at_lower, 2)),
        ("pass^", lambda one: _rate(one.pass_hat), lambda one: number(one.pass_hat_lower, 2)),
    ]
    rows = []
    for k in range(1, max(passes.repeats for passes in found if passes) + 1):
        for name, rate, lower in measures[: 1 if k == 1 else 2]:
            rows.append([f"{name}{k}", *(_pass_text(held, k, rate) for held in conditions)])
            rows += [[f"{name}{k}, lost tries failed", *(_pass_text(held, k, lower) for held in conditions)]] if lost else []
    counts = [f"{passes.scenarios} of {passes.scenarios + passes.excluded}" if passes else "-" for passes in found]
    tries = [["Lost tries", *(str(passes.lost) if passes else "-" for passes in found)]] if lost else []
    return [*rows, ["All repeats graded", *counts], *tries]


def _rate(found: Rate) -> str:
    return f"{number(found.rate, 2)} {interval(found.low, found.high, 2)}".rstrip()


def _pass_text(summary: ConditionSummary, k: int, show: Callable[[PassK], str]) -> str:
    one = next((each for each in summary.passes.by_k if each.k == k), None) if summary.passes else None
    if one is None:
        return "-"
    return WITHHELD if success_withheld(summary) else show(one)


def precision_rows(conditions: Sequence[ConditionSummary]) -> list[list[str]]:
    """How small a difference of overall can be shown, and what repeats do; rows in which nothing stands are left out."""
    held = [each.precision for each in conditions]
    rows = [
        ["Detectable, unpaired", *(number(each.detectable) for each in held)],
        ["SD of repeats", *(number(each.repeat_sd) for each in held)],
        ["Repeat noise", *("-" if each.repeat_noise is None else f"+-{each.repeat_noise:.1f}" for each in held)],
    ]
    return [row for row in rows if any(cell != "-" for cell in row[1:])]


def precision_text(paired: Paired) -> str | None:
    """What a comparison can show, in one or two sentences; None where nothing is known or the comparison is withheld."""
    if paired.withheld is not None:
        return None
    parts = []
    if paired.detectable is not None:
        unpaired = "" if paired.detectable_unpaired is None else f", and unpaired one of {paired.detectable_unpaired:.1f}"
        parts.append(f"such a comparison finds a true difference of {paired.detectable:.1f} in 80 % of cases{unpaired}")
    if paired.repeat_noise is not None:
        share = (
            "" if paired.repeat_share is None else f" and make up {100 * paired.repeat_share:.0f} % of the differences' variance"
        )
        parts.append(f"repeats alone move the mean by up to {paired.repeat_noise:.1f}{share}")
    return f"{TITLES.get(paired.measure, paired.measure)}: {'; '.join(parts)}." if parts else None


def paired_cells(paired: Paired, separator: str = "/") -> tuple[str, str, str]:
    """Mean, interval, and wins, losses and ties of a paired comparison, `withheld` where too little was judged on a side."""
    if paired.withheld is not None and paired.mean is not None:
        return WITHHELD, "-", "-"
    bounds = interval(paired.low, paired.high, sign=True) or NO_INTERVAL
    return signed(paired.mean), bounds, separator.join(str(count) for count in (paired.wins, paired.losses, paired.ties))


def cutoff_text(summary: Summary) -> str:
    """`overall >= 70, provisional`."""
    rates = [condition.success for condition in summary.conditions.values()]
    cutoff = rates[0].cutoff if rates else 70.0
    provisional = ", provisional" if any(rate.provisional for rate in rates) else ""
    return f"overall >= {cutoff:g}{provisional}"


def attribution_text(attribution: Attribution) -> str:
    """One sentence: what was said, what was heard, where, and the action it broke; `#` before message indices."""
    heard = f"'{attribution.heard}'" if attribution.heard else "nothing"
    place = f"turn {attribution.turn} (#{attribution.message}) of {attribution.case}"
    return f"'{attribution.said}' heard as {heard} in {place}: action {attribution.action} {failed_how(attribution)}"


def failed_how(attribution: Attribution) -> str:
    """How an action failed for a misheard value: in which message, or after which other action."""
    if attribution.through is not None:
        return f"failed, since it had to wait for {attribution.through}"
    return "failed" if attribution.tool_message is None else f"failed (#{attribution.tool_message})"


def offline_note(parties: Iterable[tuple[str, str]]) -> str | None:
    """Names the parties that are programs, not models, so that nobody reads a baseline as a product."""
    named = [f"{role} {party}" for role, party in parties if party.startswith("offline:")]
    return f"Offline parties are programs, not models: {', '.join(named)}." if named else None


def withheld_notes(summary: Summary) -> list[str]:
    """One sentence per measure of which too little was judged for a headline."""
    notes = []
    for condition, held in summary.conditions.items():
        shown = {name: withheld(getattr(held, name)) for name in TITLES} | {"success": success_withheld(held)}
        for name in (name for name, hidden in shown.items() if hidden):
            reason = shortfall(held, name)
            notes.append(f"{TITLES.get(name, 'Success')} under {condition.value} is withheld: {reason}.")
    return notes


def trust_notes(summary: Summary) -> list[str]:
    """One sentence per language, recogniser and engine whose figures of hearing are not to be trusted."""
    return [trust.statement for trust in summary.trust if trust.verdict is not Verdict.TRUSTED]


def standing(summary: Summary) -> str:
    """Whether the run is official, and if not why."""
    if summary.official:
        return "official"
    reasons = "; ".join(summary.official_reasons) or "no reason was recorded"
    return f"not official: {reasons}"


def class_notes(summary: Summary) -> list[str]:
    """For every condition of which a planned call is not graded: what became of all of them."""
    notes = []
    for name, held in summary.conditions.items():
        lost = {kind: sum(reasons.values()) for kind, reasons in sorted(held.dropped.items())}
        classes = [
            f"{held.n} graded",
            f"{held.ungraded} ungraded{_reasons(held.ungraded_reasons)}",
            *(f"{count} dropped ({kind})" for kind, count in lost.items()),
            f"{held.unplayed} not played",
        ]
        if held.n != held.planned:
            notes.append(f"{name.value}: {held.planned} calls planned = {' + '.join(classes)}.")
    return notes


def _reasons(counts: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{reason} {count}' for reason, count in counts.items())})" if counts else ""


def usage_notes(summary: Summary) -> list[str]:
    """What the run's models used and cost; nothing where all parties are programs."""
    if not summary.usage:
        return []
    parts = [f"{role} {_used(used)}" for role, used in summary.usage.items()]
    unpriced = sum(used.unpriced for used in summary.usage.values())
    since = [f"{unpriced} requests have no known price"] if unpriced else []
    estimated = sum(used.estimated for used in summary.usage.values())
    if estimated:
        since.append(f"the tokens of {estimated} requests were not counted by the endpoint and are reckoned from lengths")
    if summary.cuts:
        times = "once" if summary.cuts == 1 else f"{summary.cuts} times"
        since.append(f"the command was killed or stopped {times} and what was under way then is not known")
    cost = f"{cost_text([summary])}{', since ' if since else ''}{' and '.join(since)}"
    used = f"Models used, for checks, dropped calls, reruns and failed judgements too: {'; '.join(parts)}. Cost: {cost}."
    return [used, *_left_out_notes(summary), *_cache_notes(summary)]


def cost_text(summaries: Sequence[Summary]) -> str:
    """What runs cost in all: `0.20 USD`, or `at least`, or `about`, that where some of it is not known."""
    total = sum(used.cost_usd for summary in summaries for used in summary.usage.values())
    known = not any(summary.cuts or any(used.unpriced for used in summary.usage.values()) for summary in summaries)
    exact = not any(used.estimated for summary in summaries for used in summary.usage.values())
    return f"{'' if known else 'at least '}{'' if exact else 'about '}{total:.2f} USD"


def _left_out_notes(summary: Summary) -> list[str]:
    """Says which settings did not hold, whatever the record of the party says."""
    return [
        f"The {role}'s endpoint does not take {', '.join(used.left_out)}: requests went out without, whatever the settings say."
        for role, used in summary.usage.items()
        if used.left_out
    ]


def _cache_notes(summary: Summary) -> list[str]:
    """Says so where most replies were not asked for."""
    cached = sum(used.cached for used in summary.usage.values())
    replies = cached + sum(used.requests for used in summary.usage.values())
    if 2 * cached <= replies:
        return []
    told = f"{cached} of {replies} replies came from the cache, as the model behind the name was then"
    return [f"{told}: cache=off asks anew."]


def _used(used: Usage) -> str:
    cached = f" and {used.cached} from the cache" if used.cached else ""
    return f"{used.requests} requests{cached}, {used.prompt_tokens} tokens sent, {used.completion_tokens} received"


def few_agents_note(summary: Summary) -> str | None:
    """Says that intervals over few agents are too narrow; None where agents are enough, or none is graded."""
    agents = len({case.agent for case in summary.cases if case.overall is not None})
    if not 0 < agents < ENOUGH_AGENTS:
        return None
    several = f"{agents} agents" if agents > 1 else "one agent"
    return f"Only {several}: intervals over fewer than {ENOUGH_AGENTS} agents are narrower than they should be."


def all_notes(summary: Summary) -> list[str]:
    """Every note a reader must have beside the numbers, without repetition."""
    signature = summary.signature
    few = few_agents_note(summary)
    offline = offline_note((("candidate", signature.candidate), ("caller", signature.caller), ("judge", signature.judge)))
    wanted = [
        *class_notes(summary),
        *usage_notes(summary),
        *withheld_notes(summary),
        *trust_notes(summary),
        *([offline] if offline else []),
        *([few] if few else []),
        *summary.notes,
        INTERVAL_NOTE,
        SLICE_NOTE,
    ]
    return list(dict.fromkeys(wanted))


def identity(summary: Summary) -> str:
    """One line that says which number this is."""
    signature = summary.signature
    parties = f"candidate {signature.candidate}, caller {signature.caller}, judge {signature.judge}"
    return f"{signature.bundle} ({signature.bundle_hash[:12]}), {parties}, seed {signature.seed}, repeats {signature.repeats}"
