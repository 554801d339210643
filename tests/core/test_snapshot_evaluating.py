"""Asking a detector about every call once: what it is given, what is kept of its answers, and what becomes of trouble.

The detectors here are scripted: they say what a test tells them to, and hear nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from threading import Barrier
from typing import TypeVar

import numpy as np
import pytest

from core.errors import (
    BusyError,
    ContextOverflowError,
    FileError,
    InputError,
    ModeratedError,
    OperatorError,
    ProviderError,
    RefusedError,
    UsageError,
)
from core.schemas.detections import DetectionError, InputMode
from core.schemas.snapshots import Delivery, Label, ManifestRow
from core.snapshots.detector import CallSound, CallWords, Said
from core.snapshots.evaluating.held_out import HeldOut
from core.snapshots.evaluating.inputs import HeardInputs, Inputs, SoundInputs, WrittenInputs, sound_of
from core.snapshots.evaluating.runner import ask, ask_all
from core.snapshots.evaluating.store import EvaluationStore
from core.snapshots.parsing import PARSER
from core.snapshots.summary import config_key, detector_key, promptless_key
from tests.core.audit_calls import sibling
from tests.core.evaluating_samples import Scripted, asking, begun, row_of, rows_of, run_with, transcript_of, wav_of

T = TypeVar("T")


def ids_of(rows: list[ManifestRow]) -> list[str]:
    """Ids in their order."""
    return [row.call.sample_id for row in rows]


def kept(store: EvaluationStore) -> list[str]:
    """Calls that were answered, in order."""
    return [each.sample_id for each in store.responses()]


# -- what a detector is given ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", list(InputMode))
def test_a_detector_sees_the_call_and_nothing_else(tmp_path: Path, mode: InputMode) -> None:
    """Neither label, id, tree, action, path nor tag of delivery is anywhere in what is handed over, in any mode."""
    calls = [sibling(tree, 0, label, delivery=Delivery.URGENT) for tree in range(2) for label in Label]
    rows = [row_of(call, tmp_path) for call in calls]
    heard = {row.call.sample_id: transcript_of(row) for row in rows}
    inputs: dict[InputMode, Inputs] = {
        InputMode.AUDIO: SoundInputs(tmp_path, rows),
        InputMode.ASR: HeardInputs(heard, rows),
        InputMode.REF: WrittenInputs(),
    }
    detector = Scripted("FRAUD")
    ask_all(rows, asking(detector, inputs[mode]), begun(tmp_path / "eval"))
    for row, given in zip(rows, detector.given, strict=True):
        call = row.call
        shown = given.wav.decode("latin-1") if isinstance(given, CallSound) else given.text
        told = [call.label, call.sample_id, call.tree_id, call.family_id, call.abstract_id, *call.leaf_path]
        told += [*Delivery, "audio/", *(turn.action for turn in call.turns), call.rationale.evidence]
        assert [] == [word for word in told if word.lower() in shown.lower()]
        expected = {
            InputMode.AUDIO: {"samples", "sample_rate", "wav"},
            InputMode.ASR: {"text"},
            InputMode.REF: {"text"},
        }[mode]
        assert expected == set(asdict(given))


def test_words_are_those_of_the_call_whole_and_by_side(tmp_path: Path) -> None:
    """A line per turn, marked by who speaks; the longest call is handed over to its last sign."""
    long = row_of(sibling(1, 0, Label.FRAUD, cue="很长" * 20_000))
    detector = Scripted("FRAUD")
    ask_all([long], asking(detector), begun(tmp_path))
    assert [CallWords("\n".join(f"{turn.side.value}: {turn.text}" for turn in long.call.turns))] == detector.given


def test_sound_is_the_frozen_file(tmp_path: Path) -> None:
    """The bytes of the file unchanged, and its numbers as samples between -1 and 1."""
    (row,) = [row_of(sibling(1, 0, Label.FRAUD), tmp_path)]
    assert row.audio is not None
    detector = Scripted("FRAUD")
    store = begun(tmp_path / "eval")
    ask_all([row], asking(detector, SoundInputs(tmp_path, [row])), store)
    (given,) = detector.given
    assert isinstance(given, CallSound)
    assert (tmp_path / row.audio.path).read_bytes() == given.wav
    numbers = np.frombuffer(given.wav[44:], dtype="<i2")
    assert (24_000, [number / 32768 for number in numbers]) == (given.sample_rate, given.samples.tolist())
    assert [(row.audio.sha256, None)] == [(each.audio_sha256, each.transcript_id) for each in store.responses()]


def test_an_answer_names_the_transcript_it_read(tmp_path: Path) -> None:
    """Recording and transcript stand in every response of `asr`, and neither in one of `ref`."""
    rows = rows_of(tmp_path)
    heard = {row.call.sample_id: transcript_of(row) for row in rows}
    asr, ref = begun(tmp_path / "asr"), begun(tmp_path / "ref")
    ask_all(rows, asking(Scripted("FRAUD"), HeardInputs(heard, rows)), asr)
    ask_all(rows, asking(Scripted("FRAUD")), ref)
    found = [(each.audio_sha256, each.transcript_id) for each in asr.responses()]
    assert [(line.audio_sha256, line.transcript_id) for line in heard.values()] == found
    assert {(None, None)} == {(each.audio_sha256, each.transcript_id) for each in ref.responses()}


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda path: path.unlink(), "no recording here: make the month's sound again"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1] + b"\x7f"), "not the frozen recording: its hash is"),
    ],
)
def test_a_recording_that_is_not_the_frozen_one_is_refused(tmp_path: Path, harm: Callable[[Path], object], said: str) -> None:
    """Nobody is asked about other bytes than were frozen."""
    rows = rows_of(tmp_path)
    inputs, detector = SoundInputs(tmp_path, rows), Scripted("FRAUD")
    assert rows[1].audio is not None
    harm(tmp_path / rows[1].audio.path)
    store = begun(tmp_path / "eval")
    with pytest.raises(FileError, match=said):
        ask_all(rows, asking(detector, inputs), store)
    assert (ids_of(rows[:1]), 1) == (kept(store), len(detector.given))


def test_missing_sound_is_told_before_any_call(tmp_path: Path) -> None:
    """A month whose recordings are elsewhere cannot be heard, nor one of text alone."""
    rows = rows_of(tmp_path)
    with pytest.raises(FileError, match="ringback snapshot rebuild"):
        SoundInputs(tmp_path / "elsewhere", rows)
    with pytest.raises(UsageError, match="its month is text alone: ask with --mode ref"):
        SoundInputs(tmp_path, rows_of())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not a WAV file"),
        (b"RIFF\x04\x00\x00\x00WAVE", "not a WAV file"),
        (wav_of(np.zeros(8, "<i2"), channels=2), "2 channels of 16 bits"),
        (wav_of(np.zeros(8, "u1"), width=1), "1 channels of 8 bits"),
    ],
)
def test_only_mono_with_16_bits_is_sound(data: bytes, said: str) -> None:
    """Other files are named with what they are."""
    with pytest.raises(FileError, match=f"call.wav: {said}"):
        sound_of(data, Path("call.wav"))


def test_transcripts_are_of_the_frozen_recordings(tmp_path: Path) -> None:
    """One that is missing or of another recording is refused before any call."""
    rows = rows_of(tmp_path)
    heard = {row.call.sample_id: transcript_of(row) for row in rows}
    first = rows[0].call.sample_id
    with pytest.raises(FileError, match=f"the transcript of '{first}' is of another recording"):
        HeardInputs({**heard, first: heard[first].model_copy(update={"audio_sha256": "0" * 64})}, rows)
    del heard[first]
    with pytest.raises(FileError, match=f"no transcript of '{first}', one of 3 transcripts"):
        HeardInputs(heard, rows)


# -- answers --------------------------------------------------------------------------------------------------------------


def test_every_call_is_asked_about_once_in_order_and_kept_at_once(tmp_path: Path) -> None:
    """When a call is asked about, the answers to all before it are on disk; each call has a seed of its own."""
    rows, store = rows_of(trees=3), begun(tmp_path)
    seen: list[list[str]] = []

    def look() -> Said:
        seen.append(kept(store))
        return Said("FRAUD", score=0.75)

    detector = Scripted(look)
    ask_all(rows, asking(detector), store)
    assert [ids_of(rows[:place]) for place in range(6)] == seen
    assert ids_of(rows) == kept(store)
    assert 6 == len(set(detector.seeds))
    assert {0.75} == {each.score for each in store.responses()}
    again = Scripted("NONFRAUD")
    ask_all(rows, asking(again), store)
    assert ([], ids_of(rows)) == (again.given, kept(store))


@pytest.mark.parametrize(
    ("step", "parsed", "error", "reason"),
    [
        ("FRAUD", Label.FRAUD, None, None),
        ("非诈骗。", Label.NONFRAUD, None, None),
        ("This is not fraud.", None, DetectionError.PARSE, None),
        (" \n", None, DetectionError.EMPTY, None),
        ("I cannot help with that.", None, DetectionError.REFUSAL, None),
        (Said("FRAUD", error=DetectionError.PARSE), None, DetectionError.PARSE, None),
        (ContextOverflowError("9000 tokens\nof 4096"), None, DetectionError.TOO_LONG, "9000 tokens of 4096"),
        (ModeratedError("withheld"), None, DetectionError.REFUSAL, "withheld"),
        (RefusedError("no"), None, DetectionError.REFUSAL, "no"),
        (TimeoutError("no answer within 60 s"), None, DetectionError.TIMEOUT, "no answer within 60 s"),
        (TimeoutError(), None, DetectionError.TIMEOUT, "TimeoutError"),
        (ProviderError("500 five times"), None, DetectionError.TRANSPORT, "500 five times"),
        (ProviderError("half \ud83d"), None, DetectionError.TRANSPORT, "half \\ud83d"),
    ],
)
def test_an_answer_is_a_label_or_a_flag(
    tmp_path: Path, step: str | Said | Exception, parsed: Label | None, error: DetectionError | None, reason: str | None
) -> None:
    """Words are kept as they came; what is raised becomes a flag with its reason, and the next call is asked about."""
    rows, store = rows_of(), begun(tmp_path)
    ask_all(rows, asking(Scripted(step, "NONFRAUD")), store)
    first, second, *_ = store.responses()
    raw = step if isinstance(step, str) else step.raw if isinstance(step, Said) else ""
    assert (raw, parsed, error) == (first.raw, first.parsed, first.error)
    assert ((reason,) if reason else ()) == first.attempts
    assert Label.NONFRAUD == second.parsed
    assert 1000.0 == first.latency_ms


@pytest.mark.parametrize("said", [Said("half \ud83d of a sign"), Said("FRAUD", attempts=("half \ud83d of a sign",))])
def test_what_no_file_can_hold_is_no_answer(said: Said) -> None:
    """Half of a character, as an endpoint's JSON may carry it: no answer came, with the reason."""
    found = ask(rows_of()[0], asking(Scripted(said)))
    reason = "answered with 'half \\ud83d of a sign', which is no Unicode text"
    assert ("", None, DetectionError.TRANSPORT, (reason,)) == (found.raw, found.parsed, found.error, found.attempts)


def test_a_detector_that_cannot_work_stops_the_evaluation(tmp_path: Path) -> None:
    """What was answered before is kept, and the same evaluation goes on with the rest."""
    rows, store = rows_of(), begun(tmp_path)
    with pytest.raises(OperatorError, match="wrong key"):
        ask_all(rows, asking(Scripted("FRAUD", OperatorError("wrong key"))), store)
    assert ids_of(rows[:1]) == kept(store)
    rest = Scripted("NONFRAUD")
    ask_all(rows, asking(rest), begun(tmp_path))
    assert ids_of(rows) == kept(store)
    assert 3 == len(rest.given)


def test_several_at_once_give_the_same_answers(tmp_path: Path) -> None:
    """Two threads meet at a barrier, so calls are asked about at once; each has its one answer with its own seed."""
    rows, barrier = rows_of(trees=3), Barrier(2)

    def meet() -> Said:
        barrier.wait(timeout=10)
        return Said("FRAUD")

    at_once, alone = begun(tmp_path / "many"), begun(tmp_path / "one")
    many, one = Scripted(meet), Scripted("FRAUD")
    with ThreadPoolExecutor(2) as threads:
        ask_all(rows, asking(many), at_once, threads)
    ask_all(rows, asking(one), alone)
    assert sorted(ids_of(rows)) == sorted(kept(at_once))
    assert sorted(one.seeds) == sorted(many.seeds)


class Immediate(Executor):
    """Does all work when it is handed out, so that every answer is there before any is looked at."""

    def submit(self, fn: Callable[..., T], /, *args: object, **kwargs: object) -> Future[T]:
        """Work that is done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except OperatorError as error:
            future.set_exception(error)
        return future


def test_answers_that_are_there_are_kept_when_another_stops_the_evaluation(tmp_path: Path) -> None:
    """Of calls at once one finds the key wrong; the answers to the others are there already and are not lost."""
    rows, store = rows_of(), begun(tmp_path)
    detector = Scripted("FRAUD", OperatorError("wrong key"), "FRAUD", "NONFRAUD")
    with pytest.raises(OperatorError, match="wrong key"):
        ask_all(rows, asking(detector), store, Immediate())
    assert sorted([rows[place].call.sample_id for place in (0, 2, 3)]) == sorted(kept(store))
    ask_all(rows, asking(Scripted("FRAUD")), store)
    assert sorted(ids_of(rows)) == sorted(kept(store))


def test_again_asks_only_where_no_answer_came(tmp_path: Path) -> None:
    """Refusals and words that are no label are answers. A new answer stands where the old one stood and names it."""
    rows, store = rows_of(), begun(tmp_path)
    ask_all(rows, asking(Scripted(ProviderError("down"), "well", TimeoutError("late"), RefusedError("no"))), store)
    before = store.responses()
    silent = Scripted("FRAUD")
    ask_all(rows, asking(silent), store)
    assert ([], before) == (silent.given, store.responses())
    ask_all(rows, asking(Scripted("FRAUD", ProviderError("still down"))), store, again=True)
    after = store.responses()
    assert ids_of(rows) == [each.sample_id for each in after]
    assert before[1] == after[1]
    assert before[3] == after[3]
    assert (Label.FRAUD, ("down", "asked at 2026-12-01T00:00:00Z: transport")) == (after[0].parsed, after[0].attempts)
    assert DetectionError.TRANSPORT == after[2].error
    assert ("late", "asked at 2026-12-01T00:00:00Z: timeout", "still down") == after[2].attempts


def test_an_answer_depends_on_its_call_alone(tmp_path: Path) -> None:
    """The seed of a call is the same whatever is asked before it."""
    rows, one, all_ = rows_of(), Scripted("FRAUD"), Scripted("FRAUD")
    ask(rows[2], asking(one))
    ask_all(rows, asking(all_), begun(tmp_path))
    assert one.seeds == all_.seeds[2:3]


# -- the folder -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"root_sha256": "b" * 64}, "holds answers about 2026-11-zh aaaaaaaaaaaa, not about 2026-11-zh bbbbbbbbbbbb"),
        ({"snapshot_id": "2026-12-zh"}, "not about 2026-12-zh aaaaaaaaaaaa"),
        ({"settings": {"temperature": 1, "top_p": 1}}, "another configuration (settings: temperature 0 there, 1 now)"),
        ({"settings": {"temperature": 0}}, "(settings: top_p 1 there, None now)"),
        ({"mode": InputMode.ASR}, "(mode: ref there, asr now)"),
        ({"detector": "offline:keywords"}, "(detector: python:scripted there, offline:keywords now)"),
        ({"prompt_sha256": "2" * 64}, "(prompt_sha256: #"),
        ({"prompt_language": "en"}, "(prompt_language: zh there, en now)"),
        ({"recogniser": {"model": "whisper-base"}}, "(recogniser: None there, {'model': 'whisper-base'} now)"),
    ],
)
def test_another_configuration_is_refused(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    """The message names what differs; nothing is written. The same configuration at another time goes on."""
    begun(tmp_path)
    before = (tmp_path / "run.json").read_bytes()
    with pytest.raises(InputError) as caught:
        begun(tmp_path, **changes)
    assert said in str(caught.value)
    begun(tmp_path, started_at="2027-01-01T00:00:00Z")
    assert before == (tmp_path / "run.json").read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"python:scripted"', '"python:other"', "was changed: its key is"),
        ('"ref"', '"guess"', "not a manifest of an evaluation: mode"),
        ("{", "", "not a whole manifest"),
    ],
)
def test_a_run_that_was_changed_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    """`run.json` is written once."""
    begun(tmp_path)
    path = tmp_path / "run.json"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FileError, match=said):
        begun(tmp_path)


def test_another_folder_is_refused(tmp_path: Path) -> None:
    """What holds something else is left alone, and what holds nothing is no evaluation."""
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(FileError, match="not empty and holds no evaluation"):
        begun(tmp_path)
    with pytest.raises(FileError, match="no evaluation here"):
        EvaluationStore.open(tmp_path)
    with pytest.raises(FileError, match="cannot create this folder"):
        begun(tmp_path / "notes.txt" / "eval")


def test_what_a_kill_leaves_is_cleared_away(tmp_path: Path) -> None:
    """A torn last line is no answer, so its call is asked about again; half-written files go."""
    rows, store = rows_of(), begun(tmp_path)
    ask_all(rows[:2], asking(Scripted("FRAUD")), store)
    path = tmp_path / "responses.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    (tmp_path / ".responses.jsonl.x1").write_bytes(b"{")
    (tmp_path / ".run.json.x1").write_bytes(b"{")
    rest = Scripted("NONFRAUD")
    ask_all(rows, asking(rest), begun(tmp_path))
    assert (ids_of(rows), 3) == (kept(store), len(rest.given))
    assert ["responses.jsonl", "run.json"] == sorted(path.name for path in tmp_path.iterdir())


def test_no_call_counts_twice(tmp_path: Path) -> None:
    """A line that stands twice, one about another month's call and one that is no response are refused with their place."""
    rows, store = rows_of(), begun(tmp_path)
    ask_all(rows, asking(Scripted("FRAUD")), store)
    path = tmp_path / "responses.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines(keepends=True)[0])
    with pytest.raises(FileError, match=f"line 5 is a second response of '{rows[0].call.sample_id}'"):
        ask_all(rows, asking(Scripted("FRAUD")), store)
    path.write_bytes(whole + b"{}\n")
    with pytest.raises(FileError, match="line 5 is no response"):
        ask_all(rows, asking(Scripted("FRAUD")), store)
    path.write_bytes(whole)
    with pytest.raises(FileError, match="no call of this month"):
        ask_all(rows[1:], asking(Scripted("FRAUD")), store)


def _edit(store: EvaluationStore, place: int, **changes: object) -> None:
    """Change an answer in the file as anybody with an editor can."""
    path = store.root / "responses.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[place] = json.dumps({**json.loads(lines[place]), **changes}, ensure_ascii=False)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize("parser", [PARSER, None])
@pytest.mark.parametrize(
    ("place", "changes", "said"),
    [
        (0, {"parsed": "NONFRAUD"}, "NONFRAUD stands there, 'FRAUD' reads as FRAUD"),
        (1, {"parsed": "FRAUD", "error": None}, "FRAUD stands there, 'well' reads as parse"),
        (0, {"raw": "NONFRAUD"}, "FRAUD stands there, 'NONFRAUD' reads as NONFRAUD"),
        (0, {"parsed": None, "error": "refusal"}, "refusal stands there, 'FRAUD' reads as FRAUD"),
        (1, {"error": "timeout"}, "timeout stands there, 'well' reads as parse"),
    ],
)
def test_a_label_that_the_words_do_not_say_is_refused(
    tmp_path: Path, place: int, changes: dict[str, object], said: str, parser: str | None
) -> None:
    """An edited label or error never gets into figures; older files do not tell which errors a detector itself gave."""
    rows, store = rows_of(), begun(tmp_path, parser=parser)
    ask_all(rows, asking(Scripted("FRAUD", "well")), store)
    assert 2 == store.summarised(rows).metrics.tp
    _edit(store, place, **changes)
    if parser is None and changes.get("error"):
        assert DetectionError(str(changes["error"])) == store.responses()[place].error
        return
    for ask_for in (store.responses, lambda: store.summarised(rows), lambda: ask_all(rows, asking(Scripted("FRAUD")), store)):
        with pytest.raises(FileError) as caught:
            ask_for()
        assert f"line {place + 1}, '{rows[place].call.sample_id}': was changed: {said}; evaluate anew" in str(caught.value)


def test_errors_that_the_detector_gave_stand_whatever_the_words_say(tmp_path: Path) -> None:
    """Cut off after a label, and no answer at all: both are marked as the detector's own, and only an error can be."""
    rows, store = rows_of(), begun(tmp_path, parser=PARSER)
    script = (Said("FRAUD", error=DetectionError.PARSE), TimeoutError("late"), "well", "FRAUD")
    ask_all(rows, asking(Scripted(*script)), store)
    assert [(DetectionError.PARSE, True), (DetectionError.TIMEOUT, True), (DetectionError.PARSE, False), (None, False)] == [
        (each.error, each.flagged) for each in store.responses()
    ]
    assert 3 == sum(sum(kinds.values()) for kinds in store.summarised(rows).errors.values())
    _edit(store, 3, flagged=True)
    with pytest.raises(FileError, match=r"line 4 is no response: .* a detector gave an error"):
        store.responses()


def test_answers_are_read_by_the_parser_of_their_run(tmp_path: Path) -> None:
    """Those of another version are refused, and not gone on with; a run older than the note goes on."""
    rows, store = rows_of(), begun(tmp_path / "other", parser="two-label-v0")
    ask_all(rows[:1], asking(Scripted("FRAUD")), store)
    with pytest.raises(FileError, match="labels were read by 'two-label-v0', in force is 'two-label-v1'"):
        store.summarised(rows)
    with pytest.raises(InputError, match=re.escape("(parser: two-label-v0 there, two-label-v1 now)")):
        begun(tmp_path / "other", parser=PARSER)
    older = begun(tmp_path / "older")
    ask_all(rows[:1], asking(Scripted("FRAUD")), older)
    ask_all(rows, asking(Scripted("FRAUD")), begun(tmp_path / "older", parser=PARSER, party="python:named"))
    assert (ids_of(rows), None) == (kept(older), older.run().parser)


def test_a_configuration_is_the_same_however_its_party_is_spelled(tmp_path: Path) -> None:
    """Where the party names itself, the typed text is shown and decides nothing: not the keys, nor whether it goes on."""
    one, other = (
        run_with(detector=text, party="offline:keywords") for text in ("offline:keywords", "offline:keywords?threshold=03")
    )
    for key in (config_key, detector_key, promptless_key):
        assert key(one) == key(other)
        assert key(one) != key(run_with(detector="offline:keywords", party="offline:acoustic"))
        assert key(one) != key(run_with(detector="offline:keywords", party="offline:keywords", settings={"threshold": 4}))
    begun(tmp_path, detector=one.detector, party=one.party)
    begun(tmp_path, detector=other.detector, party=other.party)
    assert one.detector == begun(tmp_path, detector=other.detector, party=other.party).run().detector
    with pytest.raises(InputError, match=re.escape("(party: offline:keywords there, offline:acoustic now)")):
        begun(tmp_path, detector=one.detector, party="offline:acoustic")


def test_one_process_asks_at_a_time(tmp_path: Path) -> None:
    """The second one is told so."""
    store = begun(tmp_path)
    with store.working(), pytest.raises(BusyError, match="another process is asking about these calls"), store.working():
        pass


def test_figures_need_every_answer(tmp_path: Path) -> None:
    """Missing answers and calls of one label are told in one line; the figures are those of the labels of the month."""
    rows, store = rows_of(), begun(tmp_path)
    ask_all(rows[:3], asking(Scripted("FRAUD")), store)
    with pytest.raises(InputError, match="cannot be summed up: 1 calls without a response"):
        store.summarised(rows)
    ask_all(rows, asking(Scripted("FRAUD")), store)
    summary = store.summarised(rows)
    store.save_summary(summary)
    assert (1.0, 0.0, 0.5) == (summary.metrics.fraud_recall, summary.metrics.nonfraud_recall, summary.metrics.balanced_accuracy)
    assert summary == store.summary()
    one = begun(tmp_path / "one")
    ask_all(rows[::2], asking(Scripted("FRAUD")), one)
    with pytest.raises(InputError, match="cannot be summed up"):
        one.summarised(rows[::2])


def test_a_key_is_that_of_the_configuration(tmp_path: Path) -> None:
    """The time is no part of it, everything else is."""
    run = run_with()
    assert run.config_key == run_with(started_at="2027-01-01T00:00:00Z").config_key
    assert run.config_key != run_with(prompt_language="en").config_key
    assert run.config_key == json.loads((begun(tmp_path).root / "run.json").read_bytes())["config_key"]


# -- what may not be learned from -----------------------------------------------------------------------------------------


def test_a_month_is_not_learned_from() -> None:
    """Neither its calls nor other calls of its trees nor its words under another id."""
    rows = rows_of()
    month, call = HeldOut.of(rows), rows[0].call
    month.refuse([sibling(9, 0, Label.FRAUD)], "training")
    other = sibling(9, 0, Label.FRAUD)
    for learned in (
        call,
        other.model_copy(update={"tree_id": call.tree_id}),
        other.model_copy(update={"turns": call.turns}),
    ):
        with pytest.raises(UsageError, match="which is in the month itself: a month is for testing alone"):
            month.refuse([learned], "training")
