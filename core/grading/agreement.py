"""How far a judge agrees with people, people among themselves, and votes among themselves, over the cases of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.grading.voting import decide
from core.schemas.agreement import Agreement, AgreementRow, Estimated, HumanLabel, LabelFile, Metric, Raters, Scale, Weights
from core.schemas.base import Diagnostic, Sha256
from core.schemas.call_trace import PartyRecord
from core.schemas.grade import Grade, Item, Judgement, Label, Source, Status
from core.stats.agreement import Matrix, Measure, alpha, coincidences, confusion, estimate, kappa, raw_agreement
from core.stats.bootstrap import Place

NOT_APPLICABLE = "not_applicable"
_VALUES = {
    Scale.LABEL: (Label.NOT_MET.value, Label.PARTIAL.value, Label.MET.value),
    Scale.RATING: ("1", "2", "3", "4", "5"),
}
"""Values in order; `not_applicable` comes after them and has no place in the order."""


@dataclass(frozen=True)
class _Unit:
    """One item of one call with the values its raters gave, as positions among the values of its scale."""

    raters: Raters
    scale: Scale
    diagnostic: Diagnostic
    case: str
    place: Place
    values: tuple[int, ...]


def agreement(
    grades: Mapping[str, Grade],
    judge: PartyRecord,
    key: str,
    seed: int,
    labels: LabelFile | None = None,
    labels_sha256: Sha256 | None = None,
) -> Agreement:
    """Agreement over the graded cases of a run (case name to grade); `seed` is the run's, for the intervals."""
    left_out: Counter[str] = Counter()
    units = list(_vote_units(grades))
    if labels is not None:
        units += _label_units(grades, labels, left_out)
    return Agreement(
        judge=judge.party,
        judge_key=key,
        labels_sha256=labels_sha256,
        labellers=tuple(sorted({label.labeller for label in labels.labels})) if labels else (),
        left_out=dict(sorted(left_out.items())),
        rows=tuple(_rows(units, seed)),
    )


def _label_units(grades: Mapping[str, Grade], labels: LabelFile, left_out: Counter[str]) -> Iterator[_Unit]:
    by_item: dict[tuple[str, str], list[HumanLabel]] = {}
    for label in labels.labels:
        by_item.setdefault((label.case, label.item), []).append(label)
    for (case, name), given in sorted(by_item.items()):
        grade = grades.get(case)
        if grade is None:
            left_out["the call is not graded"] += 1
            continue
        item = next(item for item in grade.items if item.id == name)
        people = [_said(label) for label in given]
        if len(people) > 1:
            yield _unit(Raters.PEOPLE, case, grade, item, people)
        if item.status is Status.UNJUDGED:
            left_out["the judge left it unjudged"] += 1
            continue
        raters = Raters.PROGRAM if item.source in (Source.ACTION, Source.STATE) else Raters.JUDGE
        yield _unit(raters, case, grade, item, [decide(people), _said(item)])


def _vote_units(grades: Mapping[str, Grade]) -> Iterator[_Unit]:
    for case, grade in sorted(grades.items()):
        given: dict[str, list[Judgement]] = {}
        for vote in grade.votes:
            if vote.judgement is not None:
                given.setdefault(vote.item, []).append(vote.judgement)
        for item in grade.items:
            if len(given.get(item.id, ())) > 1:
                yield _unit(Raters.VOTES, case, grade, item, given[item.id])


def _said(value: HumanLabel | Item) -> Judgement:
    """What a person or a grade says of an item, as a judgement."""
    absent = value.not_applicable if isinstance(value, HumanLabel) else value.status is Status.NOT_APPLICABLE
    name = value.item if isinstance(value, HumanLabel) else value.id
    return Judgement(id=name, label=value.label, rating=value.rating, not_applicable=absent, reason="said so")


def _unit(raters: Raters, case: str, grade: Grade, item: Item, said: Sequence[Judgement]) -> _Unit:
    scale = Scale.RATING if item.source is Source.RATING else Scale.LABEL
    place = Place(grade.agent, grade.scenario, grade.repeat)
    return _Unit(raters, scale, item.diagnostic, case, place, tuple(_position(judgement, scale) for judgement in said))


def _position(judgement: Judgement, scale: Scale) -> int:
    value = judgement.label.value if judgement.label else str(judgement.rating)
    return len(_VALUES[scale]) if judgement.not_applicable else _VALUES[scale].index(value)


def _rows(units: Sequence[_Unit], seed: int) -> Iterator[AgreementRow]:
    for raters in Raters:
        for scale in Scale:
            alike = [unit for unit in units if unit.raters is raters and unit.scale is scale]
            if not alike:
                continue
            yield _row(raters, scale, None, alike, seed)
            for diagnostic in Diagnostic:
                its = [unit for unit in alike if unit.diagnostic is diagnostic]
                if its:
                    yield _row(raters, scale, diagnostic, its, seed)


def _row(raters: Raters, scale: Scale, diagnostic: Diagnostic | None, units: Sequence[_Unit], seed: int) -> AgreementRow:
    size = len(_VALUES[scale])
    pairs = raters in (Raters.JUDGE, Raters.PROGRAM)
    # Not applicable is a value like any other where values have no order, and none where they have.
    ordered = _ordered(units, size)
    by_weights = {weights: units if weights is Weights.NOMINAL else ordered for weights in Weights} if pairs else {}
    by_metric = {metric: units if metric is Metric.NOMINAL else ordered for metric in Metric}
    crossed, together = partial(confusion, categories=size + 1), partial(coincidences, categories=size + 1)
    return AgreementRow(
        raters=raters,
        scale=scale,
        diagnostic=diagnostic,
        n=len(units),
        cases=len({unit.case for unit in units}),
        agreement=_estimated(raw_agreement, together, units, seed),
        kappa={w: _estimated(partial(kappa, weights=w), crossed, its, seed) for w, its in by_weights.items()},
        alpha={m: _estimated(partial(alpha, metric=m), together, its, seed) for m, its in by_metric.items()},
        values=(*_VALUES[scale], NOT_APPLICABLE),
        confusion=tuple(tuple(int(n) for n in row) for row in crossed([unit.values for unit in units])) if pairs else (),
    )


def _estimated(
    measure: Measure, table: Callable[[Sequence[Sequence[int]]], Matrix], units: Sequence[_Unit], seed: int
) -> Estimated:
    """One matrix for each place, conditions together: what is redrawn are agents, scenarios and repeats."""
    values: dict[Place, list[tuple[int, ...]]] = {}
    for unit in units:
        values.setdefault(unit.place, []).append(unit.values)
    found = estimate(measure, list(values), [table(its) for its in values.values()], seed)
    return Estimated(value=None) if found is None else Estimated(value=found.mean, low=found.low, high=found.high)


def _ordered(units: Sequence[_Unit], size: int) -> list[_Unit]:
    """The units without values that have no place in the order; those left with one value say nothing."""
    cut = [replace(unit, values=tuple(value for value in unit.values if value < size)) for unit in units]
    return [unit for unit in cut if len(unit.values) > 1]
