"""SPEC 6, comparison: what must agree before two sides are compared, and pairs of cases both completed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from pydantic import JsonValue

from core.errors import InputError
from core.grading.grade import judge_key
from core.runs.compare import Side, choose_condition, compare_sides, conditions_of, must_agree
from core.runs.estimates import MEASURES
from core.runs.pairs import scenario_wer
from core.schemas.base import Condition
from core.schemas.call_trace import PartyRecord
from core.schemas.hearing import ErrorRate
from core.schemas.run import CaseSummary, Summary
from core.schemas.usage import Usage
from tests.support.runs import run_file
from tests.support.summaries import case, condition, summary

TEXT, AUTHORED = Condition.TEXT, Condition.AUTHORED


def _summary(*cases: CaseSummary, judge_key: str = "judge-1") -> Summary:
    return summary({TEXT: condition(), AUTHORED: condition()}, *cases, judge_key=judge_key)


LINE: dict[str, JsonValue] = {"line": "asr-1", "channel": "landline", "recognizer": {"settings": {"beam": 1}}}


def _side(
    on: Condition = TEXT,
    *cases: CaseSummary,
    judge_key: str = "judge-1",
    line_of: Callable[[str], Mapping[str, JsonValue]] = lambda _case: LINE,
    **run: Any,
) -> Side:
    return Side(f"run@{on.value}", run_file(**run), _summary(*cases, judge_key=judge_key), on, line_of)


# -- what must agree ----------------------------------------------------------------------------------------------------------


def test_two_conditions_of_one_run_agree() -> None:
    """The line is what differs; nothing else does."""
    assert [] == must_agree(_side(TEXT), _side(AUTHORED))


def test_two_candidates_on_the_same_calls_agree() -> None:
    """Candidates are what is compared, and code, command line and repeats are no obstacle."""
    other: dict[str, Any] = {
        "candidate": {"party": "test:other"},
        "argv": ("x",),
        "repeats": 3,
        "code": {"version": "2"},
        "record": True,
    }
    assert [] == must_agree(_side(), _side(TEXT, **other))


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        ({"bundle_hash": "0" * 64}, "bundle: minimal@1.0.0 "),
        ({"bundle": "frontdesk"}, "bundle: minimal@1.0.0 "),
        ({"caller": {"party": "test:other"}}, "caller: "),
        ({"caller": {"party": "test:caller", "settings": {"temperature": 0.5}}}, "caller: "),
        ({"caller": {"party": "test:caller", "settings": {"prompts": {"caller": "1" * 64}}}}, "prompts: None against {"),
        ({"judge_key": "judge-2"}, "judge: test:judge judge-1 against test:judge judge-2"),
        ({"seed": 8}, "seed: 7 against 8"),
    ],
    ids=str,
)
def test_what_makes_a_comparison_unfair_is_named(other: dict[str, Any], difference: str) -> None:
    """Another bundle, caller, judge, prompt or seed: with both values."""
    (found,) = must_agree(_side(), _side(TEXT, **other))
    assert found.startswith(difference)
    assert " against " in found


def test_a_judges_prompts_are_part_of_its_key() -> None:
    """Two judges that differ in the hash of one prompt have two keys, so their grades are not compared."""
    keys = {judge_key(PartyRecord(party="litellm:x/y", settings={"prompts": {"task": hash_ * 64}})) for hash_ in "01"}
    first, second = keys

    assert 2 == len(keys)
    assert ["judge"] == [item.split(":")[0] for item in must_agree(_side(judge_key=first), _side(judge_key=second))]


@pytest.mark.parametrize(
    ("role", "told"),
    [("caller", ["caller: "]), ("judge", ["judge: "]), ("candidate", [])],
)
def test_a_setting_that_one_endpoint_did_not_take_is_a_difference(role: str, told: list[str]) -> None:
    """Both records say that a seed was sent; for one it was left out. The candidate is what is compared."""
    one, other = _side(), _side()
    without = replace(other, summary=other.summary.model_copy(update={"usage": {role: Usage(requests=1, left_out=("seed",))}}))
    found = must_agree(one, without)
    assert len(told) == len(found)
    assert all(got.startswith(want) and "seed" in got.partition(" against ")[2] for want, got in zip(told, found, strict=True))


def test_what_may_differ_is_passed_over() -> None:
    """A swap of the caller asks for everything but the caller."""
    other: dict[str, Any] = {"caller": {"party": "test:other", "settings": {"prompts": {"caller": "1"}}}, "seed": 8}
    assert ["seed: 7 against 8"] == must_agree(_side(), _side(TEXT, **other), but=("caller", "prompts"))


def test_everything_that_differs_is_named() -> None:
    """Not the first difference only."""
    assert ["bundle", "caller", "judge", "seed"] == [
        item.split(":")[0]
        for item in must_agree(_side(), _side(TEXT, bundle="b", caller={"party": "x"}, seed=1, judge_key="judge-2"))
    ]


# -- the line -----------------------------------------------------------------------------------------------------------------

TWO = (case("a", TEXT, 100, 80), case("b", TEXT, 40, 40))
"""Two calls under one condition."""


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        ({"channel": "mobile"}, "line.channel: landline against mobile"),
        ({"recognizer": {"settings": {"beam": 5}}}, "line.recognizer.settings.beam: 1 against 5"),
        ({"recognizer": {"settings": {"beam": 1, "hotwords": "KX"}}}, "line.recognizer.settings.hotwords: None against KX"),
        ({"spoken_form": "en-9"}, "line.spoken_form: None against en-9"),
        ({"caller_voices": ["kokoro"]}, "line.caller_voices: None against ['kokoro']"),
        ({"detector": {"cpu_features": ["avx2"]}}, "line.detector: None against {'cpu_features': ['avx2']}"),
    ],
    ids=str,
)
def test_another_line_under_one_condition_is_named(other: dict[str, JsonValue], difference: str) -> None:
    """What decides what arrives makes a comparison of candidates unfair: the difference would be the line's."""
    assert [difference] == must_agree(_side(TEXT, *TWO), _side(TEXT, *TWO, line_of=lambda _case: LINE | other))


def test_a_line_that_differs_in_some_calls_is_named_with_their_number() -> None:
    """Such as where a run was gone on with by newer code."""
    half = _side(TEXT, *TWO, line_of=lambda name: LINE | {"spoken_form": 2 if name.startswith("b") else 1})
    assert ["line.spoken_form: 2 against 1 (in 1 of 2 calls)"] == must_agree(
        half, _side(TEXT, *TWO, line_of=lambda _case: LINE | {"spoken_form": 1})
    )


def test_two_conditions_may_have_lines_that_differ() -> None:
    """The same candidate on words and on sound is what the product is for."""
    other = tuple(item.model_copy(update={"condition": AUTHORED}) for item in TWO)  # of the same names, to be sure
    assert [] == must_agree(_side(TEXT, *TWO), _side(AUTHORED, *other, line_of=lambda _case: {"line": "authored-1"}))


def test_calls_that_only_one_side_holds_are_not_looked_at() -> None:
    """They are in no pair."""
    assert [] == must_agree(
        _side(TEXT, *TWO), _side(TEXT, TWO[0], line_of=lambda name: LINE if name.startswith("a") else {"line": "x"})
    )


def test_what_does_not_reach_the_candidate_may_differ() -> None:
    """A recording beside the words, and why a voice or a recogniser was chosen that is the same in the end."""
    beside: dict[str, JsonValue] = {
        "recorded": {"caller_voices": ["a"]},
        "voices": "all",
        "voices_considered": ["a", "b"],
        "caller_score": 3,
        "recogniser": "auto",
    }
    assert [] == must_agree(_side(TEXT, *TWO), _side(TEXT, *TWO, line_of=lambda _case: LINE | beside))


# -- which condition ----------------------------------------------------------------------------------------------------------


def test_the_only_condition_need_not_be_named() -> None:
    """A run with one condition is meant as a whole."""
    assert AUTHORED is choose_condition(summary({AUTHORED: condition()}), None, "runs/x")


def test_a_condition_must_be_chosen_and_must_exist() -> None:
    """The message says how to write it and what there is."""
    both = _summary()
    assert TEXT is choose_condition(both, "text", "runs/x")
    with pytest.raises(InputError, match=r"runs/x: this run has several conditions: write runs/x@text \(has: text, authored\)"):
        choose_condition(both, None, "runs/x")
    with pytest.raises(InputError, match="runs/x: no condition 'asr' in this run; it has: text, authored"):
        choose_condition(both, "asr", "runs/x")


def test_conditions_of_a_saved_run_come_from_text_to_audio() -> None:
    """A file holds its keys in the order of the alphabet, a message does not."""
    shuffled = summary(dict.fromkeys((Condition.ASR, Condition.AUDIO, AUTHORED, TEXT), condition()))

    assert list(Condition) == conditions_of(shuffled)
    with pytest.raises(InputError, match=r"write runs/x@text \(has: text, authored, asr, audio\)"):
        choose_condition(shuffled, None, "runs/x")


# -- pairs --------------------------------------------------------------------------------------------------------------------

CASES = (
    case("a", TEXT, 100, 80),
    case("a", AUTHORED, 50, 80),
    case("b", TEXT, 40, 40),
    case("b", AUTHORED, 60, 40),
    case("c", TEXT, 70, 70),
    case("c", AUTHORED, 70, 70),
    case("d", TEXT, 90, 90),
    case("e", AUTHORED, 10, 10),
    case("f", TEXT, None, 90),
    case("f", AUTHORED, 20, 10),
)


def test_pairs_are_cases_both_completed() -> None:
    """A case that one side lacks, or that is ungraded there, is in no measure."""
    overall, task, conversation = compare_sides(_side(TEXT, *CASES), _side(AUTHORED, *CASES))
    assert ("overall", "task", "conversation") == MEASURES == (overall.measure, task.measure, conversation.measure)
    assert [3, 3, 3] == [overall.n, task.n, conversation.n]
    assert {"a": 25.0, "b": -10.0, "c": 0.0} == overall.differences
    assert {"a": 50.0, "b": -20.0, "c": 0.0} == task.differences
    assert {"a": 0.0, "b": 0.0, "c": 0.0} == conversation.differences
    assert (1, 1, 1) == (overall.wins, overall.losses, overall.ties)
    assert (0, 0, 3) == (conversation.wins, conversation.losses, conversation.ties)
    assert 5.0 == overall.mean
    assert ("run@text", "run@authored") == (overall.a, overall.b)


def test_swapping_the_sides_swaps_the_signs() -> None:
    """a - b is minus b - a, interval and counts included."""
    there = compare_sides(_side(TEXT, *CASES), _side(AUTHORED, *CASES))[0]
    back = compare_sides(_side(AUTHORED, *CASES), _side(TEXT, *CASES))[0]
    assert {key: -value for key, value in there.differences.items()} == back.differences
    assert (there.wins, there.losses, there.ties) == (back.losses, back.wins, back.ties)
    assert there.mean == pytest.approx(-(back.mean or 0))
    assert there.low == pytest.approx(-(back.high or 0))


def test_repeats_are_averaged_within_a_scenario_first() -> None:
    """Two repeats of one scenario are one difference."""
    cases = (
        case("a", TEXT, 100, 100, 0),
        case("a", TEXT, 50, 50, 1),
        case("a", AUTHORED, 50, 50, 0),
        case("a", AUTHORED, 50, 50, 1),
    )
    overall = compare_sides(_side(TEXT, *cases), _side(AUTHORED, *cases))[0]
    assert (1, {"a": 25.0}) == (overall.n, overall.differences)


def test_nothing_in_common_is_no_number() -> None:
    """Without a pair there is neither mean nor interval."""
    overall = compare_sides(_side(TEXT, CASES[6]), _side(AUTHORED, CASES[7]))[0]
    assert (0, None, None, None) == (overall.n, overall.mean, overall.low, overall.high)


def test_the_pair_starts_from_unrounded_scores() -> None:
    """A difference smaller than what a file's means are rounded to is still a win, and is shown rounded."""
    cases = (case("a", TEXT, 50 + 4e-7, 50), case("a", AUTHORED, 50, 50))
    overall = compare_sides(_side(TEXT, *cases), _side(AUTHORED, *cases))[0]

    assert (1, 0, {"a": 0.0}) == (overall.wins, overall.ties, overall.differences)


def _heard(scenario: str, on: Condition, repeat: int, edits: int, reference: int) -> CaseSummary:
    rate = ErrorRate(rate=edits / reference, substitutions=edits, reference=reference)
    return case(scenario, on, 50, 50, repeat).model_copy(update={"wer": rate})


def test_the_error_beside_a_scenario_is_pooled_over_its_repeats() -> None:
    """One edit of ten words and none of thirty are 1/40, whichever repeat comes last; the untranscribed side has none."""
    heard = [_heard("a", Condition.ASR, 0, 1, 10), _heard("a", Condition.ASR, 1, 0, 30)]
    text = [case("a", TEXT, 50, 50)]

    assert {"a": 1 / 40} == scenario_wer(text, heard) == scenario_wer(heard, text)
    assert {} == scenario_wer(text, text)


def test_of_two_transcribed_sides_the_second_stands_beside() -> None:
    """The difference is a - b, and its error is that of b."""
    first, second = [_heard("a", Condition.ASR, 0, 1, 10)], [_heard("a", Condition.ASR, 0, 2, 10)]

    assert {"a": 0.2} == scenario_wer(first, second)
