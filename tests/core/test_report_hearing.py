"""Hearing in the run's report: slices, the rate to read first, what would flatter it, and where it cannot be trusted."""

from __future__ import annotations

import dataclasses

import pytest

from core.grading.grade import grade
from core.report.markdown import render_markdown
from core.report.page import render_page
from core.report.text import render_table
from core.runs.summary import GradedCase, summarise
from core.schemas.base import Condition
from core.schemas.hearing import Verdict
from core.schemas.run import CaseKey, Summary
from models.parties.rules import RulesJudge
from tests.core.grading_samples import HASH, PROMPT
from tests.core.hearing_samples import Turn, call, spoken_scenario
from tests.support.runs import run_file
from tests.support.scenes import minimal

SURE = Turn("yes please", "yes please", -0.2)


def _summary(*turns: Turn, language: str, script: str) -> Summary:
    """The summary of one spoken call."""
    made = spoken_scenario(language, script)
    shipped = minimal()
    bundle = dataclasses.replace(
        shipped,
        scenarios={made.id: made},
        agents={made.agent: next(iter(shipped.agents.values())).model_copy(update={"id": made.agent})},
        templates={made.agent: PROMPT},
    )
    trace = call(*turns, language=language)
    key = CaseKey(scenario=made.id, condition=Condition.ASR)
    judge = RulesJudge()
    case = GradedCase(key.name, trace, grade(trace, made, PROMPT, judge, trace_sha256=HASH))
    return summarise(run_file(cases=(key,)), bundle, judge.record(), [case], {}, tagged=False)


@pytest.fixture
def gujarati() -> Summary:
    """A call heard right but in another script, with one turn lost, one made up, and what the guard found."""
    lost, made_up = Turn("હા જી", ""), Turn("...", "धन्यवाद", -1.5, guard=("silence",))
    return _summary(Turn("મારું નામ", "मारुं नाम", -0.4), lost, made_up, language="gu", script="Gujr")


def test_all_three_reports_show_what_happened(gujarati: Summary) -> None:
    """Empty turns, words in silence, hits of the guard, and the characters whatever the script."""
    text, markdown, page = render_table(gujarati), render_markdown(gujarati), render_page(gujarati, [], "none")
    for label in ("CER, one Indic script", "Turns heard as nothing", "Words heard in silence", "Guard hits"):
        assert label in text
        assert label in markdown
        assert label in page
    assert "silence 1" in text
    assert "| Words heard in silence | 1 |" in markdown


def test_characters_lead_where_words_say_little(gujarati: Summary) -> None:
    """The scores show CER where every transcribed condition is in such a language, and WER elsewhere."""
    assert "| CER | raw CER | known values |" in render_markdown(gujarati)
    assert ">CER</th>" in render_page(gujarati, [], "none")
    english = _summary(SURE, language="en", script="Latn")
    assert "| WER | raw WER | known values |" in render_markdown(english)
    assert ">WER</th>" in render_page(english, [], "none")


def test_slices_stand_in_the_reports(gujarati: Summary) -> None:
    """By language, script and voice, with the rate to read first marked."""
    assert {"language": ["gu"], "script": ["Gujr"], "voice": ["joe"]} == {
        name: list(values) for name, values in gujarati.hearing_slices.items()
    }
    markdown, page = render_markdown(gujarati), render_page(gujarati, [], "none")
    assert "| gu | 3 |" in markdown
    assert "| Gujr | 3 |" in markdown
    for heading in ("By language", "By script", "By voice"):
        assert heading in page


def test_what_cannot_be_trusted_is_said_plainly(gujarati: Summary) -> None:
    """A line for each language that is not trusted, in every report; none for one that is."""
    (trust,) = gujarati.trust
    statement = "Hearing figures in gu were not surveyed: nothing is known of whisper-base hearing piper voices."
    assert (Verdict.NOT_SURVEYED, statement) == (trust.verdict, trust.statement)
    for shown in (render_table(gujarati, width=200), render_markdown(gujarati), render_page(gujarati, [], "none")):
        assert statement in shown
    trusted = gujarati.model_copy(update={"trust": (trust.model_copy(update={"verdict": Verdict.TRUSTED}),)})
    for shown in (render_table(trusted, width=200), render_markdown(trusted)):
        assert statement not in shown


def test_a_clean_run_shows_no_empty_rows() -> None:
    """Rows of what did not happen are left out."""
    text = render_table(_summary(SURE, language="en", script="Latn"))
    for label in ("CER, one Indic script", "Turns heard as nothing", "Words heard in silence", "Guard hits"):
        assert label not in text
