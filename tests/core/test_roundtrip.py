"""The agent's own speech: what no voice says is found, errors are counted, and reports show it where it was measured."""

from __future__ import annotations

import json

import pytest

from core.report.call_data import CasePage, call_data
from core.report.markdown import render_markdown
from core.report.page import render_page
from core.report.roundtrip import round_trip_lines, round_trip_markdown
from core.runs.roundtrip import Echo, of_traces, replies, round_trip, totals, unsaid, worst
from core.schemas.base import Condition
from core.schemas.call_trace import Trace
from core.schemas.roundtrip import RoundTrip
from core.schemas.run import Summary
from tests.core.report_samples import sample_run
from tests.support.written import PLAIN, PLANTED


@pytest.fixture(scope="module", name="run")
def _run() -> tuple[Summary, list[CasePage]]:
    return sample_run(recorded=False)


def _measured(pages: list[CasePage], damage: dict[int, Echo]) -> RoundTrip:
    """Every reply of every case heard as written, but for those of the first case that are given."""
    found = []
    for number, page in enumerate(pages):
        for message in replies(page.trace):
            echo = Echo(message.index, message.content, "heart", message.content)
            echo = damage.get(message.index, echo) if number == 0 else echo
            found.append(round_trip(page.summary.case, page.trace, "Latn", echo))
    traces = {page.summary.case: page.summary.trace_sha256 for page in pages}
    return RoundTrip(recogniser="auto", listeners={}, traces=traces, replies=tuple(found))


def _with_words(trace: Trace, index: int, words: str) -> Trace:
    messages = [m.model_copy(update={"content": words}) if m.index == index else m for m in trace.messages]
    return trace.model_copy(update={"messages": tuple(messages)})


@pytest.mark.parametrize(("text", "what"), PLANTED.items())
def test_what_no_voice_says_is_found(text: str, what: set[str]) -> None:
    """Markdown, addresses, symbols, long digits, pictograms and other scripts, each by its name and its piece of text."""
    found = unsaid(text, "Latn")

    assert what == {each.what for each in found}
    assert all(each.text and each.text in text for each in found)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        *((text, "Latn") for text in PLAIN),
        ("It costs $4.50, that's 10 % off; see you at 9:30, Mr. Müller!", "Latn"),
        ("आपका स्वागत है, OK?", "Deva"),
        ("请稍等，我查一下 WiFi。", "Hans"),
        ("உங்கள் கணக்கு 4821.", "Taml"),
        ("4821", "Taml"),
    ],
)
def test_plain_replies_are_not_flagged(text: str, script: str) -> None:
    """Numbers, amounts, names, and Latin words in another language's sentence are said everywhere."""
    assert () == unsaid(text, script)


@pytest.mark.parametrize(
    ("text", "script", "words"),
    [
        ("Hello, नमस्ते sir.", "Latn", ["नमस्ते"]),
        ("Please wait.", "Deva", ["Please", "wait"]),
        ("ஆம், नमस्ते.", "Taml", ["नमस्ते"]),
    ],
)
def test_another_script_is_found_word_by_word(text: str, script: str, words: list[str]) -> None:
    """Foreign letters in a sentence, and a whole reply in Latin where the language is written otherwise."""
    found = [each.text for each in unsaid(text, script) if each.what == "another script"]

    assert words == found


def test_errors_are_counted_against_what_was_written(run: tuple[Summary, list[CasePage]]) -> None:
    """Two of seven words misheard, normalised and as written, and a reply that never sounded has all of its words lost."""
    page = run[1][0]
    index = replies(page.trace)[0].index
    trace = _with_words(page.trace, index, "This is the bike shop, good morning.")

    heard = round_trip("c", trace, "Latn", Echo(index, "", "heart", "this is the pipe stop good morning"))
    silent = round_trip("c", trace, "Latn", Echo(index, "", None, "", silent="no voice"))

    assert pytest.approx(2 / 7, abs=1e-6) == heard.wer.rate
    assert (2, 7) == (heard.wer.substitutions, heard.wer.reference)
    assert heard.wer.raw is not None
    assert heard.wer.raw > 2 / 7
    assert (1.0, 7, True) == (silent.wer.rate, silent.wer.deletions, silent.flagged)
    assert not heard.flagged


def test_replies_are_the_agents_words(run: tuple[Summary, list[CasePage]]) -> None:
    """A message that only calls tools holds nothing to be said, nor does one of spaces."""
    trace = run[1][0].trace
    first = replies(trace)[0].index

    assert {"agent"} == {message.role.value for message in replies(trace)}
    assert first not in {message.index for message in replies(_with_words(trace, first, "  \n"))}


def test_conditions_are_pooled_and_the_worst_come_first(run: tuple[Summary, list[CasePage]]) -> None:
    """Edits are summed, not rates averaged; silent replies come before flagged ones, and those before misheard ones."""
    pages = run[1]
    first, second, third = (message.index for message in replies(pages[0].trace)[:3])
    damaged = CasePage(pages[0].summary, _with_words(pages[0].trace, second, "It is #1."))
    damage = {
        first: Echo(first, "", "heart", "nothing of it"),
        second: Echo(second, "", "heart", "It is one."),
        third: Echo(third, "", None, "", silent="no voice"),
    }
    found = _measured([damaged, *pages[1:]], damage)

    assert [third, second, first] == [reply.message for reply in worst(found, 9)]
    assert [third] == [reply.message for reply in worst(found, 1)]
    held = totals(found)[pages[0].summary.condition]
    of_condition = [reply for reply in found.replies if reply.condition is pages[0].summary.condition]
    edits = sum(r.wer.substitutions + r.wer.deletions + r.wer.insertions for r in of_condition)
    assert (len(of_condition), 2, 1) == (held.replies, held.flagged, held.silent)
    assert pytest.approx(edits / sum(r.wer.reference for r in of_condition), abs=1e-6) == held.wer
    assert set(totals(found)) == {page.summary.condition for page in pages} <= set(Condition)


def test_a_reply_said_in_several_calls_is_listed_once(run: tuple[Summary, list[CasePage]]) -> None:
    """The same words misheard in the same way under two conditions are one finding."""
    pages = run[1]
    index = replies(pages[0].trace)[0].index
    trace = _with_words(pages[0].trace, index, "Good morning.")
    both = [round_trip(case, trace, "Latn", Echo(index, "", "heart", "Good mourning.")) for case in ("a", "b")]

    assert ["a"] == [each.case for each in worst(RoundTrip(recogniser="auto", listeners={}, traces={}, replies=tuple(both)), 9)]


def test_only_the_measured_traces_count(run: tuple[Summary, list[CasePage]]) -> None:
    """A case that was played again since it was measured is left out."""
    found = _measured(run[1], {})
    case = run[1][0].summary.case
    identities = {**found.traces, case: "0" * 64}

    assert found.replies == of_traces(found, found.traces).replies
    assert case not in {reply.case for reply in of_traces(found, identities).replies}
    assert set(found.traces) - {case} == {reply.case for reply in of_traces(found, identities).replies}


def test_the_reports_show_it_where_it_was_measured(run: tuple[Summary, list[CasePage]]) -> None:
    """The page, Markdown and the terminal name the worst replies; the call view has what came back of each."""
    summary, pages = run
    index = replies(pages[0].trace)[0].index
    found = _measured(pages, {index: Echo(index, "spoken so", None, "", silent="no <voice>")})
    mine = tuple(reply for reply in found.replies if reply.case == pages[0].summary.case)
    shown = CasePage(pages[0].summary, pages[0].trace, pages[0].grade, replies=mine)

    page = render_page(summary, [shown, *pages[1:]], "none", found)
    rows = [row for block in call_data(shown, summary)["blocks"] for row in block["rows"] if row["kind"] == "agent"]

    assert 'id="roundtrip"' in page
    assert 'href="#roundtrip"' in page
    assert "no &lt;voice&gt;" in page
    assert "no <voice>" not in page
    assert ("no <voice>", "", 1.0, "spoken so") == tuple(rows[0]["back"][key] for key in ("silent", "heard", "wer", "spoken"))
    assert "## The agent's own speech" in render_markdown(summary, round_trip_markdown(found))
    assert f"{pages[0].summary.case}, message {index}: wrote" in " ".join("\n".join(round_trip_lines(found, 200)).split())


def test_reports_without_it_do_not_mention_it(run: tuple[Summary, list[CasePage]]) -> None:
    """A run that was not measured has no section, no link and no field of it."""
    summary, pages = run

    page = render_page(summary, pages, "none")

    assert 'id="roundtrip"' not in page
    assert 'href="#roundtrip"' not in page
    assert '"back"' not in json.dumps([call_data(each, summary) for each in pages])
    assert "own speech" not in render_markdown(summary)
