"""The run as text and Markdown: what stands there, how wide it is, and what it never prints."""

from __future__ import annotations

import re
from typing import Any

import pytest

from core.report import phrases
from core.report.markdown import render_markdown
from core.report.text import columns, pad, render_compare, render_table
from core.runs.notes import INTERVAL_NOTE, NOTES, SLICE_NOTE
from core.schemas.base import Condition
from core.schemas.hearing import ErrorRate
from core.schemas.run import Attribution, Precision, Score, Summary
from tests.core.report_samples import poison, sample_run
from tests.support.summaries import passes


@pytest.fixture(scope="module", name="summary")
def _summary() -> Summary:
    return sample_run(recorded=False)[0]


def _with(summary: Summary, condition: Condition, **changes: Any) -> Summary:
    held = summary.conditions[condition].model_copy(update=changes)
    return summary.model_copy(update={"conditions": {**summary.conditions, condition: held}})


def test_the_table_shows_every_measure_of_every_condition(summary: Summary) -> None:
    """Conditions are columns, measures rows, an interval stands with each score."""
    text = render_table(summary)

    assert re.search(r"^score \[95 % interval\] +text +authored +asr$", text, re.MULTILINE)
    assert re.search(r"^Overall +88\.8 \[82\.8, 94\.8\] +81\.7 \[75\.7, 87\.7\] +74\.6 \[68\.6, 80\.6\]$", text, re.MULTILINE)
    assert re.search(r"^Graded / planned +6 / 6 +6 / 6 +6 / 7$", text, re.MULTILINE)
    assert re.search(r"^Task points +36 of 40 +32 of 40 +28 of 40$", text, re.MULTILINE)
    assert re.search(r"^Coverage task, conv\. +0\.93, 0\.93", text, re.MULTILINE)
    assert re.search(r"^WER, normalised +- +- +0\.058$", text, re.MULTILINE)
    assert re.search(r"^WER, raw +- +- +0\.121$", text, re.MULTILINE)
    assert re.search(r"^Known values heard +1\.000 \(6/6\) +0\.833 \(5/6\) +0\.667 \(4/6\)$", text, re.MULTILINE)
    assert "Dropped by reason: asr: infrastructure:clip 1" in text
    assert "Success: overall >= 70, provisional." in text


def test_pairs_stand_with_interval_and_outcomes(summary: Summary) -> None:
    """Each comparison is one line: mean, interval, wins, losses and ties."""
    assert re.search(r"^text - asr +overall +6 +\+14\.2 +\[\+3\.2, \+26\.7\] +2/0/4$", render_table(summary), re.MULTILINE)


def test_a_misheard_value_and_the_action_it_broke_are_one_sentence(summary: Summary) -> None:
    """Said, heard, turn, case and action, with the messages of both; Markdown links the clip from where it stands."""
    wanted = "'4417 2093' heard as '4417 2903' in turn 2 (#3) of lost-card--asr--r0: action verify_account_1 failed (#4)"

    assert wanted in render_table(summary, width=120)
    assert wanted == phrases.attribution_text(summary.attribution[0])
    clip = "([hear it](../run/cases/lost-card--asr--r0/clips/003.flac))"
    assert clip in render_markdown(summary, run="../run")


def test_a_lost_value_is_heard_as_nothing_and_its_consequences_are_told() -> None:
    """No call to point at; and an action that had to wait names the one it waited for."""
    lost = Attribution(case="gone--asr--r0", fact="id_1", said="12", heard="", action="look_1", turn=3, message=5)

    wanted = "'12' heard as nothing in turn 3 (#5) of gone--asr--r0: action look_1 failed"
    assert wanted == phrases.attribution_text(lost)
    after = lost.model_copy(update={"action": "tell_1", "through": "look_1"})
    assert wanted.replace("look_1", "tell_1") + ", since it had to wait for look_1" == phrases.attribution_text(after)


@pytest.mark.parametrize("width", [80, 100])
def test_no_line_is_wider_than_the_terminal(summary: Summary, width: int) -> None:
    """Three conditions fit 80 columns; sentences are wrapped."""
    assert max(columns(line) for line in render_table(summary, width=width).splitlines()) <= width


def test_conditions_that_do_not_fit_continue_in_another_block(summary: Summary) -> None:
    """A narrow terminal gets two blocks with the same rows, never a cut line."""
    text = render_table(summary, width=60)

    assert 2 == len(re.findall(r"^Overall ", text, re.MULTILINE))
    assert max(columns(line) for line in text.splitlines()) <= 78


def test_too_little_judged_withholds_the_headline(summary: Summary) -> None:
    """Below 0.8 coverage no number is printed for that score, and the reason is."""
    score = Score(score=91.3, low=80.0, high=99.0, coverage=0.62)
    text = render_table(_with(summary, Condition.ASR, overall=score), width=200)

    assert "91.3" not in text
    assert "Overall under asr is withheld: only 0.62 of the applicable weight was judged (at least 0.8 is needed)." in text


def test_one_uncovered_pillar_withholds_success_and_pairs_too(summary: Summary) -> None:
    """What stands on the overall score is withheld with it, in every form of the report."""
    short = Score(score=91.3, low=80.0, high=99.0, coverage=0.62)
    tries = passes(0.77, 0.88, 0.66, scenarios=6, excluded=1)
    held = _with(summary, Condition.ASR, task=short, overall=short, passes=tries)
    pairs = tuple(p.model_copy(update={"withheld": "asr: too little"}) if p.b == "asr" else p for p in summary.paired)
    held = held.model_copy(update={"paired": pairs})
    text, markdown = render_table(held, width=200), render_markdown(held)

    assert re.search(r"^Success rate +1\.00 .+ withheld$", text, re.MULTILINE)
    assert re.search(r"^pass\^3 +- +- +withheld$", text, re.MULTILINE)
    assert re.search(r"^text - asr +overall +6 +withheld +- +-$", text, re.MULTILINE)
    assert re.search(r"^text - authored +overall +6 +\+7\.1 ", text, re.MULTILINE)
    assert "Success under asr is withheld: only 0.62 of the applicable weight was judged (at least 0.8 is needed)." in text
    assert "| text - asr | overall | 6 | withheld | - | - |" in markdown
    assert [] == [word for word in ("+14.2", "0.77", "91.3") if word in text + markdown]
    assert "Overall is withheld: asr: too little." in render_compare(pairs[:3], width=200)


def test_success_over_repeats_stands_with_what_it_leaves_out(summary: Summary) -> None:
    """pass@k and pass^k for every k, and how many scenarios have all their repeats; nothing of it in a run without repeats."""
    held = _with(summary, Condition.TEXT, passes=passes(0.733, 0.9, 0.5, scenarios=6, excluded=0))
    text = render_table(held)

    rows = ("pass@1 +0.73", "pass@2 +0.82", r"pass\^2 +0.62", "pass@3 +0.90", r"pass\^3 +0.50", "All repeats graded +6 of 6")
    for row in rows:
        assert re.search(f"^{row} +- +-$", text, re.MULTILINE), row
    assert "| pass^3 | 0.50 | - | - |" in render_markdown(held)
    assert "pass@" not in render_table(summary) + render_markdown(summary)
    assert "ost tries" not in text + render_markdown(held)


def test_lost_tries_stand_under_both_conventions(summary: Summary) -> None:
    """Where a try was lost, the lower bound in which it is a failure stands below the rate that leaves its scenario out."""
    held = _with(summary, Condition.TEXT, passes=passes(0.73, 0.9, 0.5, scenarios=5, excluded=1, lost=2))
    text = render_table(held)

    rows = (r"pass\^3 +0.50", r"pass\^3, lost tries failed +0.25", "All repeats graded +5 of 6", "Lost tries +2")
    for row in rows:
        assert re.search(f"^{row} +- +-$", text, re.MULTILINE), row
    assert "| pass^3, lost tries failed | 0.25 | - | - |" in render_markdown(held)


def test_how_small_a_difference_can_be_shown_stands_below_the_scores(summary: Summary) -> None:
    """The detectable difference, and the spread and bound of repeats in a run that has them."""
    precision = Precision(error=2.0, detectable=7.25, repeat_sd=8.04, repeat_noise=1.33)
    held = _with(summary, Condition.TEXT, precision=precision)
    text = render_table(held, width=200)

    for row in (r"Detectable, unpaired +7\.2 ", r"SD of repeats +8\.0 ", r"Repeat noise +\+-1\.3 "):
        assert re.search(f"^{row}", text, re.MULTILINE), row
    assert "| Repeat noise | +-1.3 |" in render_markdown(held)
    assert "Repeat noise" not in render_table(summary) + render_markdown(summary)


def test_few_agents_are_said_to_be_few(summary: Summary) -> None:
    """Below twenty agents intervals are too narrow, and the report says so; nothing is said of a run with enough."""
    case = summary.cases[0]
    enough = summary.model_copy(update={"cases": tuple(case.model_copy(update={"agent": f"a{n}"}) for n in range(20))})
    few = enough.model_copy(update={"cases": enough.cases[:19]})
    alone = enough.model_copy(update={"cases": enough.cases[:1]})

    assert "Only 19 agents: intervals over fewer than 20 agents are narrower than they should be." in render_table(few, width=200)
    assert "Only one agent: intervals over fewer than 20" in render_table(alone, width=200)
    assert "narrower than they should be" not in render_table(enough, width=200)


def test_a_comparison_says_what_it_can_show(summary: Summary) -> None:
    """The detectable difference in pairs and unpaired, and what repeats alone would do; nothing where it is withheld."""
    figures = {"detectable": 3.24, "detectable_unpaired": 7.91, "repeat_noise": 0.84, "repeat_share": 0.341}
    pair = summary.paired[0].model_copy(update=figures)
    told = (
        "Overall: such a comparison finds a true difference of 3.2 in 80 % of cases, and unpaired one of 7.9; repeats alone "
        "move the mean by up to 0.8 and make up 34 % of the differences' variance."
    )
    assert told in render_compare([pair], width=300)
    assert "80 % of cases" not in render_compare([pair.model_copy(update={"withheld": "text: too little"})], width=300)


def test_calls_that_the_agents_fault_ended_are_counted(summary: Summary) -> None:
    """They are graded and never dropped, so their number and share stand beside; no fault at all is 0, not silence."""
    held = _with(summary, Condition.ASR, ends={"tool_end": 3, "agent_idle": 1, "protocol_error": 2, "turn_limit": 2})
    text = render_table(held)

    assert re.search(r"^Ended by agent's fault +0/6 \(0\.00\) +0/6 \(0\.00\) +3/8 \(0\.38\)$", text, re.MULTILINE)
    assert "Ended by agent's fault: asr: agent_idle 1, protocol_error 2" in text
    assert "3/8 (0.38) agent\\_idle 1, protocol\\_error 2" in render_markdown(held)


def test_every_report_names_offline_parties_and_what_intervals_and_slices_are(summary: Summary) -> None:
    """The standing notes are printed even when the summary brings none."""
    for text in (render_table(summary, width=400), render_markdown(summary)):
        assert "Offline parties are programs, not models: candidate offline:baseline" in text
        assert INTERVAL_NOTE in text
        assert SLICE_NOTE in text
        assert "not official: the working tree has uncommitted changes" in text


def test_notes_of_the_run_are_not_repeated(summary: Summary) -> None:
    """A run that brings the notes every report prints is not told them twice."""
    assert NOTES == tuple(phrases.all_notes(summary.model_copy(update={"notes": NOTES}))[-3:])
    assert (INTERVAL_NOTE, SLICE_NOTE) == tuple(phrases.all_notes(summary)[-2:])


def test_an_official_run_says_so(summary: Summary) -> None:
    """Official runs are marked as such."""
    assert "\nofficial\n" in render_table(summary.model_copy(update={"official": True}))


def test_colour_comes_only_when_asked(summary: Summary) -> None:
    """No escape sequence without colour; with it the text is the same once they are taken out."""
    plain, coloured = render_table(summary), render_table(summary, colour=True)

    assert "\x1b" not in plain
    assert plain == re.sub(r"\x1b\[\d+m", "", coloured)
    assert plain != coloured


def test_layout_is_plain_ascii(summary: Summary) -> None:
    """Nothing of the layout needs more than ASCII."""
    assert render_table(summary).isascii()


def test_what_was_heard_cannot_steer_a_terminal(summary: Summary) -> None:
    """Control characters of hostile text never reach the output."""
    text = render_table(poison(summary, "\x1b[2J\r\x07"), width=100)

    assert set() == {character for character in text if ord(character) < 32} - {"\n"}


def test_wide_characters_are_padded_by_the_columns_they_take() -> None:
    """Chinese takes two columns a character, a combining mark none, nor does a vowel sign that hangs on its consonant."""
    assert "सुने  |" == pad("सुने", 4) + "|"
    assert "你好  |" == pad("你好", 6) + "|"
    assert "  e\u0301|" == pad("e\u0301", 3, right=True) + "|"


def test_an_empty_run_still_renders() -> None:
    """A run whose every case was dropped has a table without scores, not a crash."""
    summary = sample_run(recorded=False)[0]
    empty = Score(score=None)
    scores = {"task": empty, "conversation": empty, "overall": empty, "wer": ErrorRate(rate=None), "diagnostics": {}}
    held = _with(summary, Condition.ASR, n=0, **scores).conditions[Condition.ASR]
    nothing: dict[str, Any] = {"paired": (), "cases": (), "attribution": (), "slices": {}}
    bare = summary.model_copy(update={"conditions": {Condition.ASR: held}, **nothing})
    none = summary.model_copy(update={"conditions": {}, **nothing})

    assert re.search(r"^Overall +-$", render_table(bare), re.MULTILINE)
    assert "| asr | - | - | - |" in render_markdown(bare)
    assert "Ringback" in render_markdown(none)
    assert INTERVAL_NOTE[:20] in render_table(none)


def test_comparing_lists_scenarios_with_the_error_of_hearing_beside(summary: Summary) -> None:
    """Largest difference first, WER beside it, then what differs and what hearing cost."""
    text = render_compare(
        summary.paired[:3], ["'1' heard as '2'"], {"lost-card": 0.25, "move-visit": None}, ["seed: 7 against 8"]
    )
    rows = [line.split() for line in text.splitlines() if line.startswith(("lost-card", "move-visit", "card-limit"))]

    assert [["lost-card", "+42.5", "0.250"], ["move-visit", "+42.5", "-"], ["card-limit", "0.0", "-"]] == rows
    assert "- seed: 7 against 8" in text
    assert "- '1' heard as '2'" in text


def test_comparing_without_sound_has_no_column_for_it(summary: Summary) -> None:
    """Two runs in which nothing was transcribed show differences alone."""
    assert "WER" not in render_compare(summary.paired[:1])


def test_markdown_tables_have_as_many_cells_as_their_head(summary: Summary) -> None:
    """Hostile text cannot add a cell, a row or a tag to a table."""
    text = render_markdown(poison(summary, "a|b\n<script>"))
    lines = [re.sub(r"\\.", "", line) for line in text.splitlines()]
    tables = "\n".join(line if line.startswith("|") else "" for line in lines).split("\n\n")
    widths = [{line.count("|") for line in table.strip().splitlines()} for table in tables if table.strip()]

    assert [1] * len(widths) == [len(found) for found in widths]
    assert len(widths) >= 5
    assert "<" not in "".join(lines)
