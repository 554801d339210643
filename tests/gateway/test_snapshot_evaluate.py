"""`ringback snapshot evaluate`: a frozen month, a detector, and what is on disk afterwards, whatever happened in between."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.errors import EXIT_INPUT, EXIT_OK, UsageError
from core.schemas.base import sha256
from core.schemas.detections import InputMode
from core.schemas.imported_calls import ImportedCall, ImportedTurn
from core.snapshots.detector import CallWords
from core.snapshots.evaluating.held_out import HeldOut
from core.snapshots.freezing.reading import Snapshot, read_transcripts
from core.snapshots.importing.collecting import Collector, Read, write_calls
from gateway.snapshots.detectors import Wanted, make_detector
from models.detectors.keywords import risk_words
from models.detectors.text import bare, training
from tests.core.snapshot_months import rebuilt_elsewhere, writable_copy
from tests.repository.tree import ROOT
from tests.support.command import Command
from tests.support.noise_months import HEARD_BY, noise_month
from tests.support.shell import Shell

OWN = "python:tests.support.detectors"
BASELINES = ("offline:tfidf-lr?trees=2", "offline:tfidf-svm?trees=2", "offline:frozen-encoder?trees=2", "offline:keywords")
CALLS = 10


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A month with recordings and transcripts, not to be changed."""
    return noise_month(tmp_path_factory.mktemp("month"), audio=True)


@pytest.fixture(scope="module")
def text_month(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A month of text alone, not to be changed."""
    return noise_month(tmp_path_factory.mktemp("text"), "zh", trees=2)


def lines_of(folder: Path | str, name: str = "responses.jsonl") -> list[dict[str, Any]]:
    """Lines of a file of an evaluation."""
    path = Path(folder) / name
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def evaluate(shell: Shell, month: Snapshot, detector: str, *more: str, mode: str = "asr", out: str = "eval") -> int:
    """The command."""
    return shell("snapshot", "evaluate", str(month.root), "--detector", detector, "--mode", mode, "--out", out, *more)


# -- the detectors that ship ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_text_detectors_share_each_transcript(shell: Shell, month: Snapshot) -> None:
    """Three detectors in `asr`: a label for every call, and for each call the same transcript id, that of the month."""
    frozen = {sample: line.transcript_id for sample, line in read_transcripts(month.root).items()}
    for place, detector in enumerate((BASELINES[0], BASELINES[1], BASELINES[3])):
        assert EXIT_OK == evaluate(shell, month, detector, out=f"eval{place}")
        found = lines_of(f"eval{place}")
        assert [row.call.sample_id for row in month.rows] == [line["sample_id"] for line in found]
        assert frozen == {line["sample_id"]: line["transcript_id"] for line in found}
        assert {None} == {line["error"] for line in found}
        run = json.loads(Path(f"eval{place}/run.json").read_bytes())
        assert (month.head.root_sha256, HEARD_BY) == (run["root_sha256"], run["recogniser"])
        assert not Path(f"eval{place}/transcripts.jsonl").exists()


@pytest.mark.parametrize("detector", BASELINES)
def test_a_month_of_text_is_evaluated_in_its_words(shell: Shell, text_month: Snapshot, detector: str) -> None:
    """The table shows both recalls beside those who do not listen; the summary holds the same figures."""
    assert EXIT_OK == evaluate(shell, text_month, detector, mode="ref")
    summary = json.loads(Path("eval/summary.json").read_bytes())
    metrics = summary["metrics"]
    assert (CALLS, CALLS) == (metrics["n"], metrics["tp"] + metrics["tn"] + metrics["fp"] + metrics["fn"])
    figures = [metrics[name] for name in ("fraud_recall", "nonfraud_recall", "balanced_accuracy", "macro_f1", "fraud_f1")]
    shown = " ".join(f"{figure:.3f}" for figure in figures)
    assert f"these answers {shown} {metrics['predicted_fraud_ratio']:.3f} 0.000" in shell.words
    assert "always all_fraud 1.000 0.000 0.500 0.375 0.750 1.000 0.000" in shell.words
    assert f"collapse: {summary['collapse']['tag']} (" in shell.words


def test_a_configuration_counts_once_however_it_is_spelled(shell: Shell, text_month: Snapshot) -> None:
    """One detector in three spellings is one configuration, shown as it was typed; another setting is another (check 47)."""
    spellings = (
        "offline:keywords",
        "offline:keywords?threshold=3",
        "offline:keywords?threshold=03",
        "offline:keywords?threshold=4",
    )
    for place, detector in enumerate(spellings):
        assert EXIT_OK == evaluate(shell, text_month, detector, mode="ref", out=f"eval{place}")
    assert EXIT_OK == evaluate(shell, text_month, spellings[1], mode="ref", out="eval0")
    runs = [json.loads(Path(f"eval{place}/run.json").read_bytes()) for place in range(4)]
    assert [*spellings] == [run["detector"] for run in runs]
    assert {"offline:keywords"} == {run["party"] for run in runs}
    assert runs[0]["config_key"] == runs[1]["config_key"] == runs[2]["config_key"] != runs[3]["config_key"]
    assert EXIT_OK == shell("snapshot", "report", "eval0", "eval1", "eval2", "eval3")
    assert "4 evaluations listed, 2 configurations counted" in shell.words


def test_keywords_fall_into_the_trap(text_month: Snapshot) -> None:
    """Three words of risk are in nearly every call, whatever it is; a call without any is not fraud."""
    detector = make_detector("offline:keywords", Wanted("zh", "zh", InputMode.REF))
    said = {label: Counter[str]() for label in text_month.head.counts}
    for row in text_month.rows:
        said[row.call.label][detector.detect(CallWords(row.call.text), 0).raw] += 1
    assert all(counts["FRAUD"] > counts["NONFRAUD"] for counts in said.values())
    words = risk_words("zh")
    for text, label in (("晚上吃什么？", "NONFRAUD"), (words.words[0] * words.threshold, "FRAUD")):
        assert label == detector.detect(CallWords(text), 0).raw
    strict = make_detector("offline:keywords?threshold=1000", Wanted("zh", "zh", InputMode.REF))
    assert "NONFRAUD" == strict.detect(CallWords(text_month.rows[0].call.text), 0).raw


def test_a_baseline_is_the_same_each_time_and_tells_what_it_learned(text_month: Snapshot) -> None:
    """Same seed, same answers and record; another seed is another record; forms of `ref` and `asr` are not the same."""
    text = CallWords(text_month.rows[0].call.text)

    def made(options: str, mode: InputMode = InputMode.REF) -> tuple[Any, float | None]:
        detector = make_detector(f"offline:tfidf-lr?{options}", Wanted("zh", "zh", mode, HeldOut.of(text_month.rows)))
        return detector.record(), detector.detect(text, 0).score

    first = made("trees=1")
    assert first == made("trees=1")
    learned = first[0].settings["trained_on"]
    assert ("training-zh", 1) == (learned["namespace"], learned["trees"])
    hashes = {
        each[0].settings["trained_on"]["sha256"] for each in (first, made("trees=1&train=8"), made("trees=1", InputMode.ASR))
    }
    assert 3 == len(hashes)


def test_transcripts_and_what_is_learned_for_them_have_one_form() -> None:
    """Marks, case, width and line breaks are gone; words and Chinese signs stay."""
    assert "yes read me the 6 digits" == bare("Yes, read me:\nthe ６ digits!")
    assert bare("您好，请把验证码 告诉我。") == bare("您好 请把验证码\n告诉我")


def test_imported_calls_can_be_learned_from(tmp_path: Path, text_month: Snapshot) -> None:
    """A folder of an import is named by `train`; what is in the month is refused, and so is a folder without calls."""
    calls = [
        ImportedCall(
            sample_id=f"x-{label.lower()}-{place}",
            source="x",
            source_id=str(place),
            group=f"x-{label.lower()}-{place}",
            family="any",
            language="zh",
            label=label,
            turns=tuple(ImportedTurn(side=side, text=f"{words}{place}") for side in ("caller", "receiver")),
        )
        for label, words in (("FRAUD", "转账"), ("NONFRAUD", "取件"))
        for place in range(6)
    ]
    write(tmp_path / "own", calls)
    asked = Wanted("zh", "zh", InputMode.REF, HeldOut.of(text_month.rows))
    detector = make_detector(f"offline:tfidf-svm?train={tmp_path / 'own'}", asked)
    said = [detector.detect(CallWords(f"caller: {words}9\nreceiver: {words}9"), 0).raw for words in ("转账", "取件")]
    assert ["FRAUD", "NONFRAUD"] == said
    row = text_month.rows[0]
    turns = tuple(ImportedTurn(side=turn.side, text=turn.text) for turn in row.call.turns)
    write(tmp_path / "leak", [*calls, calls[0].model_copy(update={"sample_id": "x-9", "source_id": "9", "turns": turns})])
    with pytest.raises(UsageError, match="holds 'x-9', which is in the month itself"):
        make_detector(f"offline:tfidf-lr?train={tmp_path / 'leak'}", asked)
    with pytest.raises(UsageError, match="0 calls in 'en', which are not of both labels"):
        make_detector(f"offline:tfidf-lr?train={tmp_path / 'own'}", Wanted("en", "en", InputMode.REF))


def write(folder: Path, calls: list[ImportedCall]) -> None:
    """Calls as an import leaves them."""
    collector = Collector()
    collector.file("rows.json", "0" * 64)
    for call in calls:
        collector.add("rows.json", partial(Read, call))
    write_calls(folder, collector.finish("x", "CC0-1.0"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"trees": "0"}, "trees is '0': it is a whole number from 1 to 1000"),
        ({"trees": "many"}, "trees is 'many'"),
        ({"train": "calls", "trees": "3"}, "trees is for calls that are written"),
        ({"tree": "3"}, "unknown option 'tree': it takes train, trees"),
    ],
)
def test_bad_options_of_a_baseline_are_told(options: Mapping[str, str], said: str) -> None:
    """Before anything is read or written."""
    with pytest.raises(UsageError, match=said):
        training(options, "offline:tfidf-lr")


# -- going on -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_killed_evaluation_goes_on(tmp_path: Path, month: Snapshot) -> None:
    """Kill -9 at two moments: no answer is lost, changed or given twice, and only the call under way is asked about again."""
    ringback = Command(tmp_path, tmp_path / "cache")
    ask = ("snapshot", "evaluate", month.root, "--mode", "asr")
    own = f"{OWN}:Slow?notes=notes.txt&pause_s=0.15"
    before: list[dict[str, Any]] = []
    for moment in (3, 6):
        with ringback.start(*ask, "--detector", own, "--out", "eval") as process:
            while len(lines_of(tmp_path / "eval")) < moment:
                assert process.poll() is None, process.communicate()
                time.sleep(0.01)
            process.kill()
            process.communicate()
        kept = lines_of(tmp_path / "eval")
        assert before == kept[: len(before)]
        assert moment <= len(kept) < CALLS
        before = kept
    ringback.passes(*ask, "--detector", own, "--out", "eval")
    answers = lines_of(tmp_path / "eval")
    assert before == answers[: len(before)]
    assert [row.call.sample_id for row in month.rows] == [line["sample_id"] for line in answers]
    asked = Counter((tmp_path / "notes.txt").read_text(encoding="utf-8").split())
    assert CALLS == len(asked)
    assert asked.total() <= CALLS + 2
    ringback.passes(*ask, "--detector", own, "--out", "eval")
    assert (answers, asked.total()) == (lines_of(tmp_path / "eval"), len((tmp_path / "notes.txt").read_text().split()))


def test_another_evaluation_in_the_same_folder_is_refused(shell: Shell, month: Snapshot, text_month: Snapshot) -> None:
    """Another month, mode or detector; the answers stay as they are."""
    assert EXIT_OK == evaluate(shell, month, "offline:keywords")
    before = Path("eval/responses.jsonl").read_bytes()
    for other, detector, mode, said in (
        (text_month, "offline:keywords", "ref", "holds answers about 2026-11-en-3 "),
        (month, "offline:keywords", "ref", "mode: asr there, ref now"),
        (month, "offline:keywords?threshold=4", "asr", "threshold 3 there, 4 now"),
    ):
        assert EXIT_INPUT == evaluate(shell, other, detector, mode=mode)
        assert said in shell.err
    assert before == Path("eval/responses.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("manifest.jsonl", b'"provenance":"ours"', b'"provenance":"hers"', "manifest.jsonl: was changed since the freeze"),
        ("SNAPSHOT.json", b'"fraud": 6', b'"fraud": 7', "SNAPSHOT.json or SHA256SUMS was changed since the freeze"),
        ("SHA256SUMS", b"manifest.jsonl", b"manifest.jsonx", "SNAPSHOT.json or SHA256SUMS was changed since the freeze"),
        ("transcripts.json", b'"made_up": true', b'"made_up": false', "transcripts.json: was changed since the freeze"),
    ],
)
def test_a_month_that_was_changed_is_not_evaluated(
    shell: Shell, month: Snapshot, tmp_path: Path, file: str, old: bytes, new: bytes, said: str
) -> None:
    """Labels, words, transcripts and the head are held against their hashes before any call; nothing is written."""
    copy = tmp_path / "copy"
    writable_copy(month.root, copy)
    assert old in (copy / file).read_bytes()
    (copy / file).write_bytes((copy / file).read_bytes().replace(old, new, 1))
    assert EXIT_INPUT == shell("snapshot", "evaluate", str(copy), "--detector", "offline:keywords", "--out", "eval")
    assert said in shell.err
    assert not Path("eval").exists()


# -- detectors of a user's ------------------------------------------------------------------------------------------------


def test_what_a_users_class_does_is_told_call_by_call(shell: Shell, month: Snapshot) -> None:
    """A label with a score, two exceptions, nonsense, a wrong score and prose: each in its own row, none ends the command."""
    assert EXIT_OK == evaluate(shell, month, f"{OWN}:Moody", mode="ref")
    found = [(line["parsed"], line["error"], line["score"]) for line in lines_of("eval")]
    assert ("FRAUD", None, 0.9) == found[0]
    assert ["transport", "too_long", "transport", "transport", "parse"] == [error for _, error, _ in found[1:6]]
    reasons = [line["attempts"][-1] for line in lines_of("eval")[1:5]]
    assert "detect raised KeyError: 'no such word'" in reasons[0]
    assert "longer than I read" == reasons[1]
    assert "detect answered with a float, neither a text nor a Said" in reasons[2]
    assert "a score of 7.0, which is not between 0 and 1" in reasons[3]
    assert "perhaps" == lines_of("eval")[5]["raw"]
    assert "no label: 5 parse, 1 too_long, 3 transport" in shell.words
    assert EXIT_OK == evaluate(shell, month, f"{OWN}:Moody", "--again", mode="ref")
    assert 1 == sum("asked at" in " ".join(line["attempts"]) and line["parsed"] == "FRAUD" for line in lines_of("eval"))


def test_what_cannot_be_kept_is_no_answer(shell: Shell, text_month: Snapshot) -> None:
    """Halves of characters and parts of other types: `transport` with the reason, and the next call is asked about."""
    assert EXIT_OK == evaluate(shell, text_month, f"{OWN}:Broken", mode="ref")
    found = lines_of("eval")
    assert [*["transport"] * 9, None] == [line["error"] for line in found]
    expected = (
        "detect answered with 'half \\ud83d of a sign', which is no Unicode text",
        "detect answered with 'half \\ud83d of a sign', which is no Unicode text",
        "detect raised ValueError: half \\ud83d of a sign",
        "half \\ud83d of a sign",
        "attempts 'odd', which are no tuple of texts",
        "attempts (7,), which are no tuple of texts",
        "an error 'odd', which is none of parse, empty,",
        "an error [], which is none of parse, empty,",
        "a usage 'odd', which is no Usage",
    )
    for words, line in zip(expected, found, strict=False):
        assert words in line["attempts"][-1]


def test_one_that_hangs_is_left_behind() -> None:
    """The call is a timeout, and another object of the class answers the next one."""
    detector = make_detector(f"{OWN}:Hanging", Wanted("en", "en", InputMode.REF), 0.5)
    with pytest.raises(TimeoutError, match=r"no answer within 0\.5 s"):
        detector.detect(CallWords("hello"), 0)
    assert "FRAUD" == detector.detect(CallWords("hello"), 0).raw


def test_the_example_of_the_page_hears_the_recordings(shell: Shell, month: Snapshot, tmp_path: Path) -> None:
    """The class that docs/snapshot-detectors.md shows answers every call with a score; noise without a pause is loud."""
    page = (ROOT / "docs" / "snapshot-detectors.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "hush.py").write_text(example, encoding="utf-8")
    assert EXIT_OK == evaluate(shell, month, "python:hush:Hush?quiet=0.3", mode="audio")
    found = lines_of("eval")
    assert {row.audio.sha256 for row in month.rows if row.audio} == {line["audio_sha256"] for line in found}
    assert {("FRAUD", 1.0)} == {(line["parsed"], line["score"]) for line in found}
    assert {"version": 1, "quiet": 0.3} == json.loads(Path("eval/run.json").read_bytes())["settings"]


def test_sound_that_was_made_again_is_heard_and_told(shell: Shell, month: Snapshot, tmp_path: Path) -> None:
    """Table, run and answers say so; `asr` keeps the frozen transcripts; the folder of the frozen sound is another one."""
    copy = writable_copy(month.root, tmp_path / "copy")
    assert EXIT_OK == evaluate(shell, month, f"{OWN}:Bright", mode="audio", out="frozen")
    row, place = rebuilt_elsewhere(copy), str(copy)
    ask = ("snapshot", "evaluate", place, "--detector", f"{OWN}:Bright", "--mode", "audio", "--out")
    assert EXIT_INPUT == shell(*ask, "frozen")
    assert "recordings_sha256: None there, " in shell.err
    assert EXIT_OK == shell(*ask, "eval")
    run = json.loads(Path("eval/run.json").read_bytes())
    assert f"not the frozen recordings, but made again elsewhere ({run['recordings_sha256'][:12]})" in shell.words
    made = {row.call.sample_id: sha256((copy / row.audio.path).read_bytes())} if row.audio else {}
    different = [
        new for new, old in zip(lines_of("eval"), lines_of("frozen"), strict=True) if new["audio_sha256"] != old["audio_sha256"]
    ]
    assert made == {line["sample_id"]: line["audio_sha256"] for line in different}
    assert EXIT_OK == shell("snapshot", "report", "eval")
    assert "#1: not the frozen recordings, but made again elsewhere" in shell.words
    assert EXIT_OK == shell("snapshot", "report", "eval", "--joined", "--snapshot", place)
    assert f'"audio_sha256": "{made[row.call.sample_id]}"' in shell.words
    assert EXIT_OK == shell("snapshot", "evaluate", place, "--detector", "offline:keywords", "--mode", "asr", "--out", "words")
    assert json.loads(Path("words/run.json").read_bytes())["recordings_sha256"] is None
    assert "made again" not in shell.words


# -- what is refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("detector", "more", "said"),
    [
        ("offline:nobody", (), "no detector 'offline:nobody'; valid: offline:tfidf-lr, "),
        ("keywords", (), "'keywords' is no party"),
        ("offline:keywords", ("--mode", "audio"), "cannot be asked with --mode audio: it takes asr, ref"),
        ("offline:keywords", ("--prompt", "zh"), "--prompt zh: 'offline:keywords' has no prompt: leave it out"),
        ("offline:keywords", ("--concurrency", "2"), "'offline:keywords' is asked about one call at a time"),
        ("offline:keywords?threshold=0", (), "threshold is '0': it is a whole number from 1 to 1000"),
        ("offline:keywords", ("--recogniser", "ears"), "unknown recogniser 'ears'"),
        ("offline:tfidf-lr?train=nowhere", (), "nowhere: no calls.jsonl of an import here"),
        (f"{OWN}:Aimless", (), "its modes are (): name some of audio, asr, ref"),
        (f"{OWN}:Deaf", (), "its modes are ('video',): name some of audio, asr, ref"),
        (f"{OWN}:Silent", (), "a Silent has no method detect"),
        (f"{OWN}:Nobody", (), "has no 'Nobody'"),
    ],
)
def test_bad_input_is_one_line(shell: Shell, month: Snapshot, detector: str, more: tuple[str, ...], said: str) -> None:
    """What is wrong is named before anything is written."""
    assert EXIT_INPUT == evaluate(shell, month, detector, *more)
    assert said in shell.err
    assert 1 == len(shell.err.splitlines())
    assert not Path("eval").exists()


def test_a_month_must_be_there(shell: Shell, text_month: Snapshot, tmp_path: Path) -> None:
    """No folder, no frozen month, no recordings: each is told with what to do."""
    for name, mode, said in (
        (str(tmp_path / "nowhere"), "ref", "no frozen month here"),
        (str(text_month.root), "asr", "its month is text alone: ask with --mode ref"),
    ):
        assert EXIT_INPUT == shell(
            "snapshot", "evaluate", name, "--detector", "offline:keywords", "--mode", mode, "--out", "eval"
        )
        assert said in shell.err
    assert not Path("eval").exists()


@pytest.mark.engine
@pytest.mark.slow
def test_another_recogniser_hears_each_recording_once(ringback: Command, tmp_path: Path) -> None:
    """What it hears is kept beside the answers with ids of its own, and is not heard again for the calls that are left."""
    month = noise_month(tmp_path, fraud=1, nonfraud=1, trees=1, audio=True)
    ask = ("snapshot", "evaluate", month.root, "--recogniser", "whisper-base", "--detector", "offline:keywords", "--out", "eval")
    ringback.passes(*ask)
    folder = ringback.cwd / "eval"
    made, answers = lines_of(folder, "transcripts.jsonl"), lines_of(folder)
    assert [row.call.sample_id for row in month.rows] == [line["sample_id"] for line in made]
    assert [line["transcript_id"] for line in made] == [line["transcript_id"] for line in answers]
    assert "whisper-base" == json.loads((folder / "run.json").read_bytes())["recogniser"]["recogniser"]
    whole = (folder / "responses.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "responses.jsonl").write_bytes(whole[0])
    ringback.passes(*ask)
    assert made == lines_of(folder, "transcripts.jsonl")
    assert [line["transcript_id"] for line in answers] == [line["transcript_id"] for line in lines_of(folder)]
