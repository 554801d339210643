"""The sections of the report page that read the summary alone; they are complete without a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.report import phrases
from core.report.figures import condition_rows, slice_rows
from core.report.markup import Child, Html, el
from core.report.plots import LISTED_SCENARIOS, condition_plot, paired_plot
from core.runs.coverage import COVERAGE_FLOOR, shortfall
from core.runs.notes import SLICE_NOTE
from core.runs.pairs import scenario_wer
from core.schemas.base import Diagnostic, Pillar
from core.schemas.hearing import ErrorRate, ValueAccuracy
from core.schemas.run import CaseSummary, ConditionSummary, Paired, Score, Summary


def call_link(case: str, message: int | None = None) -> str:
    """The address of a call, or of one message in it, inside the page."""
    return f"#call/{case}" if message is None else f"#call/{case}/{message}"


def section(identifier: str, title: str, *children: Child, lead: str = "") -> Html:
    """A titled section of the overview."""
    note = el("p", lead, class_="lead") if lead else None
    heading = el("h2", title, id=f"{identifier}-title")
    return el("section", heading, note, children, id=identifier, aria_labelledby=f"{identifier}-title")


def data_table(head: Sequence[Child], rows: Sequence[Sequence[Child]], caption: str, numeric: bool = True) -> Html:
    """A table that scrolls sideways on narrow screens; the first column names the row."""
    top = el("thead", el("tr", [el("th", cell, scope="col") for cell in head]))
    body = el("tbody", [el("tr", el("th", row[0], scope="row"), [el("td", cell) for cell in row[1:]]) for row in rows])
    held = el("table", el("caption", caption, class_="hidden"), top, body, class_="numeric" if numeric else None)
    return el("div", held, class_="scroll", tabindex=0)


def score_cell(score: Score | None) -> Child:
    """A score with its interval below it."""
    if score is None or score.score is None:
        return el("span", "-", class_="quiet")
    if phrases.withheld(score):
        return el("span", phrases.WITHHELD, class_="quiet", title=f"coverage {score.coverage:.2f} is below {COVERAGE_FLOOR:g}")
    return [phrases.number(score.score), el("small", phrases.interval(score.low, score.high) or phrases.NO_INTERVAL)]


def headline(summary: Summary) -> Html:
    """Both pillars, overall and what qualifies them, one row per condition."""
    first = phrases.first_rate(summary)
    head = ["Condition", "Task", "Conversation", "Overall", "Success", "Graded", "Dropped", "Ended by agent's fault"]
    head += [first.upper(), "Known values"]
    rows = []
    for name, held in summary.conditions.items():
        rate: ErrorRate | None = getattr(held, first)
        errors: Child = "-" if rate is None else [phrases.rate_text(rate), el("small", f"raw {phrases.raw_text(rate)}")]
        rows.append(
            [
                name.value,
                score_cell(held.task),
                score_cell(held.conversation),
                el("b", score_cell(held.overall)),
                _success(held),
                _graded(held),
                _dropped(held),
                _agent_faults(held),
                errors,
                _values(held.known_value_accuracy),
            ]
        )
    notes = el("ul", [el("li", note) for note in phrases.all_notes(summary)], class_="notes")
    lead = f"Scores from 0 to 100 with 95 % intervals below them. Success: {phrases.cutoff_text(summary)}."
    groups = [
        (phrases.TITLES[measure], [(name.value, getattr(held, measure)) for name, held in summary.conditions.items()])
        for measure in phrases.TITLES
    ]
    cutoff = next(iter(summary.conditions.values())).success.cutoff if summary.conditions else None
    plot = el("figure", condition_plot(groups, cutoff), el("figcaption", "Both pillars and their mean; bars are 95 % intervals."))
    table = data_table(head, rows, "Scores by condition")
    return section("scores", "Scores", table, _passes(summary), notes, plot, _points(summary), lead=lead)


def _success(held: ConditionSummary) -> Child:
    if phrases.success_withheld(held):
        return el("span", phrases.WITHHELD, class_="quiet", title=shortfall(held, "success"))
    return [phrases.number(held.success.rate, 2), el("small", phrases.interval(held.success.low, held.success.high, 2))]


def _passes(summary: Summary) -> list[Html]:
    """Success over repeats, and how small a difference can be shown; nothing where nothing is known."""
    conditions = list(summary.conditions.values())
    named = [("Over repeats", phrases.passes_rows(conditions)), ("Precision of overall", phrases.precision_rows(conditions))]
    return [data_table([name, *(each.value for each in summary.conditions)], rows, name) for name, rows in named if rows]


def _points(summary: Summary) -> Html:
    """What the scores are made of, folded away."""
    rows = []
    for name, held in summary.conditions.items():
        cells = [[phrases.points_text(each), phrases.number(each.coverage, 2)] for each in (held.task, held.conversation)]
        rows.append([name.value, *cells[0], *cells[1]])
    head = ["Condition", "Task points", "Coverage", "Conversation points", "Coverage"]
    lead = "Points are summed over all cases; coverage is the judged share of the applicable weight."
    return el(
        "details",
        el("summary", "Points and coverage"),
        el("p", lead, class_="lead"),
        data_table(head, rows, "Points and coverage"),
    )


def _graded(held: ConditionSummary) -> Child:
    ends = ", ".join(f"{name} {count}" for name, count in sorted(held.ends.items()))
    ungraded = f", {held.ungraded} ungraded" if held.ungraded else ""
    return [str(held.n), el("small", f"of {held.planned}{ungraded}", title=f"ends: {ends}" if ends else None)]


def _dropped(held: ConditionSummary) -> Child:
    count = phrases.dropped_count(held)
    return [str(count), [el("small", reason) for reason in phrases.dropped_reasons(held)]]


def _agent_faults(held: ConditionSummary) -> Child:
    detail = phrases.agent_faults_detail(held)
    return [phrases.agent_faults_text(held), el("small", detail) if detail else None]


def _values(accuracy: ValueAccuracy) -> Child:
    if accuracy.rate is None:
        return "-"
    return [phrases.number(accuracy.rate, 3), el("small", f"{accuracy.survived} of {accuracy.occurring}")]


def paired(summary: Summary) -> Html | None:
    """Paired differences: a table of every pair and measure, and one plot per pair for the overall score."""
    if not summary.paired:
        return None
    head = ["a − b", "Measure", "Scenarios", "Mean", "95 % interval", "Win / loss / tie"]
    rows = []
    for each in summary.paired:
        mean, bounds, outcome = phrases.paired_cells(each, " / ")
        rows.append([f"{each.a} − {each.b}", each.measure, str(each.n), el("b", mean, title=each.withheld), bounds, outcome])
    shown = [each for each in summary.paired if each.measure == "overall" and each.withheld is None]
    figures = [_paired_figure(summary, each) for each in shown]
    lead = "The same scenarios under two conditions: the difference is what the line cost."
    return section("paired", "Paired differences", data_table(head, rows, "Paired differences"), figures, lead=lead)


def _paired_figure(summary: Summary, each: Paired) -> Html:
    both = {case.scenario for case in summary.cases if case.condition.value == each.b and case.repeat == 0}
    first = [case for case in summary.cases if case.condition.value == each.a and case.repeat == 0 and case.scenario in both]
    links = {case.scenario: f"#compare/{case.case}/{each.b}" for case in first}
    a, b = ([case for case in summary.cases if case.condition.value == side] for side in (each.a, each.b))
    beside = {name: f"WER {rate:.3f}" for name, rate in scenario_wer(a, b).items()}
    text = f"{each.a} − {each.b}, overall, by scenario; the bar is the 95 % interval of the mean."
    if len(each.differences) <= LISTED_SCENARIOS:
        text += " A scenario opens both calls side by side."
        text += " WER is that of the transcribed side." if beside else ""
    return el("figure", paired_plot(each, beside, links), el("figcaption", text))


def diagnostics(summary: Summary) -> Html:
    """The ten diagnostics by pillar."""
    head = ["Diagnostic", *(name.value for name in summary.conditions)]
    rows: list[list[Child]] = []
    for pillar in Pillar:
        for diagnostic in Diagnostic:
            if diagnostic.pillar is pillar:
                label = [diagnostic.value.replace("_", " "), el("small", phrases.TITLES[pillar.value])]
                rows.append([label, *(score_cell(held.diagnostics.get(diagnostic)) for held in summary.conditions.values())])
    lead = "Ten named behaviours below the pillars. They show where points went; they do not add up to the score."
    return section("diagnostics", "Diagnostics", data_table(head, rows, "Diagnostics by condition"), lead=lead)


def attribution(summary: Summary) -> Html | None:
    """What hearing cost: each broken action with its misheard value, playable."""
    if not summary.attribution:
        return None
    items = []
    for each in summary.attribution:
        play = el(
            "button", el("span", "Play this moment", class_="hidden"), type="button", class_="play",
            data_case=each.case, data_message=each.message, title="Play this moment",
        )  # fmt: skip
        heard = el("mark", each.heard, class_="changed") if each.heard else el("em", "nothing")
        sentence = [
            el("b", each.said),
            " heard as ",
            heard,
            " in ",
            el("a", f"turn {each.turn} (#{each.message}) of {each.case}", href=call_link(each.case, each.message)),
        ]
        small = el("small", f"fact {each.fact}" if each.clip is None else f"fact {each.fact}, {each.clip}")
        broken = [": action ", el("code", each.action), f" {phrases.failed_how(each)}"]
        items.append(el("li", play, el("span", sentence, broken, small)))
    lead = (
        "Failed actions that carry, lack or had to wait for a value that the candidate misheard. # numbers the call's messages."
    )
    return section("attribution", "What hearing cost", el("ul", items, class_="moments"), lead=lead)


def hearing(summary: Summary) -> Html | None:
    """Error rates by condition; known values by kind and by voice."""
    names = list(summary.conditions)
    held = list(summary.conditions.values())
    if not any(each.wer or each.known_value_accuracy.occurring for each in held):
        return None
    rows: list[list[Child]] = [
        ["Word error rate, normalised", *(phrases.rate_text(each.wer) for each in held)],
        ["Word error rate, raw", *(phrases.raw_text(each.wer) for each in held)],
        ["Words changed / lost / added", *(_edits(each) for each in held)],
        ["Character error rate, normalised", *(phrases.rate_text(each.cer) for each in held)],
        ["Character error rate, raw", *(phrases.raw_text(each.cer) for each in held)],
        ["Known values", *(_values(each.known_value_accuracy) for each in held)],
    ]
    rows += [list[Child](row) for row in condition_rows(held)]
    for group, title in (("by_kind", "kind"), ("by_voice", "voice")):
        found: list[Mapping[str, ValueAccuracy]] = [getattr(each.known_value_accuracy, group) for each in held]
        for name in sorted({name for each in found for name in each}):
            cells = [_values(each[name]) if name in each else "-" for each in found]
            rows.append([[name, el("small", f"known values by {title}")], *cells])
    normalisers = sorted({each.wer.normaliser for each in held if each.wer and each.wer.normaliser})
    lead = "What the line did to the caller's words. A known value survives when it can still be read out of what was heard."
    lead += f" Normaliser: {', '.join(normalisers)}." if normalisers else ""
    whole = data_table(["Measure", *(name.value for name in names)], rows, "Hearing by condition")
    return section("hearing", "Hearing", _trust(summary), whole, _hearing_slices(summary), lead=lead)


def _trust(summary: Summary) -> Html | None:
    """What to know before reading figures of hearing."""
    found = phrases.trust_notes(summary)
    return el("ul", [el("li", note) for note in found], class_="notes") if found else None


def _hearing_slices(summary: Summary) -> list[Html]:
    """Figures by language, script and voice."""
    found = []
    for dimension in summary.hearing_slices:
        head, *rows = slice_rows(summary, dimension)
        found.append(data_table([f"By {head[0]}", *head[1:]], rows, f"Hearing by {dimension}"))
    return found


def _edits(held: ConditionSummary) -> Child:
    if held.wer is None:
        return "-"
    return [
        f"{held.wer.substitutions} / {held.wer.deletions} / {held.wer.insertions}",
        el("small", f"of {held.wer.reference} words"),
    ]


def slices(summary: Summary) -> Html | None:
    """Overall score by slice."""
    names = list(summary.conditions)
    tables = []
    for dimension, values in summary.slices.items():
        rows: list[list[Child]] = [[value, *(score_cell(scores.get(name)) for name in names)] for value, scores in values.items()]
        tables.append(data_table([f"By {dimension}", *(name.value for name in names)], rows, f"Overall score by {dimension}"))
    if not tables:
        return None
    return section("slices", "Slices", tables, lead=f"Overall score. {SLICE_NOTE}")


def calls(summary: Summary, audible: Mapping[str, bool]) -> Html:
    """The list of calls with its filters; `audible` says of each case whether it can be played."""
    conditions = list(dict.fromkeys(case.condition.value for case in summary.cases))
    agents = list(dict.fromkeys(case.agent for case in summary.cases))
    first = phrases.first_rate(summary)
    order = [("", "as run"), ("overall", "lowest overall first"), ("wer", f"highest {first.upper()} first")]
    search = el("input", type="search", id="filter-text", placeholder="scenario or words heard", autocomplete="off")
    filters = el(
        "form",
        _select("Condition", "filter-condition", [("", "all"), *((name, name) for name in conditions)]),
        _select("Agent", "filter-agent", [("", "all"), *((name, name) for name in agents)]),
        _select("Order", "filter-order", order),
        el("label", el("span", "Search"), search),
        el("output", f"{len(summary.cases)} calls", id="filter-count"),
        class_="filters",
        role="search",
    )
    rows = [_call_row(case, audible.get(case.case, False), case.wer if first == "wer" else case.cer) for case in summary.cases]
    head = ["Call", "Agent", "Condition", "Task", "Conversation", "Overall", first.upper(), "Known values", "Turns", "End"]
    body = el("tbody", rows)
    listed = el(
        "table",
        el("caption", "Calls", class_="hidden"),
        el("thead", el("tr", [el("th", cell, scope="col") for cell in head])),
        body,
        id="calls-table",
    )
    return section(
        "calls", "Calls", filters, el("div", listed, class_="scroll"), lead="Open a call to hear it and to follow its trace."
    )


def _select(label: str, identifier: str, options: Sequence[tuple[str, str]]) -> Html:
    held = el("select", [el("option", text, value=value) for value, text in options], id=identifier)
    return el("label", el("span", label), held)


def _call_row(case: CaseSummary, audible: bool, errors: ErrorRate | None) -> Html:
    rate = None if errors is None else errors.rate
    name = [el("a", case.scenario, href=call_link(case.case)), el("small", f"repeat {case.repeat}") if case.repeat else None]
    silent = None if audible else el("small", "no sound")
    cells: list[Child] = [
        case.agent,
        case.condition.value,
        phrases.number(case.scores.get(Pillar.TASK)),
        phrases.number(case.scores.get(Pillar.CONVERSATION)),
        el("b", phrases.number(case.overall)),
        phrases.number(rate, 3),
        f"{case.known_values.survived}/{case.known_values.occurring}" if case.known_values.occurring else "-",
        str(case.turns),
        case.end.replace("_", " "),
    ]
    heard = " ".join(turn.heard for turn in case.hearing)
    text = f"{case.case} {case.agent} {case.end} {heard}".casefold()
    return el(
        "tr", el("th", name, silent, scope="row"), [el("td", cell) for cell in cells],
        data_condition=case.condition.value, data_agent=case.agent, data_text=text,
        data_overall="" if case.overall is None else f"{case.overall:.6f}", data_wer="" if rate is None else f"{rate:.6f}",
    )  # fmt: skip


def signature(summary: Summary) -> Html:
    """Everything a reader needs to know which number this is."""
    held = summary.signature
    code = f"{held.code.version} {held.code.commit or ''}{' (uncommitted changes)' if held.code.dirty else ''}"
    pairs: list[tuple[str, Child]] = [
        ("Bundle", f"{held.bundle} {held.bundle_hash}"),
        ("Candidate", held.candidate),
        ("Caller", held.caller),
        ("Judge", f"{held.judge} (key {held.judge_key})"),
        ("Seed, repeats", f"{held.seed}, {held.repeats}"),
        ("Code", code),
        ("Measures", ", ".join(f"{name} {version}" for name, version in sorted(held.measures.items()))),
        *((f"Line {name.value}", el("pre", lines_text(settings))) for name, settings in held.lines.items()),
    ]
    listed = el("dl", [[el("dt", name), el("dd", value)] for name, value in pairs])
    return el("details", el("summary", "Signature: bundle, parties, seeds, engines, channel"), listed, class_="signature")


def lines_text(settings: object, depth: int = 0) -> str:
    """Nested settings as indented `key: value` lines."""
    space = "  " * depth
    if isinstance(settings, Mapping):
        lines = []
        for key, value in settings.items():
            nested = isinstance(value, Mapping) and value
            lines.append(f"{space}{key}:\n{lines_text(value, depth + 1)}" if nested else f"{space}{key}: {value}")
        return "\n".join(lines)
    return f"{space}{settings}"
