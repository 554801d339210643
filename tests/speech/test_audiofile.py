"""Sound files: exact, repeatable, and one clear line for every way a file can be wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import FileError
from speech import audiofile
from tests.speech.sounds import bursts


@pytest.mark.parametrize("name", ["a.wav", "a.flac", "A.WAV"])
def test_a_clip_survives_a_file_exactly(tmp_path: Path, name: str) -> None:
    """What is written is what is read, sample for sample, and writing again gives the same bytes."""
    clip = bursts().quantised()
    audiofile.write(tmp_path / name, clip)
    first = (tmp_path / name).read_bytes()

    assert clip.sha256 == audiofile.read(tmp_path / name).sha256
    audiofile.write(tmp_path / name, clip)
    assert first == (tmp_path / name).read_bytes()


def test_channels_are_averaged(tmp_path: Path) -> None:
    """A stereo file read as a clip is the mean of its channels."""
    pcm = np.array([[100, 300], [-200, 0]], np.int16)
    (tmp_path / "s.flac").write_bytes(audiofile.encode(pcm, 8000, "FLAC"))

    assert [200, -100] == audiofile.read(tmp_path / "s.flac").to_pcm16().tolist()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("gone.wav", None, "No such file"),
        ("empty.wav", b"", "Give a WAV or FLAC file"),
        ("text.wav", b"this is no sound at all, just words", "Give a WAV or FLAC file"),
        ("text.flac", b"fLaC but nothing after it", "Give a WAV or FLAC file"),
    ],
)
def test_what_is_no_sound_gives_one_line(tmp_path: Path, name: str, content: bytes | None, reason: str) -> None:
    """Missing, empty and foreign files name the file and the reason."""
    if content is not None:
        (tmp_path / name).write_bytes(content)

    with pytest.raises(FileError, match=reason) as caught:
        audiofile.read(tmp_path / name)

    assert str(tmp_path / name) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", ["wav", "flac"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_truncated_file_is_refused(tmp_path: Path, suffix: str, share: float) -> None:
    """A file cut anywhere is never taken for a shorter sound."""
    path = tmp_path / f"cut.{suffix}"
    audiofile.write(path, bursts())
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])

    with pytest.raises(FileError, match=r"truncated|cannot read"):
        audiofile.read(path)


def test_a_streamed_wav_is_read(tmp_path: Path) -> None:
    """A WAV whose writer did not know its length in advance, so that its header holds all ones, is read whole."""
    path = tmp_path / "streamed.wav"
    audiofile.write(path, bursts())
    data = bytearray(path.read_bytes())
    data[4:8] = b"\xff\xff\xff\xff"
    path.write_bytes(data)

    assert len(bursts()) == len(audiofile.read(path))


def test_unknown_formats_and_unwritable_places(tmp_path: Path) -> None:
    """A suffix that is neither WAV nor FLAC, and a folder that does not exist, are said so."""
    with pytest.raises(FileError, match=r"end its name in \.wav or \.flac"):
        audiofile.write(tmp_path / "a.mp3", bursts())
    with pytest.raises(FileError, match="cannot write the sound file"):
        audiofile.write(tmp_path / "no" / "a.wav", bursts())
