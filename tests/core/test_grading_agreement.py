"""Agreement over a graded run: judge with people, people with people, votes with votes; labels that do not fit are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import FileError
from core.grading.agreement import agreement
from core.grading.grade import grade
from core.grading.labels import check_labels, read_labels
from core.grading.panel import Panel
from core.grading.views import ConversationView, TaskView
from core.report.agreement import agreement_lines
from core.schemas.agreement import Agreement, AgreementRow, LabelFile, Metric, Raters, Scale, Weights
from core.schemas.base import Diagnostic
from core.schemas.call_trace import PartyRecord
from core.schemas.grade import Grade, Judgement, Label
from tests.core.grading_samples import HASH, PROMPT, Called, CallScript, scenario

ANCHORS = {"met": "yes", "partial": "half", "not_met": "no"}
JUDGE = PartyRecord(party="test:told")
CASES = ("one--text--r0", "two--text--r0", "three--text--r0")


class ToldJudge:
    """Says what it was told of each item; of others nothing."""

    def __init__(self, **said: str | int | None) -> None:
        self._said = said

    def record(self) -> PartyRecord:
        return JUDGE

    def judge_task(self, view: TaskView, seed: int) -> tuple[Judgement, ...]:
        return tuple(self._judgement(item.id) for item in view.criteria if item.id in self._said)

    def judge_conversation(self, view: ConversationView, seed: int) -> tuple[Judgement, ...]:
        return tuple(self._judgement(item.value) for item in view.ratings if item.value in self._said)

    def _judgement(self, name: str) -> Judgement:
        said = self._said[name]
        if isinstance(said, int):
            return Judgement(id=name, rating=said, reason="r")
        return Judgement(id=name, label=Label(said) if said else None, not_applicable=said is None, reason="r")


def _graded(case: str, judge: ToldJudge | Panel) -> Grade:
    made = scenario(
        id=case.partition("--")[0],
        criteria=[{"id": "task_1", "diagnostic": "rules", "statement": "s", "anchors": ANCHORS}],
        expected=[{"id": "find_1", "tool": "find"}],
    )
    trace = CallScript(scenario=made.id).agent("Hello.").caller("hi").agent("", Called("find", {"q": 1})).trace()
    return grade(trace, made, PROMPT, judge, trace_sha256=HASH)


def _grades(*judges: ToldJudge | Panel) -> dict[str, Grade]:
    return {case: _graded(case, judge) for case, judge in zip(CASES, judges, strict=False)}


def _labels(*rows: tuple[str, str, str | int | None, str]) -> LabelFile:
    def made(case: str, item: str, said: str | int | None, who: str) -> dict[str, Any]:
        key = "not_applicable" if said is None else "rating" if isinstance(said, int) else "label"
        return {"case": case, "item": item, key: True if said is None else said, "labeller": who}

    return LabelFile.model_validate({"labels": [made(*row) for row in rows]})


def _row(found: Agreement, raters: Raters, scale: Scale, diagnostic: Diagnostic | None = None) -> AgreementRow:
    (row,) = [r for r in found.rows if (r.raters, r.scale, r.diagnostic) == (raters, scale, diagnostic)]
    return row


def test_the_judge_against_one_person_by_hand() -> None:
    """Three labels, two alike (met met, not_met not_met, partial met): agreement 2/3 and kappa (2/3 - 1/3) / (1 - 1/3) = 1/2."""
    grades = _grades(*(ToldJudge(task_1=label) for label in ("met", "not_met", "met")))
    labels = _labels(*((case, "task_1", said, "ann") for case, said in zip(CASES, ("met", "not_met", "partial"), strict=True)))
    row = _row(agreement(grades, JUDGE, "k", 1, labels), Raters.JUDGE, Scale.LABEL)

    assert (3, 3) == (row.n, row.cases)
    assert 2 / 3 == pytest.approx(row.agreement.value)
    assert 0.5 == pytest.approx(row.kappa[Weights.NOMINAL].value)
    assert ("not_met", "partial", "met", "not_applicable") == row.values
    assert ((1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 1, 0), (0, 0, 0, 0)) == row.confusion
    assert row == _row(agreement(grades, JUDGE, "k", 1, labels), Raters.JUDGE, Scale.LABEL)
    assert row.agreement.low is not None


def test_ratings_labels_and_actions_stay_apart_and_diagnostics_are_shown() -> None:
    """Ratings have their own scale, actions are the program's, and each diagnostic has its row."""
    grades = _grades(ToldJudge(task_1="met", memory=4, closing=2), ToldJudge(task_1="met", memory=2, closing=5))
    labels = _labels(
        (CASES[0], "task_1", "met", "ann"),
        (CASES[0], "memory", 5, "ann"),
        (CASES[1], "memory", 2, "ann"),
        (CASES[1], "closing", 5, "ann"),
        (CASES[0], "find_1", "met", "ann"),
    )
    found = agreement(grades, JUDGE, "k", 1, labels)

    assert 3 == _row(found, Raters.JUDGE, Scale.RATING).n
    assert 2 == _row(found, Raters.JUDGE, Scale.RATING, Diagnostic.MEMORY).n
    assert 1.0 == _row(found, Raters.JUDGE, Scale.RATING, Diagnostic.CLOSING).agreement.value
    assert (1, 1) == (_row(found, Raters.JUDGE, Scale.LABEL).n, _row(found, Raters.PROGRAM, Scale.LABEL).n)
    assert _row(found, Raters.JUDGE, Scale.RATING).kappa.keys() == set(Weights)


def test_not_applicable_is_a_value_without_a_place_in_the_order() -> None:
    """It counts as agreement and disagreement in nominal measures, and leaves the ordered ones alone."""
    grades = _grades(*(ToldJudge(task_1=said) for said in (None, "met", "not_met")))
    labels = _labels(*((case, "task_1", said, "ann") for case, said in zip(CASES, (None, None, "not_met"), strict=True)))
    row = _row(agreement(grades, JUDGE, "k", 1, labels), Raters.JUDGE, Scale.LABEL)

    assert 2 / 3 == pytest.approx(row.agreement.value)
    assert row.kappa[Weights.NOMINAL].value is not None
    assert row.kappa[Weights.LINEAR].value is None
    assert row.alpha[Metric.ORDINAL].value is None


def test_several_people_are_measured_among_themselves_and_their_majority_against_the_judge() -> None:
    """Of not_met, met and met the judge is held against met; the people's own rows have no kappa, since they are three."""
    grades = _grades(ToldJudge(task_1="met"), ToldJudge(task_1="not_met"))
    labels = _labels(
        *((CASES[0], "task_1", said, who) for who, said in (("ann", "not_met"), ("bo", "met"), ("cy", "met"))),
        *((CASES[1], "task_1", "not_met", who) for who in ("ann", "bo")),
    )
    found = agreement(grades, JUDGE, "k", 1, labels)
    people = _row(found, Raters.PEOPLE, Scale.LABEL)

    assert 1.0 == _row(found, Raters.JUDGE, Scale.LABEL).agreement.value
    assert ("ann", "bo", "cy") == found.labellers
    assert (2, {}, ()) == (people.n, people.kappa, people.confusion)
    # Coincidences: the first call gives met-met 1, met-not_met 2 (both ways), the second not_met-not_met 2: 3 of 5 agree.
    assert 0.6 == pytest.approx(people.agreement.value)


def test_votes_are_measured_among_themselves() -> None:
    """Two votes on each item, without any labels."""
    both = Panel([ToldJudge(task_1="met", memory=4), ToldJudge(task_1="met", memory=3)])
    found = agreement(_grades(both, both), both.record(), "k", 1)

    assert 1.0 == _row(found, Raters.VOTES, Scale.LABEL).agreement.value
    assert (2, 0.0) == (_row(found, Raters.VOTES, Scale.RATING).n, _row(found, Raters.VOTES, Scale.RATING).agreement.value)


def test_what_was_not_judged_is_left_out_and_counted() -> None:
    """An unjudged item and a call without a grade are no disagreement."""
    grades = _grades(ToldJudge(task_1="met"), ToldJudge())
    labels = _labels(*((case, "task_1", "met", "ann") for case in CASES))
    found = agreement(grades, JUDGE, "k", 1, labels)

    assert {"the call is not graded": 1, "the judge left it unjudged": 1} == found.left_out
    assert 1 == _row(found, Raters.JUDGE, Scale.LABEL).n


def test_the_tables_for_a_terminal() -> None:
    """Who and what, the measures, the table of values that were given, and what was left out."""
    grades = _grades(*(ToldJudge(task_1=label) for label in ("met", "not_met")))
    labels = _labels(*((case, "task_1", said, "ann") for case, said in zip(CASES, ("met", "partial", "met"), strict=True)))
    lines = agreement_lines(agreement(grades, JUDGE, "k", 1, labels))

    assert lines[2].startswith("judge, labels      2      2       0.50  ")
    assert lines[3].startswith("  rules")
    assert "people \\ judge  not_met  partial  met" in lines
    assert "partial               1        0    0" in lines
    assert "Left out: 1 (the call is not graded)" == lines[-1]


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (("four--text--r0", "task_1", "met", "ann"), "no case 'four--text--r0', such as 'one--text--r0'"),
        ((CASES[0], "task_2", "met", "ann"), "case 'one--text--r0' has no item 'task_2'; items: find_1, task_1, memory"),
        ((CASES[0], "task_1", 4, "ann"), "case 'one--text--r0', item 'task_1': a rating where a label is asked for"),
        ((CASES[0], "memory", "met", "ann"), "case 'one--text--r0', item 'memory': a label where a rating is asked for"),
    ],
)
def test_labels_that_do_not_fit_the_run_are_refused(row: tuple[str, str, str | int, str], fault: str) -> None:
    """One line says what does not fit."""
    with pytest.raises(FileError, match="labels do not fit this run") as caught:
        check_labels(Path("l.yaml"), _labels(row), CASES, _grades(ToldJudge(task_1="met")))

    assert fault in str(caught.value)
    assert 1 == len(str(caught.value).splitlines())


def test_labels_of_another_call_are_refused() -> None:
    """Where a file says which call was labelled, the same case of another run is not it; more than three faults are counted."""
    labels = _labels(*((CASES[0], f"odd_{n}", "met", "ann") for n in range(4)))
    other = LabelFile(traces={CASES[0]: "f" * 64}, labels=_labels((CASES[0], "task_1", "met", "ann")).labels)

    with pytest.raises(FileError, match="and 1 more"):
        check_labels(Path("l.yaml"), labels, CASES, _grades(ToldJudge()))
    with pytest.raises(FileError, match="labelled was the call ffffffffffff, in this run it is 000000000000"):
        check_labels(Path("l.yaml"), other, CASES, _grades(ToldJudge()))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("labels: [{case: c, item: i, label: met, rating: 3, labeller: ann}]", "exactly one of label, rating and not_applicable"),
        ("labels: [{case: c, item: i, labeller: ann}]", "exactly one of label, rating and not_applicable"),
        ("labels: [{case: c, item: i, rating: 7, labeller: ann}]", "labels[0].rating: "),
        ("labels: [{case: c, item: i, label: met, labeller: a}, {case: c, item: i, label: met, labeller: a}]", "more than once"),
        ("labels: []", "labels: "),
    ],
)
def test_files_that_are_no_labels_are_refused(tmp_path: Path, text: str, fault: str) -> None:
    """One line with the file and the fault."""
    path = tmp_path / "labels.yaml"
    path.write_text(text)

    with pytest.raises(FileError, match=r"labels\.yaml: not a label file: ") as caught:
        read_labels(path)

    assert fault in str(caught.value)
