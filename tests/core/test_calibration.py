"""Calibration: real and authored errors by kind and class of word, and real errors as events that a bundle takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from core.bundle import Bundle, load_bundle
from core.errors import UsageError
from core.report.calibration import calibration_text, suggestions_yaml
from core.runs.calibration import calibrate
from core.runs.word_errors import Classes, errors_of
from core.schemas.base import Condition
from core.schemas.calibration import Calibration, ErrorKind, WordClass
from core.schemas.call_trace import Trace
from core.spoken import Unit
from tests.core.grading_samples import CallScript
from tests.support.scenes import NOISY_FILE, SCENARIO_FILE, change, copy_minimal, minimal, put

CARD = "It is zero four four one, two nine zero seven."
TITLE = "The Long Harbor, for three weeks."


def _call(*turns: tuple[str, str, str], scenario: str = "renew-loan", condition: Condition = Condition.ASR) -> Trace:
    """A call of the small bundle: step, what was said and what was heard."""
    script = CallScript(condition, scenario)
    for _step, said, heard in turns:
        script.agent("Yes?").caller(said, heard, clip=condition is Condition.ASR, voice="joe")
    trace = script.trace()
    spoken = zip(trace.caller_turns, turns, strict=True)
    steps = tuple(turn.model_copy(update={"expressed": (step,) if step else ()}) for turn, (step, _said, _heard) in spoken)
    return trace.model_copy(update={"caller_turns": steps})


def _calibrated(*traces: Trace, bundle: Bundle | None = None) -> Calibration:
    return calibrate((trace, bundle or minimal()) for trace in traces)


@pytest.mark.parametrize(
    ("said", "heard", "expected"),
    [
        ("please book it", "please book it", []),
        ("please book it", "please look it", [("substitute", "book", "look")]),
        ("please book it", "please it", [("drop", "book", "")]),
        ("please book it", "please book book it", [("double", "", "book")]),
        ("it is four five", "it is 4 4 5", [("double", "", "4")]),
        ("please book it", "please do book it", [("insert", "", "do")]),
        ("book it", "", [("drop", "book it", "")]),
        ("hm", "yes", [("insert", "", "yes")]),
    ],
)
def test_every_difference_has_a_kind(said: str, heard: str, expected: list[tuple[str, str, str]]) -> None:
    """Stretch by stretch, with the words on both sides; a stretch that repeats its neighbour is a double."""

    def words(units: tuple[Unit, ...]) -> str:
        return " ".join(unit.text for unit in units)

    assert expected == [(each.kind.value, words(each.said), words(each.heard)) for each in errors_of(said, heard, "en")]


def test_words_have_classes() -> None:
    """Numbers, single letters, words of known names, function words, and the rest."""
    classes = Classes("en", ("Margaret Okafor",))
    counted = classes.count("I am Okafor, my code is K four one, please")

    assert {"digit": 2, "letter": 1, "name": 1, "function": 4, "other": 2} == {each.value: counted[each] for each in WordClass}
    assert {WordClass.FUNCTION: 2} == dict(Classes("hi").count("का है"))


def test_rates_by_kind_and_class_have_intervals() -> None:
    """One digit of eight substituted and one function word dropped; the interval is Wilson's: 1 of 8 is 2.24 to 47.09 %."""
    # By hand: (0.125 + 3.8415/16) / (1 + 3.8415/8) = 0.24665; half 1.96/1.4802 * sqrt(0.013672 + 0.015006) = 0.22424.
    report = _calibrated(_call(("give_card", CARD, "It zero four four one, two five zero seven.")))
    measured = next(each for each in report.profiles if each.source == "measured")

    assert [
        ("drop", "function", 1, 50.0),
        ("substitute", "digit", 1, 12.5),
    ] == [(each.kind.value, each.word_class.value, each.count, each.per_100) for each in measured.errors]
    digit = measured.errors[1]
    assert (2.241, 47.089) == pytest.approx((digit.low, digit.high), abs=0.01)
    assert (1, 10, 20.0) == (measured.turns, sum(measured.words.values()), measured.per_100)
    assert ["?", "joe", "?"] == [report.profiles[2].channel, report.profiles[2].voice, report.profiles[2].recogniser]


def test_authored_errors_are_counted_on_the_same_turns() -> None:
    """A call that was heard perfectly: the channel program alone has errors, word by word."""
    hello, card = "Hello, does my library card still work?", "It is five five one nine, zero three six eight."
    call = _call(("ask_card", hello, hello), ("give_card", card, card), scenario="noisy-renewal")
    authored, measured = _calibrated(call).profiles[:2]

    assert ("authored", "measured") == (authored.source, measured.source)
    assert authored.words == measured.words
    assert () == measured.errors
    assert [("drop", "digit", 8), ("double", "other", 1)] == [
        (each.kind.value, each.word_class.value, each.count) for each in authored.errors
    ]


def test_a_damaged_fact_is_suggested_as_a_whole_and_other_words_as_they_stand() -> None:
    """The most frequent first, one for each step and span, never inside a fact."""
    heard = (CARD, "It was zero four four one, two five zero seven.")
    traces = [_call(("give_card", *heard), ("give_title", TITLE, "The Long Harbor, for weeks.")) for _ in range(2)]
    traces.append(_call(("give_card", CARD, "It was zero four four one, two nine zero seven.")))
    found = [
        (each.event.at.step, each.event.kind.value, each.event.span, each.event.with_, each.count, each.turns)
        for each in _calibrated(*traces).suggestions
    ]

    assert ("give_card", "substitute", "is", "was", 3, 3) == found[0]
    assert ("give_card", "substitute", "$caller.facts.card_number", "zero four four one, two five zero seven", 2, 3) in found
    assert ("give_title", "drop", "$caller.facts.weeks_wanted", None, 2, 2) in found
    assert len(found) == 3


@pytest.mark.parametrize(("file", "second"), [(SCENARIO_FILE, "give_title"), (NOISY_FILE, "ask_card")])
def test_a_bundle_takes_every_suggestion_as_printed(tmp_path: Path, file: str, second: str) -> None:
    """The printed YAML, pasted behind the events that are there, loads without a fault, and does to the words what was heard."""
    name = Path(file).stem
    trace = _call(
        ("give_card", CARD, 'It was zero four "four" one, two five zero seven: # no.'),
        (second, TITLE, "The the Lung Harbor, for free weeks."),
        scenario=name,
    )
    suggestions = _calibrated(trace).suggestions
    events = yaml.safe_load("\n".join(suggestions_yaml(suggestions)))
    assert len(suggestions) == len(events) >= 3

    root = copy_minimal(tmp_path)
    change(root / file, lambda data: data.setdefault("channel", {}).setdefault("asr_events", []).extend(events))
    bundle = load_bundle(root)
    assert [each.event for each in suggestions] == list(bundle.scenarios[name].channel.asr_events[-len(events) :])
    again = [turn for turn in _calibrated(trace, bundle=bundle).profiles if turn.source == "authored"]
    assert {"substitute"} <= {each.kind.value for each in again[0].errors}


def test_a_scenario_with_a_seeded_word_gets_no_events(tmp_path: Path) -> None:
    """It may have no events beside it, so none is suggested."""
    root = copy_minimal(tmp_path, scenario=(SCENARIO_FILE, put("channel", {"seeded_word": True})))
    report = _calibrated(_call(("give_card", CARD, "It was.")), bundle=load_bundle(root))

    assert () == report.suggestions
    assert ErrorKind.SUBSTITUTE in {each.kind for each in report.profiles[1].errors}


def test_confusions_are_candidates_for_the_list() -> None:
    """Words heard for others, with how often the word was said and whether the list has the pair; no numbers, no names."""
    said = "Please cancel the order of four."
    report = _calibrated(_call(("", said, "Please council the border of five."), ("", said, "Please council the order of four.")))

    assert [("cancel", "council", 2, 2, True), ("order", "border", 1, 2, True)] == [
        (each.said, each.heard, each.count, each.of, each.listed) for each in report.confusions
    ]


def test_the_page_says_everything_and_no_control_character() -> None:
    """Rates, events and confusions as text."""
    text = calibration_text(_calibrated(_call(("give_card", CARD, "It wa\x1bs zero four four one."))), 100)

    assert "en, measured: " in text
    assert "# renew-loan, channel.asr_events:" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(("condition", "language"), [(Condition.AUTHORED, None), (Condition.ASR, "gu")])
def test_nothing_to_compare_is_said_in_one_line(condition: Condition, language: Any) -> None:
    """No call under asr, or none in the language."""
    with pytest.raises(UsageError, match=r"no call.* was heard by a recogniser: play some with --condition asr$"):
        calibrate([(_call(("", "Hello.", "Hello."), condition=condition), minimal())], language)
