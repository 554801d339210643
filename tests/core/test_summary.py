"""The summary of a run: means over graded cases, drops by reason, hearing where something was heard, and what it broke."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.bundle import Bundle
from core.grading.grade import grade
from core.grading.scores import overall_score, score_pillars
from core.runs.summary import GradedCase, summarise
from core.schemas.base import Condition, Diagnostic, Pillar
from core.schemas.bundle import Agent, BundleFile
from core.schemas.call_trace import CodeVersion, PartyRecord, Trace
from core.schemas.grade import Grade, Item, Source, Status
from core.schemas.run import CaseKey, DropClass, JournalLine, JournalState, RunFile, Summary
from core.schemas.scenario import Scenario
from models.parties.rules import RulesJudge
from tests.core.grading_samples import HASH, PROMPT, Called, CallScript, scenario

CODE = CodeVersion(version="0", commit=None, dirty=None)
RIGHT, WRONG = "four eight two zero one nine seven three five five", "four eight two zero one nine seven three six five"
FIND = {"id": "find_1", "tool": "find", "args": {"number": {"equals": "$caller.facts.account_no"}}, "importance": 3}


def _bundle(*scenarios: Scenario) -> Bundle:
    agents = {
        s.agent: Agent(id=s.agent, name="n", domain="power" if s.agent == "larkfield" else "post", direction="inbound", tools=())
        for s in scenarios
    }
    return Bundle(
        root=Path("b"),
        file=BundleFile(id="b", version="1.0.0", languages=("en",), licence="CC0-1.0"),
        agents=agents,
        templates=dict.fromkeys(agents, PROMPT),
        scenarios={s.id: s for s in scenarios},
        files={},
        bundle_hash=HASH,
        locked=True,
    )


def _run(*cases: CaseKey, **fields: Any) -> RunFile:
    data: dict[str, Any] = {
        "bundle": "b",
        "bundle_version": "1.0.0",
        "bundle_hash": HASH,
        "bundle_locked": True,
        "bundle_path": "b",
        "caller": PartyRecord(party="offline:scripted"),
        "candidate": PartyRecord(party="offline:baseline"),
        "judge": RulesJudge().record(),
        "lines": {},
        "seed": 7,
        "repeats": 1,
        "record": False,
        "cases": cases,
        "code": CODE,
        "argv": (),
    }
    return RunFile.model_validate({**data, **fields})


def _call(condition: Condition, heard: str, sent: dict[str, Any] | None, *, clip: bool = False) -> Trace:
    script = CallScript(condition).agent("Hello, what is your account number?")
    script.caller(f"It's {RIGHT}.", f"It's {heard}.", clip=clip, voice="joe" if clip else None)
    calls = [] if sent is None else [Called("find", sent)]
    return script.agent("One moment.", *calls).agent("Thank you. Goodbye.").trace()


def _graded(trace: Trace, made: Scenario) -> GradedCase:
    key = CaseKey(scenario=made.id, condition=trace.header.condition, repeat=trace.header.repeat)
    return GradedCase(key.name, trace, grade(trace, made, PROMPT, RulesJudge(), trace_sha256=HASH))


def _scored(name: str, condition: Condition, task: float | None, repeat: int = 0, agent: str = "larkfield") -> GradedCase:
    """A case with a chosen task score (of four points) and a conversation score of 100."""
    items = [
        Item(
            id="a",
            source=Source.ACTION,
            diagnostic=Diagnostic.OUTCOME,
            importance=1,
            status=Status.UNJUDGED if task is None else Status.SCORED,
            value=None if task is None else task / 100,
            reason="r",
        ),
        Item(
            id="closing",
            source=Source.RATING,
            diagnostic=Diagnostic.CLOSING,
            importance=3,
            status=Status.SCORED,
            value=1.0,
            reason="r",
        ),
    ]
    trace = CallScript(condition, name, repeat).agent("Hello.").caller("Hi.").trace(agent=agent)
    pillars = score_pillars(items)
    made = Grade(
        trace_sha256=HASH,
        bundle_hash=HASH,
        scenario=name,
        agent=agent,
        condition=condition,
        repeat=repeat,
        judge=RulesJudge().record(),
        judge_key="k",
        items=tuple(items),
        pillars=pillars,
        overall=overall_score(pillars),
    )
    return GradedCase(CaseKey(scenario=name, condition=condition, repeat=repeat).name, trace, made)


def _summary(cases: Sequence[GradedCase], *more: CaseKey, dropped: dict[str, JournalLine] | None = None, **run: Any) -> Summary:
    keys = [CaseKey(scenario=c.grade.scenario, condition=c.grade.condition, repeat=c.grade.repeat) for c in cases]
    scenarios = {c.grade.scenario: scenario(id=c.grade.scenario, agent=c.grade.agent) for c in cases}
    return summarise(
        _run(*keys, *more, **run), _bundle(*scenarios.values()), RulesJudge().record(), cases, dropped or {}, tagged=True
    )


def _of_call(trace: Trace, **fields: Any) -> Summary:
    made = scenario(expected=[FIND], **fields)
    case = _graded(trace, made)
    key = CaseKey(scenario=made.id, condition=trace.header.condition)
    return summarise(_run(key), _bundle(made), RulesJudge().record(), [case], {}, tagged=True)


def test_means_points_and_coverage_by_hand() -> None:
    """Two cases, task 0 and 100 of one point each: mean 50, one of two points; overall 50 and 100, mean 75."""
    held = _summary([_scored("s", Condition.TEXT, 0), _scored("t", Condition.TEXT, 100)]).conditions[Condition.TEXT]

    assert (50.0, 1.0, 2.0, 1.0) == (held.task.score, held.task.points, held.task.max_points, held.task.coverage)
    assert (100.0, 6.0, 6.0) == (held.conversation.score, held.conversation.points, held.conversation.max_points)
    assert (75.0, 7.0, 8.0) == (held.overall.score, held.overall.points, held.overall.max_points)
    assert (2, 2, 0) == (held.n, held.planned, held.ungraded)


def test_scores_are_means_over_cases_not_pooled_points() -> None:
    """SPEC 6: a run's score is the unweighted mean over graded cases; diagnostics too."""
    held = _summary([_scored("s", Condition.TEXT, 20), _scored("t", Condition.TEXT, 100)]).conditions[Condition.TEXT]

    assert 60.0 == held.diagnostics[Diagnostic.OUTCOME].score
    assert 100.0 == held.diagnostics[Diagnostic.CLOSING].score
    assert held.diagnostics[Diagnostic.MEMORY].score is None
    assert set(Diagnostic) == set(held.diagnostics)


def test_success_counts_cases_at_the_cutoff() -> None:
    """Overall 70 is a success, 69.5 is none; the cutoff is marked provisional."""
    held = _summary([_scored("s", Condition.TEXT, 40), _scored("t", Condition.TEXT, 39)]).conditions[Condition.TEXT]

    assert (0.5, 70.0, True) == (held.success.rate, held.success.cutoff, held.success.provisional)


def test_an_ungraded_case_leaves_the_means_but_not_the_coverage() -> None:
    """A null pillar takes its case out of n and of every mean, and is counted; its weight still lowers the coverage.

    Overall is half of each pillar, so one that is badly covered is not made up for by the other's weight.
    """
    held = _summary([_scored("s", Condition.TEXT, None), _scored("t", Condition.TEXT, 80)]).conditions[Condition.TEXT]

    assert (1, 1) == (held.n, held.ungraded)
    assert (80.0, 100.0) == (held.task.score, held.conversation.score)
    assert (0.5, 1.0, 0.5) == (held.task.coverage, held.conversation.coverage, held.overall.coverage)


def test_without_a_graded_case_scores_are_null() -> None:
    """Never 0 for want of an answer."""
    held = _summary([_scored("s", Condition.TEXT, None)]).conditions[Condition.TEXT]

    assert (None, None, None, None) == (held.task.score, held.overall.score, held.overall.low, held.success.rate)


def test_dropped_cases_are_counted_by_class_and_reason() -> None:
    """The reason is the word before the colon; a dropped case is in no mean."""
    lost = [CaseKey(scenario=name, condition=Condition.TEXT) for name in ("x", "y", "z")]
    reasons = [
        (DropClass.SIMULATION, "caller_invalid: empty speech"),
        (DropClass.SIMULATION, "caller_invalid: leak"),
        (DropClass.INFRASTRUCTURE, "clip: too quiet"),
    ]
    dropped = {
        key.name: JournalLine(case=key.name, state=JournalState.DROPPED, drop_class=drop_class, reason=reason)
        for key, (drop_class, reason) in zip(lost, reasons, strict=True)
    }
    held = _summary([_scored("s", Condition.TEXT, 80)], *lost, dropped=dropped).conditions[Condition.TEXT]

    assert {"infrastructure": {"clip": 1}, "simulation": {"caller_invalid": 2}} == held.dropped
    assert (1, 4, 80.0) == (held.n, held.planned, held.task.score)


def test_conditions_are_compared_in_pairs_on_common_cases() -> None:
    """Text before authored before asr, each by overall, task and conversation; hand-computed differences."""
    cases = [
        _scored("s", Condition.ASR, 0),
        _scored("s", Condition.TEXT, 100),
        _scored("t", Condition.TEXT, 50),
        _scored("t", Condition.ASR, 50),
        _scored("u", Condition.TEXT, 0),
    ]
    overall, task, conversation = _summary(cases).paired

    assert ("text", "asr", "overall") == (overall.a, overall.b, overall.measure)
    assert {"s": 50.0, "t": 0.0} == overall.differences
    assert (2, 25.0, 1, 0, 1) == (overall.n, overall.mean, overall.wins, overall.losses, overall.ties)
    assert (50.0, 0.0) == (task.mean, conversation.mean)


def test_every_pair_of_conditions_is_compared() -> None:
    """Three conditions give three pairs of three measures."""
    cases = [_scored("s", condition, 50) for condition in (Condition.TEXT, Condition.AUTHORED, Condition.ASR)]
    pairs = [(p.a, p.b) for p in _summary(cases).paired if p.measure == "overall"]

    assert [("text", "authored"), ("text", "asr"), ("authored", "asr")] == pairs


def test_a_pair_with_an_uncovered_side_is_withheld() -> None:
    """Half of the task weight under text was not judged: task and overall are no headline, conversation is."""
    cases = [_scored(name, condition, 50) for name in ("s", "t") for condition in (Condition.TEXT, Condition.ASR)]
    cases[0] = _scored("s", Condition.TEXT, None)
    overall, task, conversation = _summary(cases).paired
    reason = "text: only 0.50 of the applicable weight was judged (at least 0.8 is needed)"

    assert (reason, reason, None) == (overall.withheld, task.withheld, conversation.withheld)


def test_success_over_repeats_by_hand() -> None:
    """Three tries each: s succeeds always, t once, u never: pass@1 (1 + 1/3 + 0)/3, pass@2 (1 + 2/3)/3, pass^2 1/3, pass@3 2/3,
    pass^3 1/3. v lost a repeat and w has an ungraded one: both are left out and counted.

    With each lost try a failure, v and w have two successes of three: pass@1 (1 + 1/3 + 2/3 + 2/3)/5, pass^2 (1 + 1/3 + 1/3)/5,
    pass@3 4/5, pass^3 1/5.
    """
    scores = {"s": (100, 90, 80), "t": (0, 100, 0), "u": (0, 10, 20), "v": (100, 100), "w": (100, 100, None)}
    cases = [_scored(name, Condition.TEXT, task, repeat) for name, tasks in scores.items() for repeat, task in enumerate(tasks)]
    lost = CaseKey(scenario="v", condition=Condition.TEXT, repeat=2)
    dropped = {
        lost.name: JournalLine(case=lost.name, state=JournalState.DROPPED, drop_class=DropClass.INFRASTRUCTURE, reason="clip: x")
    }
    passes = _summary(cases, lost, dropped=dropped, repeats=3).conditions[Condition.TEXT].passes

    assert passes is not None
    assert (3, 70.0, 3, 2, 2) == (passes.repeats, passes.cutoff, passes.scenarios, passes.excluded, passes.lost)
    assert [1, 2, 3] == [each.k for each in passes.by_k]
    rates = [(each.pass_at.rate, each.pass_hat.rate) for each in passes.by_k]
    assert [(round(at, 6), round(hat, 6)) for at, hat in ((4 / 9, 4 / 9), (5 / 9, 1 / 3), (2 / 3, 1 / 3))] == rates
    lower = [(each.pass_at_lower, each.pass_hat_lower) for each in passes.by_k]
    assert [(round(at, 6), round(hat, 6)) for at, hat in ((8 / 15, 8 / 15), (11 / 15, 1 / 3), (4 / 5, 1 / 5))] == lower


def test_success_over_repeats_needs_repeats_and_whole_scenarios() -> None:
    """Nothing for a run of single tries; null, never 0, where no scenario has all its tries, beside what is certain."""
    single = _summary([_scored("s", Condition.TEXT, 100)]).conditions[Condition.TEXT]
    partial = _summary([_scored("s", Condition.TEXT, 100)], repeats=2).conditions[Condition.TEXT].passes

    assert single.passes is None
    assert partial is not None
    assert (0, 1, 1) == (partial.scenarios, partial.excluded, partial.lost)
    assert [(None, None)] * 2 == [(each.pass_at.rate, each.pass_hat.rate) for each in partial.by_k]
    assert [(0.5, 0.5), (1.0, 0.0)] == [(each.pass_at_lower, each.pass_hat_lower) for each in partial.by_k]


def test_precision_by_hand() -> None:
    """Two repeats of two scenarios, overall 55 and 65, 75 and 85: repeats spread by the root of 50, and the means of two such
    runs lie up to 1.96 times the root of 2 * 50 / 4 apart. One agent alone has no error and finds nothing; two have one."""
    tasks = {"s": (10, 30), "t": (50, 70)}
    cases = [_scored(name, Condition.TEXT, task, repeat) for name, each in tasks.items() for repeat, task in enumerate(each)]
    alone = _summary(cases, repeats=2).conditions[Condition.TEXT].precision

    assert (None, None) == (alone.error, alone.detectable)
    assert (round(50**0.5, 6), 9.79982) == (alone.repeat_sd, alone.repeat_noise)

    apart = [_scored("s", Condition.TEXT, 10), _scored("t", Condition.TEXT, 50, agent="elsewhere")]
    two = _summary(apart).conditions[Condition.TEXT]
    half = ((two.overall.high or 0) - (two.overall.low or 0)) / 2

    assert (10.0, None, None) == (two.precision.error, two.precision.repeat_sd, two.precision.repeat_noise)
    assert 2**0.5 * (half + 0.841621 * 10.0) == pytest.approx(two.precision.detectable or 0, abs=1e-4)


def test_cases_keep_their_scores_unrounded() -> None:
    """A comparison of two runs starts from them, so that a tie is a tie and rounding comes last."""
    (case,) = _summary([_scored("s", Condition.TEXT, 100 / 3)]).cases

    assert (100 / 3, 200 / 3) == (case.scores[Pillar.TASK], case.overall)


def test_a_scenario_is_in_the_slice_of_each_of_its_tags() -> None:
    """Tags slice too, and a tag written twice counts once."""
    made = scenario(expected=[FIND], tags=["power", "repeat", "power"])
    case = _graded(_call(Condition.TEXT, RIGHT, {"number": "4820197355"}), made)
    key = CaseKey(scenario=made.id, condition=Condition.TEXT)
    summary = summarise(_run(key), _bundle(made), RulesJudge().record(), [case], {}, tagged=True)

    assert {"power", "repeat"} == set(summary.slices["tag"])
    assert summary.conditions[Condition.TEXT].overall == summary.slices["tag"]["power"][Condition.TEXT]


def test_slices_hold_the_overall_score() -> None:
    """By language, difficulty, domain and agent; nothing by tag where no scenario has one."""
    cases = [_scored("s", Condition.TEXT, 0), _scored("t", Condition.TEXT, 100, agent="swiftlane")]
    slices = _summary(cases).slices

    assert {"language", "difficulty", "domain", "agent"} == set(slices)
    assert {"post": 100.0, "power": 50.0} == {name: held[Condition.TEXT].score for name, held in slices["domain"].items()}
    assert 75.0 == slices["language"]["en"][Condition.TEXT].score


def test_hearing_is_measured_only_where_a_recogniser_heard() -> None:
    """Error rates under `asr` with clips; null under `text` and `authored`, where known values are still counted."""
    found = {
        condition: _of_call(_call(condition, WRONG, {"number": "4820197365"}, clip=condition is Condition.ASR))
        for condition in (Condition.TEXT, Condition.AUTHORED, Condition.ASR)
    }
    rates = {condition: summary.conditions[condition].wer for condition, summary in found.items()}
    asr = found[Condition.ASR].conditions[Condition.ASR]

    assert (None, None) == (rates[Condition.TEXT], rates[Condition.AUTHORED])
    assert asr.wer is not None
    # "it is" and ten digits, one of them wrong; raw: "It's" and ten words, one wrong.
    assert (1, 12, round(1 / 12, 6)) == (asr.wer.substitutions, asr.wer.reference, asr.wer.rate)
    assert (round(1 / 11, 6), "en-v4") == (asr.wer.raw, asr.wer.normaliser)
    # "itis" and ten digits, one wrong; raw: 46 characters, of which "five" against "six" costs three.
    assert asr.cer is not None
    assert (1, 14, round(1 / 14, 6), "en-v4") == (asr.cer.substitutions, asr.cer.reference, asr.cer.rate, asr.cer.normaliser)
    assert round(3 / 46, 6) == asr.cer.raw
    (turn,) = found[Condition.ASR].cases[0].hearing
    assert (asr.cer.rate, asr.cer.raw) == (turn.cer.rate, turn.cer.raw)
    assert (0, 1, 0.0) == (
        asr.known_value_accuracy.survived,
        asr.known_value_accuracy.occurring,
        asr.known_value_accuracy.rate,
    )
    assert {"digits": 0.0} == {kind: value.rate for kind, value in asr.known_value_accuracy.by_kind.items()}
    assert {"joe": 0.0} == {voice: value.rate for voice, value in asr.known_value_accuracy.by_voice.items()}
    assert {} == found[Condition.AUTHORED].conditions[Condition.AUTHORED].known_value_accuracy.by_voice


def test_audio_has_no_transcript_to_measure() -> None:
    """Under `audio` nothing was transcribed: no error rate and no known value, rather than all of them lost."""
    held = _of_call(_call(Condition.AUDIO, "", {"number": "4820197355"}, clip=True)).conditions[Condition.AUDIO]

    assert (None, None, 0) == (held.wer, held.known_value_accuracy.rate, held.known_value_accuracy.occurring)


def test_each_case_shows_its_turns() -> None:
    """Turn by turn: messages, both texts, the facts that did not survive; empty under text."""
    (case,) = _of_call(_call(Condition.ASR, WRONG, None, clip=True)).cases
    (turn,) = case.hearing

    assert (1, (2,), ("account_no",), 1) == (turn.turn, turn.messages, turn.damaged, turn.values)
    assert (f"It's {RIGHT}.", f"It's {WRONG}.") == (turn.intended, turn.heard)
    assert () == _of_call(_call(Condition.TEXT, RIGHT, None)).cases[0].hearing


def test_a_damaged_value_in_the_call_is_named() -> None:
    """The wrong argument is the number as it was heard: fact, both forms, action, message and tool event are named."""
    (found,) = _of_call(_call(Condition.ASR, WRONG, {"number": "4820197365"}, clip=True)).attribution

    assert ("account_no", RIGHT, "find_1", 2, 0) == (found.fact, found.said, found.action, found.message, found.tool_event)
    assert WRONG == found.heard


def test_a_value_that_never_arrived_is_named() -> None:
    """No call at all, and the fact the call needs was not heard in any turn."""
    (found,) = _of_call(_call(Condition.ASR, "something else", None, clip=True)).attribution

    assert ("account_no", "find_1", 2, None) == (found.fact, found.action, found.message, found.tool_event)


def test_a_missing_argument_of_a_made_call_is_named() -> None:
    """The call was made without the argument that should carry the lost fact."""
    (found,) = _of_call(_call(Condition.AUTHORED, "something else", {})).attribution

    assert ("account_no", 0) == (found.fact, found.tool_event)


@pytest.mark.parametrize(
    ("condition", "heard", "sent"),
    [
        (Condition.TEXT, WRONG, {"number": "4820197365"}),
        (Condition.ASR, RIGHT, {"number": "4820197365"}),
        (Condition.ASR, WRONG, {"number": "1111111111"}),
        (Condition.ASR, WRONG, {"number": "4820197355"}),
        (Condition.ASR, RIGHT, None),
    ],
)
def test_other_failures_are_not_put_down_to_hearing(condition: Condition, heard: str, sent: dict[str, Any] | None) -> None:
    """Under text, with the fact heard right, with another wrong value, with a met action, or never called: nothing."""
    assert () == _of_call(_call(condition, heard, sent, clip=condition is Condition.ASR)).attribution


def test_a_fact_said_again_and_heard_right_is_not_missing() -> None:
    """The repetition arrived, so a missing call has another cause."""
    script = CallScript(Condition.ASR).agent("Number?").caller(RIGHT, "something else", clip=True)
    trace = script.agent("Again, please?").caller(RIGHT, clip=True).agent("Goodbye.").trace()

    assert () == _of_call(trace).attribution


def test_a_language_without_spoken_forms_is_still_summarised() -> None:
    """Known values are then found in their written form alone."""
    made = scenario(language="hi", script="Deva", expected=[FIND])
    trace = CallScript(Condition.AUTHORED).agent("नमस्ते").caller("खाता 4820197355", "खाता 4820197365").trace()
    trace = trace.model_copy(update={"header": trace.header.model_copy(update={"language": "hi"})})
    case = _graded(trace, made)
    key = CaseKey(scenario=made.id, condition=Condition.AUTHORED)
    summary = summarise(_run(key), _bundle(made), RulesJudge().record(), [case], {}, tagged=True)

    assert (0, 1) == (summary.cases[0].known_values.survived, summary.cases[0].known_values.occurring)


@pytest.mark.parametrize(
    ("change", "tagged", "expected"),
    [
        ({}, True, ()),
        ({}, False, ("the commit does not carry the tag of its version, v1",)),
        ({"bundle_locked": False}, True, ("the bundle is not locked",)),
    ],
)
def test_a_run_says_why_it_is_not_official(change: dict[str, Any], tagged: bool, expected: tuple[str, ...]) -> None:
    """Official only from a clean, tagged tree and a locked bundle with every declared case finished."""
    code = CodeVersion(version="1", commit="abc", dirty=False)
    case = _scored("s", Condition.TEXT, 50)
    trace = case.trace.model_copy(update={"header": case.trace.header.model_copy(update={"code": code})})
    key = CaseKey(scenario="s", condition=Condition.TEXT)
    run = _run(key, **{"code": code, **change})
    summary = summarise(
        run,
        _bundle(scenario(id="s")),
        RulesJudge().record(),
        [GradedCase(case.name, trace, case.grade.model_copy(update={"code": code}))],
        {},
        tagged=tagged,
    )

    assert expected == summary.official_reasons
    assert (not expected) == summary.official


def test_dirty_tree_other_code_and_missing_cases_are_named() -> None:
    """Every reason at once, in words."""
    code = CodeVersion(version="1", commit="abc", dirty=True)
    missing = CaseKey(scenario="s", condition=Condition.TEXT, repeat=1)
    reasons = _summary([_scored("s", Condition.TEXT, 50)], missing, code=code).official_reasons

    assert (
        "the working tree has uncommitted changes",
        "some calls were made by another version of the code",
        "some calls were graded by another version of the code",
        "1 of 2 declared cases are not finished and graded",
    ) == reasons


def test_the_summary_is_stable_and_holds_no_long_floats() -> None:
    """Any order of cases gives the same bytes, every number of a score has at most six decimals, and none is NaN."""
    cases = [
        _scored(f"s{n}", condition, n * 7.3 % 100, repeat, "larkfield" if n % 2 else "swiftlane")
        for n in range(5)
        for condition in (Condition.TEXT, Condition.ASR)
        for repeat in range(3)
    ]
    keys = [CaseKey(scenario=c.grade.scenario, condition=c.grade.condition, repeat=c.grade.repeat) for c in cases]
    bundle = _bundle(*(scenario(id=f"s{n}", agent="larkfield" if n % 2 else "swiftlane") for n in range(5)))
    texts = {
        json.dumps(
            summarise(_run(*keys, repeats=3), bundle, RulesJudge().record(), order, {}, tagged=True).to_json(), allow_nan=False
        )
        for order in (cases, cases[::-1])
    }

    assert 1 == len(texts)
    assert [] == re.findall(r"\d\.\d{7,}", texts.pop())


def test_notes_say_what_intervals_and_slices_are() -> None:
    """SPEC 6: printed beside every interval and slice."""
    notes = " ".join(_summary([_scored("s", Condition.TEXT, 50)]).notes)

    assert "Intervals cover benchmark sampling only" in notes
    assert "Slices hold different agents and tasks" in notes
    assert "0.8" in notes


def test_case_scores_are_the_grades() -> None:
    """Each case shows both pillars and overall as graded."""
    (case,) = _summary([_scored("s", Condition.TEXT, 40)]).cases

    assert ({Pillar.TASK: 40.0, Pillar.CONVERSATION: 100.0}, 70.0) == (case.scores, case.overall)
