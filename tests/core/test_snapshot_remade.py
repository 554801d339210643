"""A month whose sound was made again on other hardware is heard as it is here, and every answer and key says so."""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import FileError
from core.schemas.base import content_hash, pretty_json, sha256
from core.schemas.detections import InputMode
from core.schemas.months import Rebuilt
from core.schemas.snapshots import ManifestRow
from core.snapshots.detector import CallSound
from core.snapshots.evaluating.inputs import HeardInputs, Recordings, SoundInputs
from core.snapshots.evaluating.runner import ask_all
from core.snapshots.freezing import layout
from core.snapshots.freezing.freeze import freeze
from core.snapshots.freezing.reading import read_file, read_snapshot, read_transcripts
from core.snapshots.freezing.remade import DURATION_BOUND, TRANSCRIPT_BOUND
from core.snapshots.summary import config_key, detector_key, promptless_key
from tests.core.evaluating_samples import Scripted, asking, begun, run_with
from tests.core.snapshot_months import GENERATOR, NOW, make_build, rebuilt_elsewhere, wav, writable_copy


@pytest.fixture(name="frozen", scope="module")
def _frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("frozen")
    freeze(make_build(root / "build"), root / "month", NOW, GENERATOR)
    return root / "month"


@pytest.fixture(name="month")
def _month(frozen: Path, tmp_path: Path) -> Path:
    return writable_copy(frozen, tmp_path / "month")


def _rows(month: Path) -> tuple[ManifestRow, ...]:
    return read_snapshot(month).rows


def _frozen_hash(row: ManifestRow) -> str:
    assert row.audio is not None
    return row.audio.sha256


def test_what_is_heard_is_what_was_made_here(month: Path, tmp_path: Path) -> None:
    """The new bytes reach the detector, the answer names their hash, and the others are the frozen ones."""
    rebuilt_elsewhere(month)
    rows = _rows(month)
    inputs, detector, store = SoundInputs(month, rows), Scripted("FRAUD"), begun(tmp_path / "eval", mode=InputMode.AUDIO)
    ask_all(rows, asking(detector, inputs), store)
    files = [(month / layout.audio_path(row.call.sample_id)).read_bytes() for row in rows]
    given = [each.wav for each in detector.given if isinstance(each, CallSound)]
    assert files == given
    heard = [sha256(data) for data in files]
    assert heard == [each.audio_sha256 for each in store.responses()]
    assert [False, True, True, True, True, True] == [one == _frozen_hash(row) for one, row in zip(heard, rows, strict=True)]
    assert content_hash({row.call.sample_id: one for row, one in zip(rows, heard, strict=True)}) == inputs.recordings.sha256


def test_frozen_recordings_have_no_hash_of_their_own(month: Path) -> None:
    """Neither in a month as it was frozen nor where the same bytes came out again."""
    rows = _rows(month)
    assert Recordings(month, rows).sha256 is None
    frozen = (month / layout.audio_path(rows[0].call.sample_id)).read_bytes()
    rebuilt_elsewhere(month)
    (month / layout.audio_path(rows[0].call.sample_id)).write_bytes(frozen)
    noted = read_file(month / layout.REBUILT, Rebuilt)
    same = [call.model_copy(update={"same_bytes": True}) for call in noted.calls]
    (month / layout.REBUILT).write_bytes(pretty_json(noted.model_copy(update={"calls": tuple(same)}).to_json()))
    found = Recordings(month, rows)
    assert found.sha256 is None
    assert frozen == found.read(rows[0])


def _other_bytes(month: Path, row: ManifestRow) -> None:
    path = month / layout.audio_path(row.call.sample_id)
    path.write_bytes(path.read_bytes()[:-2] + b"\x05\x05")


def _frozen_again(month: Path, row: ManifestRow) -> None:
    with wave.open(str(month / layout.audio_path(row.call.sample_id))) as file:
        length = file.getnframes()
    (month / layout.audio_path(row.call.sample_id)).write_bytes(wav(length, 1 + int(row.call.sample_id[:6], 16)))


@pytest.mark.parametrize("harm", [_other_bytes, _frozen_again])
def test_only_the_recording_that_was_noted_is_heard(month: Path, harm: Callable[[Path, ManifestRow], None]) -> None:
    """A byte changed since, and even the frozen bytes, are not what the run says was heard."""
    row = rebuilt_elsewhere(month)
    recordings = Recordings(month, _rows(month))
    harm(month, row)
    with pytest.raises(FileError, match=r"not the recording that was made again: its hash is .* notes .* snapshot rebuild"):
        recordings.read(row)


@pytest.mark.parametrize("change", [DURATION_BOUND * 1.2, -DURATION_BOUND * 1.2])
def test_a_recording_of_another_length_is_not_heard(month: Path, change: float) -> None:
    """The bound is that of the check of the month."""
    row = rebuilt_elsewhere(month, change)
    with pytest.raises(FileError, match=r"its length differs by [+-]1\.2%, more than 1%"):
        Recordings(month, _rows(month)).read(row)


@pytest.mark.parametrize(
    ("transcript", "noted", "said"),
    [
        (TRANSCRIPT_BOUND + 0.001, True, r"its transcript differs by 0\.101, more than 0\.1"),
        (None, True, "was made again and not heard"),
        (0.0, False, "notes no hash of what was made of"),
    ],
)
def test_what_is_not_near_is_told_before_any_call(month: Path, transcript: float | None, noted: bool, said: str) -> None:
    """A month that a check would call broken, or a note without hashes, is refused as a whole."""
    row = rebuilt_elsewhere(month, 0.0, transcript, noted=noted)
    with pytest.raises(FileError, match=said) as error:
        SoundInputs(month, _rows(month))
    assert row.call.sample_id in str(error.value)


def test_frozen_transcripts_need_no_recordings(month: Path) -> None:
    """`asr` reads what was frozen, wherever the sound was made; what another recogniser hears must be of sound that is here."""
    rebuilt_elsewhere(month)
    rows, frozen = _rows(month), read_transcripts(month)
    first = rows[0].call.sample_id
    assert _frozen_hash(rows[0]) == HeardInputs(frozen, rows).of(rows[0]).audio_sha256
    here = Recordings(month, rows)
    with pytest.raises(FileError, match=f"the transcript of '{first}' is of another recording"):
        HeardInputs(frozen, rows, here)
    again = {**frozen, first: frozen[first].model_copy(update={"audio_sha256": here.sha256_of(rows[0])})}
    assert here.sha256_of(rows[0]) == HeardInputs(again, rows, here).of(rows[0]).audio_sha256


def test_other_recordings_are_another_configuration() -> None:
    """Keys of runs on frozen recordings stay what they were: the hash of the fields that were there before."""
    frozen, remade, elsewhere = run_with(), run_with(recordings_sha256="1" * 64), run_with(recordings_sha256="2" * 64)
    newer = {"recordings_sha256", "party", "parser"}
    older = frozen.model_dump(mode="json", exclude={"format", "config_key", "started_at", *newer})
    assert content_hash(older) == config_key(frozen)
    for key in (config_key, promptless_key):
        assert 3 == len({key(run) for run in (frozen, remade, elsewhere)})
    assert detector_key(remade) == detector_key(elsewhere) != detector_key(frozen)
