"""What an audit's figures mean for a month: within bounds, outside them, or too few calls to say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from core.errors import InputError
from core.report.month_audit import audit_lines, broken
from core.schemas.audits import AuditReport, Dependence, MonthAudit, NegativeDifficulty, Probe, Verdict
from core.schemas.detections import Interval
from core.schemas.imported_calls import ImportedCall, ImportedTurn
from core.schemas.snapshots import Label, Side, SnapshotCall
from core.snapshots.audits.distance import Encoder
from core.snapshots.audits.month import MonthCalls, MonthLearners, OtherCalls, audit_month
from core.snapshots.audits.report import Learners
from core.snapshots.audits.verdicts import ENOUGH_CALLS, ENOUGH_TREES, verdicts
from core.snapshots.metrics import class_metrics
from tests.core.audit_calls import CountedBigrams, CountedFeatures, forest, voices
from tests.support.text_months import text_rows

ENCODER = Encoder("characters", lambda texts: np.array([[float(text.count(c)) + 1 for c in "请您我的"] for text in texts]))
LEARNERS = MonthLearners(
    Learners([CountedBigrams()], [CountedFeatures()], ENCODER),
    {"tfidf-lr": [CountedBigrams()]},
    CountedBigrams(),
)
VOICELESS = "nothing on voices, neither a probe nor what they say of the label: this month's calls have none"
HALF = class_metrics([Label.FRAUD, Label.NONFRAUD] * 2, [Label.FRAUD, Label.FRAUD, Label.NONFRAUD, Label.NONFRAUD])


def _others(number: int, label: Label = Label.NONFRAUD, source: str = "outside", language: str = "zh") -> list[ImportedCall]:
    turns = ImportedTurn(side=Side.CALLER, text="饭馆今天开门吗"), ImportedTurn(side=Side.RECEIVER, text="开的，几位")
    return [
        ImportedCall(
            sample_id=f"{source}-{label.value.lower()}-{place}",
            source=source,
            source_id=str(place),
            group=f"{source}-{label.value.lower()}-{place}",
            family="",
            language=language,
            label=label,
            turns=(*turns, ImportedTurn(side=Side.CALLER, text=f"{place}位" + ("转账" if label == Label.FRAUD else ""))),
        )
        for place in range(number)
    ]


def _month(calls: Sequence[SnapshotCall], heard: dict[str, str] | None = None) -> MonthCalls:
    return MonthCalls("2026-11-test", "b" * 64, "zh", text_rows(calls), heard or {})


def _audit(month: MonthCalls, unrelated: Sequence[ImportedCall] = (), ordinary: Sequence[ImportedCall] = ()) -> MonthAudit:
    return audit_month(month, OtherCalls(unrelated, ordinary), LEARNERS, 3, None)


def _interval(low: float, high: float) -> Interval:
    return Interval(low=low, high=high, method="by hand")


def _door(value: float, low: float, high: float) -> Probe:
    metrics = HALF.model_copy(update={"macro_f1": value, "balanced_accuracy": value})
    both = _interval(low, high)
    return Probe(
        name="length",
        learner="lr",
        metrics=metrics,
        macro_f1=both,
        balanced_accuracy=both,
        at_most=0.55,
        upper_at_most=0.60,
        holds=value <= 0.55 and high <= 0.60,
    )


@pytest.fixture(scope="module")
def report() -> AuditReport:
    """A report to change figures of."""
    return _audit(_month(forest(10, 4))).report


ENOUGH = {"calls": ENOUGH_CALLS, "trees": ENOUGH_TREES}


@pytest.mark.parametrize(
    ("size", "probe", "verdict"),
    [
        (ENOUGH, _door(0.55, 0.50, 0.60), Verdict.HOLDS),
        (ENOUGH, _door(0.551, 0.50, 0.60), Verdict.BROKEN),
        (ENOUGH, _door(0.55, 0.50, 0.601), Verdict.BROKEN),
        ({**ENOUGH, "calls": ENOUGH_CALLS - 1}, _door(0.62, 0.54, 0.70), Verdict.CANNOT_TELL),
        ({**ENOUGH, "trees": ENOUGH_TREES - 1}, _door(0.62, 0.54, 0.70), Verdict.CANNOT_TELL),
        ({**ENOUGH, "calls": 60}, _door(0.62, 0.55, 0.70), Verdict.CANNOT_TELL),
        ({**ENOUGH, "calls": 60}, _door(0.62, 0.551, 0.70), Verdict.BROKEN),
        ({"calls": 60, "trees": 10}, _door(0.62, 0.551, 0.70), Verdict.BROKEN),
        ({"calls": 60, "trees": 9}, _door(0.62, 0.551, 0.70), Verdict.CANNOT_TELL),
        ({**ENOUGH, "calls": 60}, _door(0.50, 0.45, 0.59), Verdict.HOLDS),
    ],
)
def test_few_calls_break_a_bound_only_where_it_cannot_be_chance(
    report: AuditReport, size: dict[str, int], probe: Probe, verdict: Verdict
) -> None:
    """Enough calls: the bounds as they stand. Fewer: only a whole interval above the bound counts."""
    found = verdicts(report.model_copy(update={**size, "probes": (probe,), "dependence": ()}), None)
    assert ["length, lr", "equal words"] == [check.name for check in found]
    assert verdict == found[0].verdict


@pytest.mark.parametrize(
    ("calls", "within", "between", "verdict"),
    [
        (ENOUGH_CALLS, 0.002, 0.002, Verdict.HOLDS),
        (ENOUGH_CALLS, 0.001, None, Verdict.BROKEN),
        (ENOUGH_CALLS, 1.0, 0.001, Verdict.BROKEN),
        (60, 0.4, None, Verdict.CANNOT_TELL),
        (60, 0.001, None, Verdict.BROKEN),
    ],
)
def test_information_counts_where_no_shuffle_shows_as_much(
    report: AuditReport, calls: int, within: float, between: float | None, verdict: Verdict
) -> None:
    """999 shuffles inside trees and from tree to tree: a p-value of 0.001 is a leak, few calls show no absence (check 26)."""
    seen = Dependence(
        name="voice of the caller",
        observations=calls,
        values=3,
        bits=0.1,
        by_chance=0.01,
        p_within=within,
        p_between=between,
        permutations=999,
    )
    found = verdicts(report.model_copy(update={**ENOUGH, "calls": calls, "probes": (), "dependence": (seen,)}), None)
    assert verdict == found[0].verdict


def test_labels_that_actions_contradict_and_equal_words_are_broken_in_any_month(report: AuditReport) -> None:
    """Neither needs many calls to be certain."""
    twins = report.duplicates.model_copy(update={"equal": 1})
    bare = report.model_copy(update={"probes": (), "dependence": (), "oracle": HALF, "duplicates": twins, "calls": 60})
    assert [("oracle", Verdict.BROKEN), ("equal words", Verdict.BROKEN)] == [(c.name, c.verdict) for c in verdicts(bare, None)]


@cache
def _three_tiers() -> NegativeDifficulty:
    found = _audit(_month(forest(10, 4)), _others(20), _others(20, source="others")).difficulty
    assert found is not None
    return found


def _difficulty(means: dict[str, float]) -> NegativeDifficulty:
    found = _three_tiers()
    tiers = [
        tier.model_copy(update={"scores": (tier.scores[0].model_copy(update={"mean": means[tier.name]}),)})
        for tier in found.tiers
    ]
    return found.model_copy(update={"tiers": tuple(tiers)})


@pytest.mark.parametrize(
    ("means", "calls", "expected"),
    [
        ({"unrelated": 1.0, "ordinary": 0.99, "siblings": 0.84}, ENOUGH_CALLS, ["holds", "holds", "holds"]),
        ({"unrelated": 0.99, "ordinary": 0.989, "siblings": 0.84}, ENOUGH_CALLS, ["broken", "broken", "holds"]),
        ({"unrelated": 0.98, "ordinary": 1.0, "siblings": 0.84}, ENOUGH_CALLS, ["holds", "holds", "broken"]),
        ({"unrelated": 0.90, "ordinary": 0.90, "siblings": 0.90}, 60, ["cannot_tell"] * 3),
    ],
)
def test_siblings_must_be_harder_than_other_lawful_calls(
    report: AuditReport, means: dict[str, float], calls: int, expected: list[str]
) -> None:
    """Ordinary calls at least 0.99, siblings at least 0.15 below each other tier (check 55)."""
    found = verdicts(report.model_copy(update={**ENOUGH, "calls": calls, "probes": (), "dependence": ()}), _difficulty(means))
    assert ["ordinary tier, tfidf-lr", "siblings against ordinary, tfidf-lr", "siblings against unrelated, tfidf-lr"] == [
        check.name for check in found[1:]
    ]
    assert expected == [check.verdict.value for check in found[1:]]


def test_three_tiers_and_every_set_of_words_stand_in_the_report() -> None:
    """Unrelated, ordinary and sibling calls; words as written, transcripts, and others' calls of both labels (checks 54, 56)."""
    calls = forest(10, 4)
    heard = {call.sample_id: "".join(turn.text for turn in call.turns) for call in calls}
    ordinary = [*_others(20, source="others"), *_others(20, Label.FRAUD, source="others")]
    found = _audit(_month(calls, heard), _others(20), ordinary)
    assert found.difficulty is not None
    assert ["unrelated", "ordinary", "siblings"] == [tier.name for tier in found.difficulty.tiers]
    written = "words as written"
    rows = [(written, written), ("transcripts", written), ("transcripts", "transcripts"), ("calls of others", "calls of others")]
    assert rows == [(row.name, row.trained_on) for row in found.separability]
    assert (VOICELESS,) == found.notes
    assert found == MonthAudit.model_validate(found.to_json())


def test_what_is_not_there_is_said() -> None:
    """No tiers but siblings, a transcript that is missing, others' calls of one label: a note each, and no figure."""
    calls = forest(10, 4)
    alone = _audit(_month(calls))
    assert alone.difficulty is None
    assert (
        VOICELESS,
        "no unrelated tier: there are no everyday dialogues in 'zh'",
        "no ordinary tier: no imported calls were given (--ordinary)",
        "no comparison of tiers: siblings alone are no comparison",
        "no rows on transcripts: this month has none",
    ) == alone.notes
    gaps = _audit(_month(calls, {calls[0].sample_id: "喂"}), ordinary=_others(20, Label.FRAUD))
    assert [1, 1, 1] == [
        sum(words in note for note in gaps.notes) for words in ("no lawful call was", "79 calls have none", "of one label")
    ]
    few = _audit(_month(calls), _others(4))
    assert few.difficulty is None
    assert any(note.startswith("no comparison of tiers: ") and "give more" in note for note in few.notes)


def test_voices_of_some_calls_alone_are_a_fault() -> None:
    """With all voices they are audited and no note is needed; with all but two, no report could say what it is of."""
    month = _month(forest(10, 4))
    rows = [row.model_copy(update={"voices": voices(f"voice-{row.call.tree_id}")}) for row in month.rows]
    found = _audit(month._replace(rows=rows))
    assert VOICELESS not in found.notes
    assert "voice" in {probe.name for probe in found.report.probes}
    rows[3], rows[5] = month.rows[3], month.rows[5]
    said = f"these 80 calls cannot be audited: 2 of them name no voices, the first is '{rows[3].call.sample_id}'"
    with pytest.raises(InputError, match=said):
        _audit(month._replace(rows=rows))


def test_months_too_small_and_tiers_in_another_language_are_refused() -> None:
    """Four trees cannot be split into five parts; English calls are no tier of a Chinese month."""
    with pytest.raises(InputError, match="2026-11-test: these 32 calls cannot be audited: 4 trees or groups"):
        _audit(_month(forest(4, 4)))
    with pytest.raises(InputError, match="an ordinary call in 'en', and 2026-11-test is in 'zh'"):
        _audit(_month(forest(10, 4)), ordinary=_others(3, language="en"))


def test_words_of_one_side_are_shown_and_have_no_bound() -> None:
    """Who listens to the caller alone has most of what the label is made of: a figure to show, and no side door."""
    found = _audit(_month(forest(10, 4)))
    sides = {probe.name: probe for probe in found.report.probes if probe.name in list(Side)}
    assert {"caller", "receiver"} == set(sides)
    assert sides["caller"].metrics.macro_f1 > sides["receiver"].metrics.macro_f1
    assert [] == [check.name for check in found.checks if check.name.startswith(("caller", "receiver"))]
    shown = [line.split() for line in audit_lines(found, 1000) if line.startswith(("caller ", "receiver "))]
    assert ["none", "none"] == [line[-1] for line in shown]


def test_the_tables_show_every_probe_and_what_is_broken() -> None:
    """A line for each probe with its verdict, and one for each check that does not hold, which wraps."""
    planted = [
        call.model_copy(update={"turns": (call.turns[0].model_copy(update={"text": call.label.value}), *call.turns[1:])})
        for call in forest(10, 4)
    ]
    found = _audit(_month(planted), _others(20))
    lines = audit_lines(found, 1000)
    assert "2026-11-test (root bbbbbbbbbbbb): 80 calls of 10 trees: 40 FRAUD, 40 NONFRAUD" == lines[0]
    assert ["opening, counted-bigrams", "first-turn, counted-bigrams"] == [
        check.name for check in broken(found) if check.name.startswith(("opening", "first"))
    ]
    probes = lines[lines.index("What learners make of parts of a call") + 3 :][: len(found.report.probes)]
    assert [probe.name for probe in found.report.probes] == [line.split()[0] for line in probes]
    assert [True] * 2 == [line.endswith("BROKEN") for line in probes if line.startswith(("opening", "first-turn"))]
    assert [check.name for check in broken(found)] == [line.split(": ")[1] for line in lines if line.startswith("BROKEN: ")]
    narrow = audit_lines(found, 70)
    first = next(place for place, line in enumerate(narrow) if line.startswith(("cannot tell: ", "BROKEN: ")))
    assert 70 >= max(map(len, narrow[first:]))
