"""Evaluations side by side: one configuration counts once, languages are averaged by answers, and F1 alone orders nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import pytest

from core.schemas.detections import (
    Baseline,
    Collapse,
    DetectionError,
    EvaluationSummary,
    InputMode,
    Leaderboard,
    Scores,
    SortBy,
    Transitions,
)
from core.snapshots.aggregation import deduplicate, leaderboard, weighted_scores
from core.snapshots.collapse import RULES
from core.snapshots.intervals import tree_intervals
from core.snapshots.metrics import metrics_of, parsed_only, prior_baselines, scores_of
from core.snapshots.resampling import resample
from core.snapshots.summary import config_key, detector_key, promptless_key, summarise
from core.snapshots.transitions import transitions
from tests.core.snapshot_answers import FRAUD, NONFRAUD, answered, gold_of, responses_of, run_of

LATER, NEXT, NEXT_ROOT = "2026-12-02T00:00:00Z", "2026-12-zh", "b" * 64
ALL_FRAUD = {"tp": 20, "fp": 10}
ALL_LAWFUL = {"fn": 20, "tn": 10}
GOOD = {"tp": 14, "fn": 6, "tn": 7, "fp": 3}
BETTER = {"tp": 15, "fn": 5, "tn": 9, "fp": 1}
SILENT = {"tp": 13, "fraud_errors": 7, "tn": 7, "nonfraud_errors": 3}


def _summary(
    counts: dict[str, int],
    detector: str = "python:d",
    language: Literal["zh", "en"] | None = None,
    snapshot: tuple[str, str] = ("2026-11-zh", "a" * 64),
    started: str = "2026-12-01T00:00:00Z",
    prompt: str | None = None,
) -> EvaluationSummary:
    calls = answered(**counts)
    run = run_of(detector, language, snapshot[0], snapshot[1], started, prompt)
    return summarise(run, gold_of(calls), responses_of(calls), seed=7)


def _scores(value: float) -> Scores:
    return Scores.model_validate(dict.fromkeys(Scores.model_fields, value))


def test_a_summary_holds_what_its_responses_say() -> None:
    """Figures, the row without errors, errors by kind, intervals, collapse, baselines, other ratios; and it survives a file."""
    calls = answered(**SILENT)
    found = _summary(SILENT)

    assert (metrics_of(calls), metrics_of(parsed_only(calls))) == (found.metrics, found.parsed_only)
    assert {FRAUD: {DetectionError.PARSE: 7}, NONFRAUD: {DetectionError.PARSE: 3}} == found.errors
    assert tree_intervals(calls, 7) == found.intervals
    assert prior_baselines(20, 10) == found.baselines
    assert resample(calls, "snapshot") == found.priors
    assert (30, "two-label-v1", "errors-are-misses-v1", RULES) == (found.trees, found.parser, found.error_policy, found.rules)
    assert (Collapse.BIASED, True) == (found.collapse.tag, found.collapse.parse_collapse)
    assert found.collapse_parsed_only is not None
    assert (Collapse.BALANCED, False) == (found.collapse_parsed_only.tag, found.collapse_parsed_only.parse_collapse)
    assert found == EvaluationSummary.model_validate_json(found.model_dump_json())


def test_a_summary_of_no_labels_has_no_second_row() -> None:
    """Every answer an error: nothing is parsed, so nothing is said about parsed answers, and nothing is called lawful."""
    found = _summary({"fraud_errors": 4, "nonfraud_errors": 2})

    assert (None, None) == (found.parsed_only, found.collapse_parsed_only)
    assert (0.0, 0.0, 1.0) == (found.metrics.nonfraud_recall, found.metrics.coverage, found.metrics.error_rate)


def test_a_small_snapshot_has_no_other_ratios() -> None:
    """One lawful call cannot be drawn twice."""
    assert () == _summary({"tp": 3, "tn": 1}).priors


def test_keys_part_what_is_different() -> None:
    """A configuration is the same whenever it runs; the same detector in another month; the same family in another language."""
    run = run_of(language="zh")
    month, english = run_of(language="zh", snapshot=NEXT, root=NEXT_ROOT), run_of(language="en")

    assert run.config_key == config_key(run) == config_key(run_of(language="zh", started=LATER))
    assert config_key(run) == config_key(run.model_copy(update={"config_key": "claimed"}))
    assert (False, True) == (config_key(run) == config_key(month), detector_key(run) == detector_key(month))
    assert (False, True) == (detector_key(run) == detector_key(english), promptless_key(run) == promptless_key(english))
    for change in ({"settings": {"temperature": 1}}, {"mode": InputMode.AUDIO}, {"recogniser": None}, {"detector": "python:e"}):
        assert promptless_key(run) != promptless_key(run.model_copy(update=change))


def test_a_repeated_configuration_is_listed_and_counted_once() -> None:
    """The paper's second month: 28 rows, one of them repeated, 27 configurations. The evaluation that began first counts, so that
    a better second try changes nothing."""
    first = [_summary(GOOD, f"python:d{i}", "zh" if i % 2 else "en") for i in range(27)]
    again = _summary(BETTER, "python:d5", "zh", started=LATER)
    board = leaderboard([again, *first])
    counted, repeated = deduplicate([again, *first], lambda one: one.run)

    assert (28, 27, 27, 27) == (board.listed, board.counted, len(board.configurations), len(board.averages))
    assert (again.run.config_key, LATER, first[5].run.started_at) == tuple(board.repeated[0].model_dump().values())
    assert ({scores_of(first[5].metrics)}, 1) == ({row.scores for row in board.configurations}, len(board.repeated))
    assert (tuple(first), board.repeated) == (counted, repeated)


def test_two_evaluations_of_one_second_count_once() -> None:
    """Equal times decide by the order in which they were given."""
    one, other = _summary(GOOD), _summary(BETTER)

    assert ((one,), 1) == ((found := deduplicate([one, other], lambda each: each.run))[0], len(found[1]))


def test_languages_are_averaged_by_answers() -> None:
    """Hand-computed: 90 answers with 0.8 and 30 with 0.4 have (72 + 12) / 120 = 0.7."""
    assert _scores(0.7).model_dump() == pytest.approx(
        weighted_scores([(90, _scores(0.8)), (30, _scores(0.4))]).model_dump(), abs=1e-9
    )
    for parts in ([], [(0, _scores(1))]):
        with pytest.raises(ValueError, match="cannot weight"):
            weighted_scores(parts)


def test_a_row_of_averages_is_the_hand_computed_one() -> None:
    """zh on 30 calls: recalls 0.7 and 0.7; en on 15 of them: all fraud called fraud, recalls 1 and 0, accuracy 2/3. Weighted:
    fraud recall (30 * 0.7 + 15) / 45 = 0.8, lawful recall 21 / 45, accuracy (21 + 10) / 45."""
    zh, en = _summary(GOOD, language="zh"), _summary({"tp": 10, "fp": 5}, language="en")
    alone = _summary(BETTER, "python:unprompted")
    board = leaderboard([zh, alone, en])
    row = next(row for row in board.averages if row.detector == "python:d")

    assert 2 == len(board.averages)
    assert (("en", "zh"), 45, ()) == (row.prompt_languages, row.n, tuple(row.intervals))
    assert (en.run.config_key, zh.run.config_key) == row.config_keys
    assert [0.8, 21 / 45, 31 / 45] == pytest.approx(
        [row.scores.fraud_recall, row.scores.nonfraud_recall, row.scores.accuracy], abs=1e-9
    )
    assert [Collapse.ALL_FRAUD, Collapse.BALANCED] == [finding.tag for finding in row.collapse]
    assert [0.8] == [one.scores.fraud_f1 for one in row.baselines if one.name == Baseline.ALL_FRAUD]


def test_two_prompts_in_one_language_have_no_mean() -> None:
    """A mean over languages takes one prompt of each; which one is not guessed. Rows and the means of others stay."""
    twice = [_summary(GOOD, language="zh"), _summary(BETTER, language="zh", prompt="3" * 64), _summary(GOOD, language="en")]
    others = [_summary(GOOD, "python:e", "zh"), _summary(BETTER, "python:e", "en")]
    board = leaderboard([*twice, *others])

    assert 5 == len(board.configurations)
    assert [("python:e", 60)] == [(row.detector, row.n) for row in board.averages]
    (left,) = board.unaveraged
    assert ("python:d", InputMode.ASR, {one.run.config_key for one in twice}) == (left.detector, left.mode, set(left.config_keys))
    assert () == leaderboard(others).unaveraged


def test_every_row_shows_every_figure_beside_the_baselines() -> None:
    """F1, Macro-F1, balanced accuracy, both recalls, predicted-fraud ratio, error rate, collapse, and what the ratio is worth."""
    board = leaderboard([_summary(SILENT), _summary(ALL_FRAUD, "python:shouts")])
    shown = {
        "fraud_f1",
        "macro_f1",
        "balanced_accuracy",
        "fraud_recall",
        "nonfraud_recall",
        "predicted_fraud_ratio",
        "error_rate",
    }
    for row in (*board.configurations, *board.averages):
        assert shown <= row.scores.model_dump().keys() == row.intervals.keys()
        assert prior_baselines(20, 10) == row.baselines
        assert {"collapse-v1"} == {finding.rules for finding in row.collapse}
    silent = board.configurations[0]
    assert (7, 3, 1 - 10 / 30) == (silent.fraud_errors, silent.nonfraud_errors, silent.coverage)
    assert board == Leaderboard.model_validate_json(board.model_dump_json())


def test_shouting_fraud_never_leads() -> None:
    """All-FRAUD has the best F1 of this board (0.8 to 0.76 and 0.84 to 0.737) and stands below both, whatever the order."""
    board = {by: leaderboard([_summary(ALL_FRAUD, "python:a"), _summary(GOOD, "python:b")], by) for by in SortBy}

    for found in board.values():
        assert ["python:b", "python:a"] == [row.detector for row in found.configurations]
        assert found.configurations[0].scores.fraud_f1 < found.configurations[1].scores.fraud_f1 == pytest.approx(0.8)


def test_rows_stand_in_the_order_asked_for() -> None:
    """By balanced accuracy where nothing is said; by another figure where that is asked; names decide between equals."""
    lopsided = {"tp": 20, "tn": 5, "fp": 5}  # balanced accuracy 0.75, weaker recall 0.5
    even = {"tp": 14, "fn": 6, "tn": 7, "fp": 3}  # 0.7 and 0.7
    given = [_summary(even, "python:e"), _summary(lopsided, "python:l"), _summary(even, "python:c")]

    assert ["python:l", "python:c", "python:e"] == [row.detector for row in leaderboard(given).configurations]
    assert SortBy.BALANCED_ACCURACY == leaderboard(given).sort_by
    by_weaker = leaderboard(given, SortBy.WEAKER_RECALL).configurations
    assert ["python:c", "python:e", "python:l"] == [row.detector for row in by_weaker]
    macro = [row.scores.macro_f1 for row in leaderboard(given, SortBy.MACRO_F1).configurations]
    assert all(one >= other for one, other in pairwise(macro))


def test_fraud_f1_is_no_order() -> None:
    """It is shown in every row, and nobody can sort by it."""
    assert {"balanced_accuracy", "macro_f1", "weaker_recall"} == set(SortBy)
    with pytest.raises(ValueError, match="fraud_f1"):
        SortBy("fraud_f1")


def test_a_leaderboard_is_of_one_snapshot() -> None:
    """Not of several, of one under two root hashes, or of none."""
    for others in ([_summary(GOOD, snapshot=(NEXT, NEXT_ROOT))], [_summary(GOOD, snapshot=("2026-11-zh", NEXT_ROOT))]):
        with pytest.raises(ValueError, match="of one snapshot, not of 2026-11-zh"):
            leaderboard([_summary(GOOD), *others])
    with pytest.raises(ValueError, match="not of none"):
        leaderboard([])


# Transitions


def _month(answers: Sequence[dict[str, int]], snapshot: tuple[str, str] = ("2026-11-zh", "a" * 64)) -> list[EvaluationSummary]:
    return [_summary(counts, f"python:d{i}", snapshot=snapshot) for i, counts in enumerate(answers)]


def test_the_transition_table_counts_every_move() -> None:
    """Two stay all-FRAUD, one leaves it, one falls into the other collapse; what only one month has is listed, not counted."""
    before = _month([ALL_FRAUD, ALL_FRAUD, ALL_FRAUD, GOOD, SILENT, GOOD])
    after = _month([ALL_FRAUD, ALL_FRAUD, BETTER, ALL_LAWFUL, SILENT], (NEXT, NEXT_ROOT))
    after.append(_summary(GOOD, "python:new", snapshot=(NEXT, NEXT_ROOT)))
    found = transitions(before, after)
    moved = {(one, other): n for one, row in found.table.items() for other, n in row.items() if n}

    assert ("2026-11-zh", NEXT, "collapse-v1") == (found.before, found.after, found.rules)
    assert {
        (Collapse.ALL_FRAUD, Collapse.ALL_FRAUD): 2,
        (Collapse.ALL_FRAUD, Collapse.BALANCED): 1,
        (Collapse.BALANCED, Collapse.ALL_NONFRAUD): 1,
        (Collapse.BIASED, Collapse.BIASED): 1,
    } == moved
    assert 16 == sum(len(row) for row in found.table.values())
    assert ((before[5].detector_key,), (after[5].detector_key,)) == (found.only_before, found.only_after)
    assert found == Transitions.model_validate_json(found.model_dump_json())


def test_a_move_tells_both_findings_and_the_change() -> None:
    """From a balanced accuracy of 0.5 to 0.825; parse collapse stands beside the tag."""
    (move,) = transitions(_month([ALL_FRAUD]), _month([BETTER], (NEXT, NEXT_ROOT))).moves
    (silent,) = transitions(_month([GOOD]), _month([SILENT], (NEXT, NEXT_ROOT))).moves

    assert (Collapse.ALL_FRAUD, Collapse.BALANCED, "python:d0") == (move.before.tag, move.after.tag, move.detector)
    assert 0.325 == pytest.approx(move.balanced_accuracy_change, abs=1e-9)
    assert (False, True) == (silent.before.parse_collapse, silent.after.parse_collapse)


def test_a_repeated_configuration_moves_once() -> None:
    """The paper's months: 27 configurations and 28 rows are 27 moves."""
    before = _month([GOOD] * 27)
    after = _month([GOOD] * 27, (NEXT, NEXT_ROOT))
    after.append(_summary(ALL_FRAUD, "python:d0", snapshot=(NEXT, NEXT_ROOT), started=LATER))

    assert (27, 27) == (len((found := transitions(before, after)).moves), found.table[Collapse.BALANCED][Collapse.BALANCED])


def test_transitions_need_two_snapshots_under_the_same_rules() -> None:
    """Not the same one twice, not several on a side, none empty, and no tags of different rules."""
    here, there = _month([GOOD]), _month([GOOD], (NEXT, NEXT_ROOT))
    other = there[0].model_copy(update={"collapse": there[0].collapse.model_copy(update={"rules": "mine-v1"})})

    with pytest.raises(ValueError, match="both sides are snapshot 2026-11-zh"):
        transitions(here, here)
    for before, after in (([*here, *_month([BETTER, GOOD], (NEXT, NEXT_ROOT))], there), (here, []), (here, [other])):
        with pytest.raises(ValueError, match="of one snapshot and both of one version of rules"):
            transitions(before, after)
