"""Audits of sibling calls find what is planted in them, and nothing where nothing is (checks 26, 54, 56 to 59)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.schemas.audits import AuditReport, Probe
from core.schemas.imported_calls import ImportedCall
from core.schemas.snapshots import Delivery, Label, ManifestRow, PathState, SnapshotCall
from core.snapshots.audits.dependence import Seen, delivery_dependence, dependence
from core.snapshots.audits.difficulty import Separability, negative_difficulty, separability
from core.snapshots.audits.distance import Encoder, tree_distance, tree_distances
from core.snapshots.audits.features import delivery_features, imported_metadata, length_features, row_metadata, voice_features
from core.snapshots.audits.learning import SIDE_DOOR, Bounds, probe
from core.snapshots.audits.overlap import EXACT, bigram_overlap, grams, jaccard, near_duplicates
from core.snapshots.audits.report import Learners, audit_calls, audit_rows, oracle
from core.snapshots.audits.samples import Part, Sample, imported_samples, samples, transcribed
from core.snapshots.audits.splitting import FOLDS, folds
from core.snapshots.audits.transfer import transfer
from core.snapshots.everyday import everyday_calls
from core.snapshots.intervals import SEEDS
from tests.core.audit_calls import CountedBigrams, CountedFeatures, forest, sibling, voices

TEXTS, FEATURES = CountedBigrams(), CountedFeatures()


def _hashed(texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Counts of character pairs in 64 columns."""
    made = np.zeros((len(texts), 64))
    for row, text in enumerate(texts):
        for first, second in pairwise(text):
            made[row, (31 * ord(first) + ord(second)) % 64] += 1
    return made


ENCODER = Encoder("pairs-64", _hashed)


def _step(state: PathState, action: str) -> PathState:
    shows = {"show.fraud": PathState.FRAUD, "show.nonfraud": PathState.NONFRAUD}
    return shows.get(action, state) if state == PathState.AMBIGUOUS else state


def _probe(report: AuditReport, name: str) -> Probe:
    return next(found for found in report.probes if found.name == name)


@given(st.lists(st.tuples(st.integers(0, 11), st.sampled_from(["a", "b"])), min_size=30, max_size=80), st.integers(0, 99))
def test_a_split_never_parts_a_group_and_uses_every_fold(items: list[tuple[int, str]], seed: int) -> None:
    """For any groups and strata, one group has one fold; the order of the items does not matter."""
    groups = [f"g{group}" for group, _stratum in items] + [f"extra{i}" for i in range(FOLDS)]
    strata = [stratum for _group, stratum in items] + ["a"] * FOLDS
    found = folds(groups, strata, seed)
    assert len(set(groups)) == len(set(zip(groups, found, strict=True)))
    assert set(range(FOLDS)) == set(found)
    turned = folds(groups[::-1], strata[::-1], seed)
    assert found == turned[::-1]


def test_folds_share_each_stratum() -> None:
    """Forty trees with unequal numbers of both labels are spread so that no fold lacks a label."""
    groups = [f"t{tree}" for tree in range(40) for _ in range(1 + tree % 7)]
    strata = ["FRAUD" if (i * 7) % 10 < 6 else "NONFRAUD" for i in range(len(groups))]
    found = folds(groups, strata, 3)
    for stratum in ("FRAUD", "NONFRAUD"):
        sizes = [sum(f == fold and s == stratum for f, s in zip(found, strata, strict=True)) for fold in range(FOLDS)]
        assert max(sizes) <= 1.5 * min(sizes)


def test_too_few_groups_are_refused() -> None:
    """Four trees cannot be left out in five parts, and groups without strata are a mistake."""
    with pytest.raises(ValueError, match="4 trees or groups cannot be split into 5 parts"):
        folds(["a", "b", "c", "d"], ["x"] * 4, 1)
    with pytest.raises(ValueError, match="4 groups and 1 strata"):
        folds(["a", "b", "c", "d"], ["x"], 1)


def test_the_parts_of_a_call_are_what_they_say() -> None:
    """Evidence is the rationale's turns, the suffix what follows the opening; sides are marked and nothing else."""
    call = sibling(1, 2, Label.FRAUD)
    lines = call.text.splitlines()
    found = {part: samples([call], part)[0].text.splitlines() for part in Part}
    assert {
        Part.WHOLE: lines,
        Part.EVIDENCE: [lines[3]],
        Part.SUFFIX: lines[2:],
        Part.OPENING: lines[:2],
        Part.FIRST_TURN: lines[:1],
        Part.CALLER: [line for line in lines if line.startswith("caller: ")],
        Part.RECEIVER: [line for line in lines if line.startswith("receiver: ")],
    } == found


def test_transcripts_take_the_place_of_words() -> None:
    """A transcript stands under the same id, tree and label; a call without one is named."""
    calls = forest(2, 1)
    heard = transcribed(calls, {call.sample_id: "听到的" for call in calls})
    assert [(call.sample_id, call.tree_id, call.label, "听到的") for call in calls] == list(heard)
    with pytest.raises(ValueError, match="4 calls have no transcript"):
        transcribed(calls, {})


def test_a_clean_forest_passes_and_its_evidence_tells() -> None:
    """Checks 26, 57, 59: nothing but the evidence tells siblings apart, so every side door stays shut."""
    calls = forest(12, 5)
    report = audit_calls(calls, Learners([TEXTS], [FEATURES], ENCODER), 3, _step)
    assert {"opening": True, "first-turn": True, "length": True, "delivery": True, "metadata": True, "evidence": True} == {
        found.name: found.holds for found in report.probes if found.name not in ("whole", "caller", "receiver")
    }
    assert 0.5 == _probe(report, "opening").metrics.balanced_accuracy
    assert 1.0 == _probe(report, "evidence").metrics.macro_f1
    assert (120, 12, {Label.FRAUD: 60, Label.NONFRAUD: 60}) == (report.calls, report.trees, report.labels)
    assert report.oracle is not None
    assert 1.0 == report.oracle.macro_f1
    assert report == audit_calls(calls, Learners([TEXTS], [FEATURES], ENCODER), 3, _step)


@pytest.mark.parametrize(
    ("name", "delivery", "opening"),
    [
        ("delivery", Delivery.URGENT, None),
        ("opening", Delivery.NEUTRAL, "请马上听我说。"),
        ("first-turn", Delivery.NEUTRAL, "紧急通知。"),
    ],
)
def test_a_planted_side_door_is_found(name: str, delivery: Delivery, opening: str | None) -> None:
    """Check 59: fraud calls with a delivery or an opening of their own fail that audit, and only such audits."""
    fair = forest(10, 4)
    calls = [sibling(t, n, Label.FRAUD, "", None, delivery, opening) for t in range(10) for n in range(4)]
    calls += [call for call in fair if call.label == Label.NONFRAUD]
    report = audit_calls(calls, Learners([TEXTS], [FEATURES], ENCODER), 3)
    found = _probe(report, name)
    assert not found.holds
    assert found.metrics.macro_f1 > 0.95
    assert _probe(report, "metadata").holds
    assert report.oracle is None


def test_planted_lengths_are_found_by_length_alone() -> None:
    """Fraud calls that say one sentence more are told by their characters; no word is among the features."""
    calls = [sibling(t, n, lab, cue="再说一遍。" * 9 * (lab == Label.FRAUD)) for t in range(8) for n in range(4) for lab in Label]
    features = [length_features(call) for call in calls]
    assert all(isinstance(value, float) for found in features for value in found.values())
    found = probe("length", features, [c.label for c in calls], [c.tree_id for c in calls], FEATURES, 3, SIDE_DOOR)
    assert not found.holds


def _rows(calls: Sequence[SnapshotCall], by_label: bool) -> list[ManifestRow]:
    """Rows whose caller's voice follows the tree, or, as a planted leak, the label."""
    return [
        ManifestRow(
            call=call,
            voices=voices(f"voice-{call.label.value}" if by_label else f"voice-{int(call.tree_id[-2:]) % 3}"),
            audio=None,
            checks={"structural": True},
            provenance="written for a test",
        )
        for call in calls
    ]


def test_voices_bound_to_trees_tell_nothing_and_a_planted_leak_is_found() -> None:
    """Checks 26 and 59: the voice-only audit and its mutual information, with and without a voice that follows the label."""
    calls = forest(10, 4)
    learners = Learners([TEXTS], [FEATURES], ENCODER)
    fair, leaking = audit_rows(_rows(calls, False), learners, 3), audit_rows(_rows(calls, True), learners, 3)
    assert (True, False) == (_probe(fair, "voice").holds, _probe(leaking, "voice").holds)
    by_name = {found.name: found for found in leaking.dependence}
    assert 1.0 == pytest.approx(by_name["voice of the caller"].bits)
    assert (0.001, None) == (by_name["voice of the caller"].p_within, by_name["voice of the caller"].p_between)
    assert (0.0, 1.0) == (by_name["voice of the receiver"].bits, by_name["voice of the receiver"].p_within)
    assert [1.0, 1.0] == [f.p_within for f in fair.dependence if f.name in ("voice of the caller", "pair of voices")]


def test_voices_that_go_to_trees_with_more_fraud_are_found_between_trees() -> None:
    """One voice for a whole tree cannot tell siblings apart, but it can go where the fraud is."""
    seen = [
        Seen(f"t{tree:02d}", Label.FRAUD if n < (5 if tree % 2 else 1) else Label.NONFRAUD, (f"v{tree % 2}",))
        for tree in range(20)
        for n in range(6)
    ]
    found = dependence("voice", seen, 3)
    assert 1.0 == found.p_within
    assert found.p_between is not None
    assert found.p_between <= 0.005
    shuffled = [Seen(s.group, s.label, (f"v{int(s.group[1:]) // 2 % 2}",)) for s in seen]
    other = dependence("voice", shuffled, 3)
    assert other.p_between is not None
    assert other.p_between > 0.05


def test_delivery_that_follows_the_label_is_found_turn_by_turn() -> None:
    """Check 26: a planted delivery of fraud callers has a small p-value; deliveries drawn alike have a large one."""
    fair = forest(8, 4)
    leaking = [
        sibling(t, n, lab, delivery=(Delivery.ANGRY if lab == Label.FRAUD else Delivery.WARM))
        for t in range(8)
        for n in range(4)
        for lab in Label
    ]
    assert [1.0, 1.0] == [found.p_within for found in delivery_dependence(fair, 3)]
    assert [(0.001, 1.0)] * 2 == [(found.p_within, round(found.bits, 9)) for found in delivery_dependence(leaking, 3)]
    assert 64 == len(
        [found for found in [delivery_features(call) for call in leaking] if "caller_angry" in found or "caller_warm" in found]
    )


def test_mutual_information_is_what_it_is_defined_as() -> None:
    """Two values against two labels by hand: a 3:1 and 1:3 table has 0.1887 bits (1 - H(1/4)); one value has none."""
    labels = [Label.FRAUD] * 4 + [Label.NONFRAUD] * 4
    values = ["x", "x", "x", "y", "y", "y", "y", "x"]
    found = dependence("p", [Seen("t", label, (value,)) for label, value in zip(labels, values, strict=True)], 3)
    assert 0.1887218755408671 == pytest.approx(found.bits, abs=1e-12)
    assert found.p_within > 0.2
    assert (8, 2) == (found.observations, found.values)
    with pytest.raises(ValueError, match="no call has a value"):
        dependence("p", [Seen("t", Label.FRAUD, ())], 3)


def test_trees_stand_apart_and_shuffled_trees_do_not() -> None:
    """Check 57: calls of one tree are nearer than calls of different trees, whole and after the opening left out less so."""
    whole, suffix = tree_distances(forest(8, 4), ENCODER, 3)
    assert ("whole", "suffix", "pairs-64") == (whole.part, suffix.part, whole.encoder)
    assert whole.ratio is not None
    assert whole.shuffled_ratio is not None
    assert suffix.ratio is not None
    assert whole.ratio > 1.1 > suffix.ratio
    assert 1.0 == pytest.approx(whole.shuffled_ratio, abs=0.1)


def test_distances_are_means_over_pairs() -> None:
    """Vectors at right angles in two trees: within 0, across 1, and no ratio; an encoder without a vector is refused."""
    axes = Encoder("axes", lambda texts: np.array([[1.0, 0.0] if text == "a" else [0.0, 2.0] for text in texts]))
    texts = [
        Sample(str(i), group, Label.FRAUD, text)
        for i, (group, text) in enumerate([("g", "a"), ("g", "a"), ("h", "b"), ("h", "b")])
    ]
    found = tree_distance(texts, axes, 1, "whole")
    assert (0.0, 1.0, None) == (found.within, found.cross, found.ratio)
    with pytest.raises(ValueError, match="made no vector"):
        tree_distance(texts, Encoder("nothing", lambda texts: np.zeros((len(texts), 2))), 1, "whole")
    with pytest.raises(ValueError, match="distances need two trees"):
        tree_distance(texts[:2], axes, 1, "whole")


def test_a_cue_of_each_tree_makes_leaking_splits_look_good() -> None:
    """Check 58: a word that tells the label inside its tree alone helps only who has seen the tree."""
    cues = ["".join(chr(0x4E00 + 40 * tree + i) for i in range(30)) for tree in range(20)]
    calls = [
        sibling(tree, number, label, cue=cues[2 * tree + (label == Label.FRAUD)], evidence="好。")
        for tree in range(10)
        for number in range(4)
        for label in Label
    ]
    planted = transfer(samples(calls), TEXTS, 3)
    fair = transfer(samples(forest(10, 4)), TEXTS, 3)
    assert planted.leaky > 0.95
    assert planted.gap > 0.3
    assert abs(fair.gap) < 0.1
    assert planted.gap == pytest.approx(planted.leaky - planted.held_out)
    assert [(f"tree-{tree:02d}", 8) for tree in range(10)] == [(found.tree_id, found.calls) for found in planted.trees]


def test_at_most_24_trees_are_left_out_and_the_seed_says_which() -> None:
    """A month has some sixty trees; leaving out each of them would take a quarter of an hour and say the same."""
    calls = samples(forest(30, 2))
    first, second = transfer(calls, TEXTS, 3), transfer(calls, TEXTS, 4)
    assert (24, 24) == (len(first.trees), len({found.tree_id for found in first.trees}))
    assert [found.tree_id for found in first.trees] != [found.tree_id for found in second.trees]
    assert first == transfer(calls[::-1], TEXTS, 3)


def test_leaving_trees_out_needs_two_that_hold_both_classes() -> None:
    """Trees of one class are trained on and never tested."""
    calls = [sibling(0, n, label) for n in range(2) for label in Label] + [sibling(t, 0, Label.FRAUD) for t in (1, 2)]
    with pytest.raises(ValueError, match="1 trees hold both classes"):
        transfer(samples(calls), TEXTS, 3)
    more = [*calls, *(sibling(3, n, label) for n in range(2) for label in Label)]
    assert ["tree-00", "tree-03"] == [found.tree_id for found in transfer(samples(more), TEXTS, 3).trees]


def _tier(prefix: str, text: str, label: Label, number: int = 30) -> list[Sample]:
    return [Sample(f"{prefix}{i:02d}", f"{prefix}{i // 2}", label, f"caller: {text}{'一二三四五'[i % 5]}") for i in range(number)]


def test_negative_difficulty_swaps_only_the_negatives() -> None:
    """Check 54: equally many calls in every tier, the same fraud calls, five disjoint folds, intervals."""
    calls = forest(10, 3)
    fraud = [s for s in samples(calls) if s.label == Label.FRAUD]
    siblings = [s for s in samples(calls) if s.label == Label.NONFRAUD]
    tiers = {"unrelated": _tier("u", "周末去爬山吧", Label.NONFRAUD), "siblings": siblings}
    found = negative_difficulty(fraud, tiers, {"counted": [TEXTS, TEXTS]}, 3)
    assert ("unrelated", "siblings", SEEDS) == (found.tiers[0].name, found.tiers[1].name, found.seeds)
    assert [1.0] * FOLDS == list(found.tiers[0].scores[0].values)
    for number, fold in enumerate(found.test_ids):
        for tier in found.tiers:
            assert len(fold) == len(tier.test_ids[number]) == found.test[number]
    tested = [i for fold in found.tiers[0].test_ids for i in fold]
    assert len(tested) == len(set(tested))
    assert found.tiers[0].overlap < found.tiers[1].overlap <= found.tiers[1].best_overlap
    assert found.tiers[0].scores[0].interval.method == "t-5-seeds-v1"
    trees = {s.id: s.group for s in [*fraud, *siblings]}
    for fraud_ids, lawful_ids in zip(found.test_ids, found.tiers[1].test_ids, strict=True):
        others = {trees[i] for fold in found.test_ids if fold is not fraud_ids for i in fold}
        assert not others & {trees[i] for i in (*fraud_ids, *lawful_ids)}


def test_the_settings_that_validate_best_are_tested() -> None:
    """A setting that calls everything lawful is not chosen where another one learns."""

    class Silent:
        name = "silent"

        def fit(self, items: Sequence[str], labels: Sequence[Label]) -> Silent:
            return self

        def predict(self, items: Sequence[str]) -> list[Label]:
            return [Label.NONFRAUD] * len(items)

    fraud, tier = _tier("f", "请告诉我口令", Label.FRAUD), _tier("u", "周末去爬山吧", Label.NONFRAUD)
    found = negative_difficulty(fraud, {"unrelated": tier}, {"both": [Silent(), TEXTS]}, 3)
    assert ("counted-bigrams",) * FOLDS == found.tiers[0].scores[0].chosen


def test_tiers_with_wrong_labels_or_too_few_groups_are_refused() -> None:
    """A fraud call among the negatives would make any figure worthless."""
    fraud, tier = _tier("f", "请告诉我口令", Label.FRAUD), _tier("u", "周末去爬山吧", Label.NONFRAUD)
    with pytest.raises(ValueError, match="30 calls have the label of the other side, the first is 'f00'"):
        negative_difficulty(fraud, {"unrelated": fraud}, {"counted": [TEXTS]}, 3)
    with pytest.raises(ValueError, match="calls of each class to train, validate and test with"):
        negative_difficulty(fraud, {"unrelated": tier[:3]}, {"counted": [TEXTS]}, 3)
    capped = negative_difficulty(fraud, {"unrelated": tier}, {"counted": [TEXTS]}, 3, most=15)
    assert [(9, 3, 3)] * FOLDS == list(zip(capped.train, capped.validation, capped.test, strict=True))


def test_separability_tests_each_set_of_words_on_calls_it_was_not_trained_on() -> None:
    """Check 56: rows for words as written, for transcripts and for other sets, each with both recalls and the fraud ratio."""
    calls = forest(8, 3)
    written = samples(calls)
    heard = transcribed(calls, {call.sample_id: "什么也没听清" for call in calls})
    rows = separability(
        [Separability("reference", "reference", written, written), Separability("asr", "reference", written, heard)], TEXTS, 3
    )
    assert [("reference", 8), ("asr", 8)] == [(row.name, row.groups) for row in rows]
    assert rows[0].metrics.macro_f1 > 0.7
    assert (1 / 3, 0.5) == (rows[1].metrics.macro_f1, rows[1].metrics.balanced_accuracy)
    with pytest.raises(ValueError, match="not of the same calls"):
        separability([Separability("asr", "reference", written, heard[1:])], TEXTS, 3)


def test_overlap_is_jaccard_over_all_pairs() -> None:
    """By hand: AB BC against AB BC CD is 2/3, against XY 0; the mean is 1/3 and the best 2/3; punctuation does not count."""
    mean, best = bigram_overlap(["a,b c"], ["ABCD", "xy"])
    assert 1 / 3 == pytest.approx(mean)
    assert 2 / 3 == pytest.approx(best)
    with pytest.raises(ValueError, match="not 0 and 1"):
        bigram_overlap([], ["x"])


@given(
    st.lists(st.text("甲乙丙丁abc", min_size=1, max_size=12), min_size=1, max_size=6),
    st.lists(st.text("甲乙丙丁abc", min_size=1, max_size=12), min_size=1, max_size=6),
)
def test_overlap_agrees_with_comparing_pair_by_pair(fraud: list[str], lawful: list[str]) -> None:
    """The counted way gives what sets give, for any texts."""
    table = [[jaccard(grams(f, 2), grams(w, 2)) for w in lawful] for f in fraud]
    expected = float(np.mean(table)), float(np.mean([max(row) for row in table]))
    assert pytest.approx(expected) == bigram_overlap(fraud, lawful)


def test_near_duplicates_are_found_whether_compared_or_proposed() -> None:
    """One word changed in a long call is listed with its index; MinHash over many calls finds the same pairs as comparing all."""
    base = "今天下午三点我们在门口见面然后一起去看那场电影吧别忘了带伞和水杯"
    made = [
        Sample("a", "g", Label.FRAUD, base),
        Sample("b", "g", Label.FRAUD, base + "好"),
        Sample("c", "h", Label.FRAUD, base + "。"),
    ]
    few = near_duplicates(made, 1)
    assert (3, 2, 1) == (few.pairs, few.across_groups, few.equal)
    assert ("a", "c", 1.0, False) == (few.listed[0].first, few.listed[0].second, few.listed[0].jaccard, few.listed[0].same_group)
    others = [Sample(f"z{i:03d}", f"z{i}", Label.FRAUD, f"{i}号{'甲乙丙丁戊己'[i % 6]}{i * 7}房间{i * 13}") for i in range(EXACT)]
    assert few.listed == near_duplicates([*made, *others], 1).listed
    with pytest.raises(ValueError, match=r"a threshold of 0.2 is not between"):
        near_duplicates(made, 1, 0.2)


def test_bounds_are_inclusive_and_a_missing_interval_is_no_proof() -> None:
    """At the bound it holds; without an interval an upper bound cannot hold."""
    calls = forest(6, 2)
    found = probe("whole", [c.text for c in calls], [c.label for c in calls], [c.tree_id for c in calls], TEXTS, 3)
    value = found.metrics.macro_f1
    assert Bounds(at_least=value).hold(found.metrics, ())
    assert not Bounds(at_least=value + 1e-9).hold(found.metrics, ())
    most = max(value, found.metrics.balanced_accuracy)
    assert Bounds(at_most=most).hold(found.metrics, ())
    assert not Bounds(at_most=most - 1e-9).hold(found.metrics, ())
    assert not SIDE_DOOR.hold(found.metrics, [None])


def test_one_label_cannot_be_learned() -> None:
    """A forest of fraud alone is refused with a reason."""
    calls = [sibling(tree, 0, Label.FRAUD) for tree in range(6)]
    with pytest.raises(ValueError, match="items of one label cannot train counted-bigrams"):
        probe("whole", [c.text for c in calls], [c.label for c in calls], [c.tree_id for c in calls], TEXTS, 3)


def test_an_oracle_reads_actions_and_no_word() -> None:
    """Actions in the wrong order of the table show other states: an ambiguous end is no answer."""
    calls = forest(2, 2)
    assert (1.0, 1.0) == (oracle(calls, _step).macro_f1, oracle(calls, _step).coverage)
    assert 0.0 == oracle(calls, lambda state, _action: state).coverage


def test_metadata_is_all_but_words_deliveries_plot_and_label() -> None:
    """No feature of metadata holds the label, an action or a turn; place, id, voices' people and provenance are there."""
    row = _rows([sibling(3, 1, Label.FRAUD)], False)[0]
    found = row_metadata(row, 0.25)
    assert {"family", "abstract", "place", "provenance", "caller_role", "caller_age", "id_begins"} <= found.keys()
    values = " ".join(map(str, found.values())) + " ".join(found)
    assert [] == [word for word in ("FRAUD", "show.", "第四句") if word in values]
    assert {"caller": "voice-0", "receiver": "voice-r"} == voice_features(voices("voice-0"))


def test_imported_calls_have_metadata_and_two_parts() -> None:
    """A leaking occupation is among the features; a part that only a plot knows is refused."""
    call: ImportedCall = everyday_calls(per_plot=1)[0]
    leaking = call.model_copy(update={"details": {"occupation": "失业人员", "age": 30, "why": "很" * 30}})
    assert {"turns_by": "everyday", "occupation": "失业人员", "age": 30.0} == imported_metadata(leaking)
    assert call.text.splitlines()[0] == imported_samples([call], Part.FIRST_TURN)[0].text
    with pytest.raises(ValueError, match="no part 'evidence'"):
        imported_samples([call], Part.EVIDENCE)
