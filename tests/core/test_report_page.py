"""The report page as a file: complete, self-contained, and closed to whatever a call says."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from core.report.call_data import CasePage, call_data
from core.report.markdown import render_markdown
from core.report.page import render_page
from core.report.text import render_table
from core.schemas.base import Condition, Diagnostic
from core.schemas.hearing import ErrorRate
from core.schemas.run import Precision, Score, Summary
from tests.core.report_samples import poison, poison_page, sample_run
from tests.support.summaries import passes

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&<!--]]>"


class Reader(HTMLParser):
    """Collects tags with their attributes, and the text inside data blocks."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.blocks: dict[str, str] = {}
        self._block: str | None = None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._block = (dict(attrs).get("id") or "") if tag == "script" else None

    def handle_endtag(self, tag: str) -> None:
        self._block = None

    def handle_data(self, data: str) -> None:
        if self._block is not None:
            self.blocks[self._block] = self.blocks.get(self._block, "") + data

    def data(self, name: str) -> Any:
        """A data block as JSON."""
        return json.loads(self.blocks[name])


@pytest.fixture(scope="module", name="run")
def _run() -> tuple[Summary, list[CasePage]]:
    return sample_run()


@pytest.fixture(scope="module", name="page")
def _page(run: tuple[Summary, list[CasePage]]) -> str:
    return render_page(*run, "embedded")


def test_nothing_is_loaded_from_anywhere(page: str) -> None:
    """No address of another place stands in the page, and its policy lets only its own script and style run."""
    tags = Reader(page).tags
    policy = next(attributes["content"] or "" for tag, attributes in tags if attributes.get("http-equiv"))
    links = [attributes.get(name) for _, attributes in tags for name in ("src", "href") if attributes.get(name)]

    assert all(link and link.startswith("#") for link in links)
    assert "default-src 'none'" in policy
    assert 2 == policy.count("'sha256-")
    assert "unsafe" not in policy
    without_sound = re.sub(r'<script type="application/octet-stream".*?</script>', "", page)
    assert ["http://www.w3.org/2000/svg"] == re.findall(r"https?:[^\"' ]*", without_sound)


def test_what_too_little_was_judged_for_is_withheld_on_the_page(run: tuple[Summary, list[CasePage]]) -> None:
    """Success, pass@k and the pair with its plot go with the overall score; the other conditions stay."""
    summary, pages = run
    short = Score(score=91.3, low=80.0, high=99.0, coverage=0.62)
    tries = passes(0.7654, 0.8765, 0.6543, scenarios=6, excluded=1)
    held = summary.conditions[Condition.ASR].model_copy(update={"task": short, "overall": short, "passes": tries})
    pairs = tuple(p.model_copy(update={"withheld": "asr: too little"}) if p.b == "asr" else p for p in summary.paired)
    changes = {"conditions": {**summary.conditions, Condition.ASR: held}, "paired": pairs}
    page = render_page(summary.model_copy(update=changes), pages, "embedded").split('<script type="application/json"')[0]

    assert "text minus asr, overall" in render_page(summary, pages, "embedded")
    assert [] == [word for word in ("text minus asr, overall", "91.3", "0.77", "+14.2") if word in page]
    assert "text minus authored, overall" in page
    assert '<th scope="row">pass^3</th><td>-</td><td>-</td><td>withheld</td>' in page
    assert '<th scope="row">All repeats graded</th><td>-</td><td>-</td><td>6 of 7</td>' in page
    assert 'title="only 0.62 of the applicable weight was judged (at least 0.8 is needed)"' in page


def test_what_a_run_can_show_stands_on_the_page(run: tuple[Summary, list[CasePage]]) -> None:
    """pass^k under both conventions, the detectable difference and the noise of repeats; nothing of it where nothing is known."""
    summary, pages = run
    figures = {
        "passes": passes(0.75, 0.9, 0.5, scenarios=5, excluded=1, lost=1),
        "precision": Precision(error=2.0, detectable=7.25, repeat_sd=8.04, repeat_noise=1.33),
    }
    held = summary.conditions[Condition.ASR].model_copy(update=figures)
    changed = summary.model_copy(update={"conditions": {**summary.conditions, Condition.ASR: held}})
    page = render_page(changed, pages, "embedded")

    rows = {
        "pass^2": "0.62",
        "pass^3, lost tries failed": "0.25",
        "Lost tries": "1",
        "Repeat noise": "+-1.3",
        "SD of repeats": "8.0",
    }
    for name, cell in rows.items():
        assert f'<th scope="row">{name}</th><td>-</td><td>-</td><td>{cell}</td>' in page
    assert "Repeat noise" not in render_page(summary, pages, "embedded")


def test_every_report_holds_both_pillars_with_their_points(run: tuple[Summary, list[CasePage]]) -> None:
    """On the terminal, in Markdown and on the page, so that a reader who disagrees with the weights can weigh otherwise."""
    summary, pages = run
    page = render_page(summary, pages, "embedded").split('<script type="application/json"')[0]
    forms = (render_table(summary), render_markdown(summary), page)

    for held in summary.conditions.values():
        for score in (held.task, held.conversation):
            shown = (f"{score.score:.1f}", f"{score.points:g} of {score.max_points:g}")
            assert [] == [text for text in shown for form in forms if text not in form]


def test_ten_diagnostics_stand_below_the_pillars(run: tuple[Summary, list[CasePage]]) -> None:
    """Each by its name in Markdown and on the page, which says that they do not add up to the score."""
    summary, pages = run
    page, markdown = render_page(summary, pages, "embedded"), render_markdown(summary)

    assert 10 == len(Diagnostic)
    for diagnostic in Diagnostic:
        name = diagnostic.value
        assert f'<th scope="row">{name.replace("_", " ")}<small>{diagnostic.pillar.value.title()}</small></th>' in page
        assert "\n| " + name.replace("_", "\\_") + " | " in markdown
    assert "they do not add up to the score" in page


def test_ends_by_the_agents_fault_stand_on_the_page(run: tuple[Summary, list[CasePage]]) -> None:
    """Number, share and kind; the condition without any says 0."""
    summary, pages = run
    held = summary.conditions[Condition.ASR].model_copy(update={"ends": {"tool_end": 5, "agent_idle": 1}})
    changed = summary.model_copy(update={"conditions": {**summary.conditions, Condition.ASR: held}})
    page = render_page(changed, pages, "embedded")

    assert '<th scope="col">Ended by agent&#x27;s fault</th>' in page
    assert "<td>1/6 (0.17)<small>agent_idle 1</small></td>" in page
    assert 2 == page.count("<td>0/6 (0.00)</td>")


def test_every_recording_is_inside_and_the_page_says_so(run: tuple[Summary, list[CasePage]], page: str) -> None:
    """Embedded bytes come back as they were stored, and the head says that sound is inside and how much."""
    reader = Reader(page)

    for number, case in enumerate(run[1]):
        assert case.audio == base64.b64decode(reader.blocks[f"audio-{number}"])
    assert "Recordings are embedded in this file (" in page


def test_linked_recordings_stay_outside_and_the_page_says_so(run: tuple[Summary, list[CasePage]]) -> None:
    """A linked page holds addresses instead of bytes."""
    summary, cases = run
    linked = [CasePage(case.summary, case.trace, case.grade, link=f"cases/{case.summary.case}/call.flac") for case in cases]
    reader = Reader(page := render_page(summary, linked, "linked"))

    assert ["linked"] * len(cases) == [entry["audio"] for entry in reader.data("index")["cases"]]
    assert f"cases/{cases[0].summary.case}/call.flac" == reader.data("index")["cases"][0]["href"]
    assert "Recordings are linked" in page
    assert not [name for name in reader.blocks if name.startswith("audio-")]


def test_a_run_without_sound_says_so() -> None:
    """Text lines without recordings have a page all the same."""
    page = render_page(*sample_run(recorded=False), "none")

    assert "This run has no recordings." in page
    assert ["none"] * 18 == [entry["audio"] for entry in Reader(page).data("index")["cases"]]


def test_hostile_text_in_every_field_adds_no_element(run: tuple[Summary, list[CasePage]], page: str) -> None:
    """With markup in every free text of summary, traces and grades, the page has the same tags and no handler."""
    summary, cases = run
    worse = [poison_page(case, HOSTILE) for case in cases]
    reader = Reader(render_page(poison(summary, HOSTILE), worse, "embedded"))
    count = {name: sum(tag == name for tag, _ in reader.tags) for name in ("script", "style", "img", "audio", "body", "button")}
    whole = {name: sum(tag == name for tag, _ in Reader(page).tags) for name in count}

    assert whole == count
    assert 0 == count["img"]
    assert not [name for _, attributes in reader.tags for name in attributes if name.startswith("on")]
    assert HOSTILE in json.dumps(reader.data("case-0"), ensure_ascii=False).replace('\\"', '"')


def test_the_overview_is_complete_without_a_script(page: str) -> None:
    """Scores, pairs, diagnostics, hearing, slices, what hearing cost, calls and notes stand in the markup itself."""
    static = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)

    for name in ("scores", "paired", "attribution", "diagnostics", "hearing", "slices", "calls"):
        assert f'<section id="{name}"' in static
    for text in (
        "88.8",
        "[82.8, 94.8]",
        "+14.2",
        "tool choice",
        "infrastructure:clip 1",
        "raw 0.121",
        "4417 2903",
        "not official",
    ):
        assert text in static
    assert 18 == len(re.findall(r"<tr data-condition=", static))


def test_labels_lead_to_elements_that_exist(page: str) -> None:
    """Every link inside the page leads to a section or a call of this run, every label and heading reference to an id."""
    reader = Reader(page)
    ids = {attributes["id"] for _, attributes in reader.tags if attributes.get("id")}
    cases = {entry["case"] for entry in reader.data("index")["cases"]}
    links = [(attributes["href"] or "")[1:].split("/") for tag, attributes in reader.tags if tag == "a"]

    assert all(parts[1] in cases if parts[0] in {"call", "compare"} else parts[0] in ids for parts in links)
    assert {attributes["aria-labelledby"] for _, attributes in reader.tags if attributes.get("aria-labelledby")} <= ids


def test_call_data_tells_what_was_said_from_what_was_heard(run: tuple[Summary, list[CasePage]]) -> None:
    """A misheard turn carries marks on both sides, its damaged fact, and the tool call that failed for it."""
    summary, cases = run
    case = next(case for case in cases if case.summary.case == "lost-card--asr--r0")
    data = call_data(case, summary)
    turn, answer = data["blocks"][2]["rows"][:2]

    assert ["2093", "changed"] in turn["said"]
    assert ["2903", "changed"] in turn["heard"][0]["words"]
    assert ["account_no_1"] == turn["damaged"]
    assert {"name": "account_number", "value": '"44172903"', "ok": False, "reason": "expected '44172093', found '44172903'"} == (
        answer["calls"][0]["arguments"][0]
    )
    assert [0, 1, 2, 3] == [block["turn"] for block in data["blocks"]]
    assert 3 == data["broken"][0]["message"]


def test_a_call_shows_the_error_rate_of_its_language(run: tuple[Summary, list[CasePage]]) -> None:
    """Words in English, characters in Hindi, each with its own value; the words of a call are marked with their language."""
    summary, cases = run
    case = next(case for case in cases if case.summary.case == "lost-card--asr--r0")
    case = replace(case, summary=case.summary.model_copy(update={"wer": ErrorRate(rate=0.5), "cer": ErrorRate(rate=0.25)}))
    header = case.trace.header.model_copy(update={"language": "hi"})
    hindi = replace(case, trace=case.trace.model_copy(update={"header": header}))
    shown = [(data["language"], data["errorRate"]) for data in (call_data(each, summary) for each in (case, hindi))]
    assert [("en-US", ["WER", 0.5]), ("hi", ["CER", 0.25])] == shown


def test_every_message_of_a_call_is_shown_once(run: tuple[Summary, list[CasePage]]) -> None:
    """Fragments, agent messages and tool results together are the trace's indices, in order and without gaps."""
    summary, cases = run
    for case in cases:
        shown = []
        for row in (row for block in call_data(case, summary)["blocks"] for row in block["rows"]):
            shown += [fragment["index"] for fragment in row["heard"]] if row["kind"] == "caller" else [row["index"]]
            shown += [tool["answer"] for tool in row.get("calls", [])]
        assert [message.index for message in case.trace.messages] == shown


def test_a_call_that_was_cut_shows_its_fragments_and_the_event(run: tuple[Summary, list[CasePage]]) -> None:
    """Two fragments of one turn have their own messages; the split stands below with what it did."""
    summary, cases = run
    case = next(case for case in cases if case.summary.case == "test-results--authored--r0")
    turn = call_data(case, summary)["blocks"][2]["rows"][0]

    assert [3, 4] == [fragment["index"] for fragment in turn["heard"]]
    assert [("split", True)] == [(event["kind"], event["applied"]) for event in turn["events"]]


def test_the_same_run_gives_the_same_bytes(run: tuple[Summary, list[CasePage]], page: str) -> None:
    """Nothing of the clock or of chance is in the page."""
    assert page == render_page(*run, "embedded")
