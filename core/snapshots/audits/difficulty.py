"""Negative difficulty and linear separability: the same fraud calls against other kinds of lawful ones, under the same learners.

Every fold is tested once. In each, learners are tried on its training calls, their settings chosen on its validation calls, and
the chosen one trained on both. Trees and other groups are never parted. Each class is cut to what the smallest tier offers there,
so that no tier has more to learn from than another, and the fraud calls are the same in all of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.schemas.audits import LearnerScore, NegativeDifficulty, SeparabilityRow, Tier
from core.schemas.snapshots import Label
from core.seeds import generator
from core.snapshots.audits.learning import Learner, fit, out_of_fold
from core.snapshots.audits.overlap import bigram_overlap
from core.snapshots.audits.samples import Sample
from core.snapshots.audits.splitting import FOLDS, folds
from core.snapshots.intervals import SEEDS, seed_interval
from core.snapshots.metrics import class_metrics, metrics_of

PARTS = ("train", "validation", "test")
Candidates = Mapping[str, Sequence[Learner[str]]]
"""Learners by name, each in the settings to choose from."""


class _Draw(NamedTuple):
    """The calls of one kind in one fold, by part."""

    train: list[Sample]
    validation: list[Sample]
    test: list[Sample]


def negative_difficulty(
    fraud: Sequence[Sample],
    negatives: Mapping[str, Sequence[Sample]],
    candidates: Candidates,
    seed: int,
    most: int | None = None,
) -> NegativeDifficulty:
    """Macro-F1 of every learner on every tier, with five balanced tests and a t-interval over them.

    `negatives` maps a tier's name to its lawful calls; `most` caps the calls of each class over all folds.

    Raises:
        ValueError: a call has the wrong label, or there are too few groups to fill each part of each fold.
    """
    wrong = [s.id for s in fraud if s.label != Label.FRAUD]
    wrong += [s.id for tier in negatives.values() for s in tier if s.label != Label.NONFRAUD]
    if wrong:
        raise ValueError(f"{len(wrong)} calls have the label of the other side, the first is {wrong[0]!r}")
    kinds = {"fraud": fraud, **{f"tier {name}": tier for name, tier in negatives.items()}}
    pools = _pools(kinds, seed)
    draws = [_draw(pools[held], held, most) for held in range(FOLDS)]
    return NegativeDifficulty(
        seeds=SEEDS,
        fraud=len(fraud),
        train=tuple(len(draw["fraud"].train) for draw in draws),
        validation=tuple(len(draw["fraud"].validation) for draw in draws),
        test=tuple(len(draw["fraud"].test) for draw in draws),
        test_ids=_test_ids(draws, "fraud"),
        tiers=tuple(_tier(name, fraud, tier, draws, candidates) for name, tier in negatives.items()),
    )


def _pools(kinds: Mapping[str, Sequence[Sample]], seed: int) -> list[dict[str, _Draw]]:
    """For each fold what every kind offers, sorted by id."""
    every = [(kind, sample) for kind, of in kinds.items() for sample in sorted(of)]
    fold = folds([sample.group for _kind, sample in every], [kind for kind, _sample in every], seed)
    pools = []
    for held in range(FOLDS):
        pool = {kind: _Draw([], [], []) for kind in kinds}
        for (kind, sample), of in zip(every, fold, strict=True):
            part = 2 if of == held else 1 if of == (held + 1) % FOLDS else 0
            pool[kind][part].append(sample)
        pools.append(pool)
    return pools


def _draw(pool: Mapping[str, _Draw], held: int, most: int | None) -> dict[str, _Draw]:
    """As many calls of every kind as the scarcest has in each part, by the fold's seed."""
    shares = (FOLDS - 2, 1, 1)
    sizes = [
        min([len(of[part]) for of in pool.values()] + ([] if most is None else [most * shares[part] // FOLDS]))
        for part in range(len(PARTS))
    ]
    if min(sizes) == 0:
        raise ValueError(f"a fold has {sizes} calls of each class to train, validate and test with: give more trees or calls")
    return {
        kind: _Draw(*(_some(of[part], sizes[part], SEEDS[held], kind, PARTS[part]) for part in range(len(PARTS))))
        for kind, of in pool.items()
    }


def _some(calls: Sequence[Sample], number: int, seed: int, kind: str, part: str) -> list[Sample]:
    order = generator(seed, "negative-difficulty", kind, part).permutation(len(calls))
    return [calls[i] for i in sorted(order[:number])]


def _test_ids(draws: Sequence[Mapping[str, _Draw]], kind: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sample.id for sample in draw[kind].test) for draw in draws)


def _tier(
    name: str, fraud: Sequence[Sample], tier: Sequence[Sample], draws: Sequence[Mapping[str, _Draw]], candidates: Candidates
) -> Tier:
    kind = f"tier {name}"
    overlap = bigram_overlap([sample.text for sample in fraud], [sample.text for sample in tier])
    pairs = [(draw["fraud"], draw[kind]) for draw in draws]
    return Tier(
        name=name,
        calls=len(tier),
        groups=len({sample.group for sample in tier}),
        overlap=overlap[0],
        best_overlap=overlap[1],
        scores=tuple(_score(learner, settings, pairs) for learner, settings in candidates.items()),
        test_ids=_test_ids(draws, kind),
    )


def _score(name: str, settings: Sequence[Learner[str]], pairs: Sequence[tuple[_Draw, _Draw]]) -> LearnerScore:
    chosen, values = [], []
    for fraud, lawful in pairs:
        train, validation, test = (fraud[part] + lawful[part] for part in range(len(PARTS)))
        best = settings[0]
        if len(settings) > 1:
            scores = [_macro_f1(learner, train, validation) for learner in settings]
            best = settings[scores.index(max(scores))]
        chosen.append(best.name)
        values.append(_macro_f1(best, train + validation, test))
    mean = math.fsum(values) / len(values)
    return LearnerScore(learner=name, chosen=tuple(chosen), values=tuple(values), mean=mean, interval=seed_interval(values))


def _macro_f1(learner: Learner[str], train: Sequence[Sample], test: Sequence[Sample]) -> float:
    fitted = fit(learner, [sample.text for sample in train], [sample.label for sample in train])
    answers = fitted.predict([sample.text for sample in test])
    return class_metrics([sample.label for sample in test], answers).macro_f1


class Separability(NamedTuple):
    """Texts to test a learner on, and what it is trained on: the same calls, in the same order, perhaps in other words."""

    name: str
    """Name of the row."""
    trained_on: str
    """Name of the texts it is trained on."""
    train: Sequence[Sample]
    """Those texts."""
    test: Sequence[Sample]
    """Texts of the same calls to test on, such as their transcripts."""


def separability(rows: Sequence[Separability], learner: Learner[str], seed: int) -> tuple[SeparabilityRow, ...]:
    """How well one learner tells the classes of each set apart; each call is answered by a training without its group.

    Raises:
        ValueError: a row's texts are not of the same calls, or its groups are fewer than the folds.
    """
    made = []
    for row in rows:
        if [sample[:3] for sample in row.train] != [sample[:3] for sample in row.test]:
            raise ValueError(f"{row.name}: the texts to train and to test on are not of the same calls in the same order")
        groups = [sample.group for sample in row.test]
        scored = out_of_fold(
            [sample.text for sample in row.train],
            [sample.text for sample in row.test],
            [sample.label for sample in row.test],
            groups,
            learner,
            seed,
        )
        made.append(
            SeparabilityRow(
                name=row.name,
                trained_on=row.trained_on,
                learner=learner.name,
                groups=len(set(groups)),
                metrics=metrics_of(scored),
            )
        )
    return tuple(made)
