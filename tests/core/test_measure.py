"""`measure`: the hearing of a run from its traces alone, and that of utterances given as text."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from core.bundle import Bundle
from core.errors import InputError, UsageError
from core.files import write_atomic
from core.report.hearing import pairs_markdown, pairs_text, report_markdown, report_text
from core.runs.measure import measure_pairs, measure_run
from core.runs.store import RunStore, trace_bytes
from core.schemas.base import Condition, pretty_json
from core.schemas.call_trace import Trace
from core.schemas.hearing import HearingReport, PairsReport, Verdict
from core.schemas.run import CaseKey
from core.spoken import Kind
from core.text import normaliser_of
from tests.core.hearing_samples import Turn, call, spoken_scenario
from tests.support.runs import run_file
from tests.support.scenes import minimal

ENGLISH = call(
    Turn("It is 4820197355.", "it is 4820197365", -0.3),
    Turn("Uh.", "thanks for watching", -1.2, guard=("silence",)),
    Turn("Please hurry", ""),
)
HINDI = call(Turn("नमस्ते", "नमस्ते"), language="hi", voice="heart", name="hindi")


@pytest.fixture
def bundle() -> Bundle:
    """Two scenarios, one English and one Hindi."""
    scenarios = {s.id: s for s in (spoken_scenario(), spoken_scenario("hi", "Deva", "hindi"))}
    return dataclasses.replace(minimal(), scenarios=scenarios)


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    """A run that holds two spoken calls and was to hold a third."""
    keys = [CaseKey(scenario="outage", condition=Condition.ASR), CaseKey(scenario="hindi", condition=Condition.ASR)]
    planned = (*keys, CaseKey(scenario="outage", condition=Condition.TEXT))
    write_atomic(tmp_path / "run.json", pretty_json(run_file(cases=planned).to_json()))
    for key, trace in zip(keys, (ENGLISH, HINDI), strict=True):
        _save(tmp_path, key, trace)
    return RunStore.open(tmp_path)


def _save(root: Path, key: CaseKey, trace: Trace) -> None:
    write_atomic(root / "cases" / key.name / "trace.json", trace_bytes(trace))


def test_a_run_is_measured_whole_sliced_and_call_by_call(store: RunStore, bundle: Bundle) -> None:
    """Every finished call of the condition, with its turns; figures of the whole are those of its turns pooled."""
    report = measure_run(store, bundle, Condition.ASR, None)
    held = report.conditions[Condition.ASR]
    assert ["outage--asr--r0", "hindi--asr--r0"] == [one.case for one in held.calls]
    assert [3, 1] == [len(one.turns) for one in held.calls]
    assert {"language": ["en", "hi"], "script": ["Deva", "Latn"], "voice": ["heart", "joe"]} == {
        name: list(values) for name, values in held.slices.items()
    }
    assert held.figures.wer is not None
    # "it is" and ten digits with one wrong, three words where none was said, two words lost, one right
    assert (1, 2, 3, 15) == (
        held.figures.wer.substitutions,
        held.figures.wer.deletions,
        held.figures.wer.insertions,
        held.figures.wer.reference,
    )
    assert (1, 1, 3, {"silence": 1}) == (
        held.figures.empty,
        held.figures.silent,
        held.figures.silent_insertions,
        held.figures.guard,
    )
    assert "both" == held.figures.headline
    assert HearingReport.model_validate(report.to_json()) == report


def test_a_report_names_what_was_not_surveyed(store: RunStore, bundle: Bundle) -> None:
    """Without a table of hearing nothing is known, and that is said of each language and engine."""
    report = measure_run(store, bundle, None, None)
    assert [("en", "piper"), ("hi", "hibari")] == [(one.language, one.engine) for one in report.trust]
    assert {Verdict.NOT_SURVEYED} == {one.verdict for one in report.trust}
    for shown in (report_text(report, 100, turns=False), report_markdown(report)):
        assert "Hearing figures in hi were not surveyed" in shown.replace("\n  ", " ")


def test_a_condition_without_a_finished_call_is_empty(store: RunStore, bundle: Bundle) -> None:
    """Planned but not played: no turns, no rates, no slices."""
    held = measure_run(store, bundle, Condition.TEXT, None).conditions[Condition.TEXT]
    assert (0, None, {}, ()) == (held.figures.turns, held.figures.wer, held.slices, held.calls)


def test_a_condition_the_run_does_not_have_is_refused(store: RunStore, bundle: Bundle) -> None:
    """One line that lists those it has."""
    with pytest.raises(UsageError, match=r"no condition 'authored': use one of text, asr"):
        measure_run(store, bundle, Condition.AUTHORED, None)


def test_the_run_is_told_on_a_terminal(store: RunStore, bundle: Bundle) -> None:
    """Tables of slices, kinds and calls; turns only where they are wanted."""
    report = measure_run(store, bundle, None, None)
    short, long = report_text(report, 100, turns=False), report_text(report, 100, turns=True)
    for line in ("language en", "script Deva", "voice joe", "outage--asr--r0", "3 in 1", "silence 1", "1/2/3 of 15"):
        assert line in short
    assert "thanks for watching" not in short
    assert "thanks for watching" in long
    assert "(nothing)" in long


def test_the_run_is_told_as_markdown(store: RunStore, bundle: Bundle) -> None:
    """The same figures as pipe tables, with every turn."""
    shown = report_markdown(measure_run(store, bundle, None, None))
    assert "| language en | 3 |" in shown
    assert "| 2 | - | 0/0/3 of 0 |" in shown
    assert "thanks for watching" in shown


def _pairs(*pairs: tuple[str, str], language: str = "en", given: Any = ()) -> PairsReport:
    return measure_pairs(pairs, language, given)


def test_utterances_are_pooled() -> None:
    """Line by line and all together, with empty lines and lines without words counted as in a run."""
    report = _pairs(("my id is 0441", "my id is 441"), ("", "thank you"), ("please", ""))
    assert report.figures.wer is not None
    assert (0, 2, 2, 8) == (
        report.figures.wer.substitutions,
        report.figures.wer.deletions,
        report.figures.wer.insertions,
        report.figures.wer.reference,
    )
    assert (1, 1, 2) == (report.figures.empty, report.figures.silent, report.figures.silent_insertions)
    assert [round(1 / 7, 6), None, 1.0] == [pair.wer.rate for pair in report.pairs]
    assert (0, 1) == (report.figures.known_values.survived, report.figures.known_values.occurring)
    assert PairsReport.model_validate(report.to_json()) == report


def test_given_values_are_looked_for_beside_those_that_are_read() -> None:
    """Names, spelled or not, and each value once although it is given and read."""
    given = [(Kind.NAME, "Ann Lee"), (Kind.DIGITS, "04412907")]
    (pair,) = _pairs(("Ann Lee, 0441 2907, at half past two", "an lee 0441 2907 at 2:30"), given=given).pairs
    assert pair.values is not None
    assert [("name", "Ann Lee", False), ("digits", "04412907", True), ("time", "14:30", True)] == [
        (value.kind.value, value.value, value.survived) for value in pair.values
    ]
    (spelled,) = _pairs(("Lee", "L, E, E"), given=[(Kind.NAME, "Lee")]).pairs
    assert spelled.values is not None
    assert [True] == [value.survived for value in spelled.values]


def test_a_given_value_of_the_wrong_kind_is_refused() -> None:
    """One line that says how to write it."""
    with pytest.raises(InputError, match=r"'soon' is no date: write it as"):
        _pairs(("soon", "soon"), given=[(Kind.DATE, "soon")])


@pytest.mark.parametrize(
    ("language", "said", "heard", "value"),
    [
        ("zh", "我的号码是零四四一二九零七", "我的号码是04412907", "04412907"),
        ("hi", "मेरा नंबर शून्य चार चार एक दो नौ शून्य सात है", "मेरा नंबर 04412907 है", "04412907"),
        ("ta", "என் எண் 04412907", "என் எண் 04412907", "04412907"),
    ],
)
def test_values_are_read_in_every_language(language: str, said: str, heard: str, value: str) -> None:
    """Whatever their form, with the language's own normaliser and its own headline."""
    report = _pairs((said, heard), language=language)
    assert report.pairs[0].values is not None
    assert [(value, True)] == [(one.value, one.survived) for one in report.pairs[0].values if one.kind is Kind.DIGITS]
    found = (report.pairs[0].wer.normaliser, report.figures.headline, report.pairs[0].wer.rate)
    assert (normaliser_of(language), "cer", 0.0) == found


def test_a_language_without_readings_says_so() -> None:
    """Errors are counted all the same."""
    report = _pairs(("bonjour", "bonsoir"), language="fr", given=[(Kind.NAME, "Ann")])
    assert (None, 1.0) == (report.pairs[0].values, report.pairs[0].wer.rate)
    assert "known values: not read in 'fr'" in pairs_text(report, 100)


def test_utterances_are_told_as_text_and_markdown() -> None:
    """One utterance with its whole alignment, several with what differs and the pooled row; control characters are harmless."""
    one, many = _pairs(("yes please", "yes police")), _pairs(("yes please", "yes \x1b[31mpolice"), ("no", "no"))
    assert pairs_text(one, 100).startswith("WER 0.500 (1 substituted, 0 deleted, 0 inserted of 2; en-v4)")
    assert "  equal      yes " in pairs_text(one, 100)
    assert "  equal" not in pairs_text(many, 100)
    assert "all         2" in pairs_text(many, 100)
    assert "| all | 2 |" in pairs_markdown(many)
    assert "\x1b" not in pairs_text(many, 100) + pairs_markdown(many)
