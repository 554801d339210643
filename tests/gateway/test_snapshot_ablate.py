"""`ringback snapshot ablate`: the same calls with and without delivery, resumed, and held to the month they come from."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import EXIT_INPUT
from core.schemas.base import sha256
from core.schemas.delivery_ablation import DeliveryAblation
from core.schemas.detections import EvaluationSummary
from core.snapshots.freezing.reading import Snapshot, read_snapshot
from tests.core.snapshot_months import rebuilt_elsewhere, writable_copy
from tests.support.command import Command, cache_beside, files_of
from tests.support.listening_server import listening_server
from tests.support.noise_months import noise_month
from tests.support.shell import Shell
from tests.support.snapshot_builds import built, count, kept_of, killed

DETECTORS = ("--detector", "offline:keywords", "--detector", "offline:acoustic")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server that hears."""
    with listening_server() as found:
        yield found


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory, engine_cache: Path, address: str) -> Snapshot:
    """A month of four calls, not to be changed; the cache with its clips lies beside it."""
    home = tmp_path_factory.mktemp("month")
    command = Command(home, cache_beside(home / "cache", engine_cache))
    built(command, "build", address)
    command.passes("snapshot", "freeze", "build", "--out", "month")
    return read_snapshot(home / "month")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, month: Snapshot, address: str) -> Path:
    """An undisturbed ablation, not to be changed."""
    command = Command(tmp_path_factory.mktemp("whole"), month.root.parent / "cache", {"RINGBACK_SPEECH_URL": address})
    shown = command.passes(*_arguments(month, "--json"))
    root = command.cwd / "ablation"
    assert json.loads(shown) == json.loads((root / "ablation.json").read_bytes())
    return root


@pytest.fixture
def command(tmp_path: Path, month: Snapshot, address: str) -> Command:
    """The command in an empty folder, with the clips of the month."""
    return Command(tmp_path, month.root.parent / "cache", {"RINGBACK_SPEECH_URL": address})


def _arguments(month: Snapshot, *more: str, out: str = "ablation") -> tuple[str, ...]:
    return ("snapshot", "ablate", str(month.root), *DETECTORS, "--calls", "3", *more, "--out", out)


@pytest.mark.engine
@pytest.mark.slow
def test_both_halves_are_the_same_calls_with_and_without_delivery(whole: Path, month: Snapshot) -> None:
    """The frozen recordings, and new ones of every turn as in small talk; each detector is given what it can take."""
    root = whole
    found = DeliveryAblation.model_validate_json((root / "ablation.json").read_bytes())
    rows = {row.call.sample_id: row for row in month.rows}
    assert 3 == len(found.calls)
    assert {"FRAUD", "NONFRAUD"} == {call.label for call in found.calls}
    for call in found.calls:
        row = rows[call.sample_id]
        assert row.audio is not None
        assert (row.audio.sha256, row.call.label, row.call.tree_id) == (call.delivery_sha256, call.label, call.tree_id)
        for half, digest in (("delivery", call.delivery_sha256), ("neutral", call.neutral_sha256)):
            assert digest == sha256((root / half / "audio" / f"{call.sample_id}.wav").read_bytes())
        made = json.loads((root / "neutral" / "rendered" / f"{call.sample_id}.json").read_bytes())["audio"]
        assert "neutral" == made["variant"]
        assert {"neutral"} == {span["rendered"].partition(":")[0] for span in made["spans"]}
        assert row.audio.engines == made["engines"]
    assert any(call.delivery_sha256 != call.neutral_sha256 for call in found.calls)
    assert [("offline:keywords", "asr"), ("offline:acoustic", "audio")] == [
        (each.detector, each.mode) for each in found.detectors
    ]
    assert {each.detector: abs(each.fraud_f1_change) for each in found.detectors} == found.largest_change


@pytest.mark.engine
@pytest.mark.slow
def test_answers_are_kept_as_evaluations_of_each_half(whole: Path, month: Snapshot) -> None:
    """Their figures are those of the table, and no half can be taken for the month or for the other half."""
    root = whole
    found = DeliveryAblation.model_validate_json((root / "ablation.json").read_bytes())
    roots = {month.head.root_sha256}
    for each in found.detectors:
        (folder,) = root.glob(f"evals/*{each.detector.rpartition(':')[2]}*-{each.mode}")
        for half, metrics in (("delivery", each.delivery), ("neutral", each.neutral)):
            summary = EvaluationSummary.model_validate_json((folder / half / "summary.json").read_bytes())
            assert metrics == summary.metrics
            assert f"{month.head.snapshot_id}-{half}" == summary.run.snapshot_id
            roots.add(summary.run.root_sha256)
    assert 3 == len(roots)


@pytest.mark.engine
@pytest.mark.slow
def test_killed_and_asked_again_it_goes_on(command: Command, month: Snapshot, whole: Path) -> None:
    """What was rendered stays untouched, a second run changes no byte, and anything else asked for there is refused."""
    root = command.cwd / "ablation"
    with command.start(*_arguments(month)) as process:
        assert killed(process, lambda: count(root, "neutral/rendered/*.json") >= 1)
    kept = kept_of(root / "neutral")
    shown = command.passes(*_arguments(month))
    assert kept == {name: kept_of(root / "neutral")[name] for name in kept}
    assert (whole / "ablation.json").read_bytes() == (root / "ablation.json").read_bytes()
    before = files_of(root)
    assert shown == command.passes(*_arguments(month))
    assert before == files_of(root)
    assert "seed 7 there, 8 now" in command.fails(EXIT_INPUT, *_arguments(month, "--seed", "8"))
    assert "mode asr" in command.fails(EXIT_INPUT, *_arguments(month, "--mode", "asr", out="other"))
    assert not (command.cwd / "other").exists()


@pytest.mark.engine
@pytest.mark.slow
def test_both_halves_are_heard_by_one_recogniser(command: Command, month: Snapshot) -> None:
    """The month's own leaves its frozen transcripts as they are; for another both halves are heard anew."""
    few = ("snapshot", "ablate", str(month.root), "--detector", "offline:acoustic", "--calls", "2")
    command.passes(*few, "--out", "own")
    frozen = {path.name: path.read_bytes() for path in (month.root.parent / "build" / "heard").glob("*.json")}
    own = files_of(command.cwd / "own" / "delivery" / "heard")
    assert 2 == len(own)
    assert own == {name: frozen[name] for name in own}
    command.passes(*few, "--recogniser", "openai:other", "--out", "other")
    halves = [files_of(command.cwd / "other" / half / "heard") for half in ("delivery", "neutral")]
    assert [own.keys(), own.keys()] == [half.keys() for half in halves]
    assert [] == [name for name in own if own[name] in (half[name] for half in halves)]
    found = DeliveryAblation.model_validate_json((command.cwd / "other" / "ablation.json").read_bytes())
    assert "openai:other" == found.hearing["recogniser"]


@pytest.mark.engine
@pytest.mark.slow
def test_recordings_that_are_not_the_frozen_ones_are_refused(command: Command, month: Snapshot) -> None:
    """One byte is another, or the month came without sound: exit 2, and what to do."""
    copy = command.cwd / "month"
    shutil.copytree(month.root, copy)
    for path in (copy, *copy.rglob("*")):
        path.chmod(0o755)
    for wav in (copy / "audio").iterdir():
        data = bytearray(wav.read_bytes())
        data[2000] ^= 1
        wav.write_bytes(data)
    changed = read_snapshot(copy)
    assert "not the frozen recording" in command.fails(EXIT_INPUT, *_arguments(changed))
    shutil.rmtree(copy / "audio")
    assert "ringback snapshot rebuild" in command.fails(EXIT_INPUT, *_arguments(changed))


@pytest.mark.engine
@pytest.mark.slow
def test_sound_that_was_made_again_is_the_delivery_half(command: Command, month: Snapshot) -> None:
    """Its recordings are taken for what is here, the changed one is heard anew, and table and file say so."""
    copy = writable_copy(month.root, command.cwd / "month")
    changed = rebuilt_elsewhere(copy)
    few = ("snapshot", "ablate", str(copy), "--detector", "offline:acoustic", "--calls", "4", "--out", "ablation")
    assert "not the frozen recordings, but made again elsewhere" in command.passes(*few)
    found = DeliveryAblation.model_validate_json((command.cwd / "ablation" / "ablation.json").read_bytes())
    assert found.config.recordings_sha256 is not None
    for call in found.calls:
        assert call.delivery_sha256 == sha256((copy / "audio" / f"{call.sample_id}.wav").read_bytes())
    heard = json.loads((command.cwd / "ablation" / "delivery" / "heard" / f"{changed.call.sample_id}.json").read_bytes())
    assert {call.sample_id: call.delivery_sha256 for call in found.calls}[changed.call.sample_id] == heard["audio_sha256"]
    again = ("snapshot", "ablate", str(month.root), *few[3:])
    assert "recordings_sha256" in command.fails(EXIT_INPUT, *again)


@pytest.mark.engine
@pytest.mark.slow
def test_one_detector_in_two_spellings_is_refused(command: Command, month: Snapshot) -> None:
    """Its answers would count twice among those of all detectors together."""
    twice = ("--detector", "offline:keywords", "--detector", "offline:keywords?threshold=03")
    said = command.fails(EXIT_INPUT, "snapshot", "ablate", str(month.root), *twice, "--calls", "3", "--out", "twice")
    assert "'offline:keywords?threshold=03' and 'offline:keywords' are one detector: name it once" in said
    assert not (command.cwd / "twice").exists()


# -- what needs no sound --------------------------------------------------------------------------------------------------


def _fails(shell: Shell, *arguments: str) -> str:
    assert EXIT_INPUT == shell("snapshot", "ablate", *arguments)
    (line,) = shell.err.splitlines()
    return line


def test_a_month_of_text_alone_is_refused(shell: Shell, tmp_path: Path) -> None:
    """There is no sound that could be without delivery."""
    month = noise_month(tmp_path, "zh", trees=2)
    assert "no deliveries" in _fails(shell, str(month.root), "--detector", "offline:keywords", "--out", "ablation")
    assert not Path("ablation").exists()


def test_no_month_is_refused(shell: Shell) -> None:
    """By its name."""
    assert "'nothing'" in _fails(shell, "nothing", "--detector", "offline:keywords", "--out", "ablation")
