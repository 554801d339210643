"""Caches: exact, atomic, honest about what they cannot read or write."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import OperatorError
from speech.cache import ClipCache, JsonCache, cache_key
from tests.speech.sounds import bursts, tone

ROOT = Path(__file__).parents[2]


def test_a_clip_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    """A kept clip equals its quantised original; an unknown key gives nothing."""
    cache = ClipCache(tmp_path)
    clip = bursts(1.0, 22050)
    key = cache_key("t", text="a")

    assert cache.get(key) is None
    cache.put(key, clip)

    kept = cache.get(key)
    assert kept is not None
    assert clip.quantised().sha256 == kept.sha256
    assert (kept.samples == clip.quantised().samples).all()


@given(
    st.dictionaries(
        st.sampled_from("abc"), st.one_of(st.integers(), st.text(), st.floats(allow_nan=False, allow_infinity=False)), min_size=1
    )
)
def test_a_key_changes_with_every_part(parts: dict[str, int | str | float]) -> None:
    """The address depends on the kind and on every part, and on nothing else, such as their order."""
    key = cache_key("t", **parts)

    assert key == cache_key("t", **dict(reversed(parts.items())))
    assert key != cache_key("u", **parts)
    for name in parts:
        assert key != cache_key("t", **{**parts, name: f"{parts[name]}!"})


@pytest.mark.parametrize("damage", [b"", b"RIFF....WAVE", b"no sound"])
def test_a_clip_that_cannot_be_read_counts_as_absent(tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: bytes) -> None:
    """An entry that is no sound is reported in one line with its path, ignored, and can be written anew."""
    cache = ClipCache(tmp_path)
    cache.put("ab12", bursts())
    cache.path("ab12").write_bytes(damage)

    with caplog.at_level(logging.WARNING, "ringback.speech.cache"):
        assert cache.get("ab12") is None

    assert 1 == len(caplog.messages)
    assert str(cache.path("ab12")) in caplog.messages[0]
    cache.put("ab12", tone(440))
    assert cache.get("ab12") is not None


def test_a_truncated_clip_counts_as_absent(tmp_path: Path) -> None:
    """Half a WAV is not half a clip."""
    cache = ClipCache(tmp_path)
    cache.put("ab12", bursts())
    data = cache.path("ab12").read_bytes()
    cache.path("ab12").write_bytes(data[: len(data) // 2])

    assert cache.get("ab12") is None


def test_a_readable_clip_is_used_as_it_is(tmp_path: Path) -> None:
    """A clip replaced by other sound is that other sound."""
    cache = ClipCache(tmp_path)
    cache.put("ab12", bursts())
    other = ClipCache(tmp_path / "other")
    other.put("cd34", tone(440))
    cache.path("ab12").write_bytes(other.path("cd34").read_bytes())

    kept = cache.get("ab12")

    assert kept is not None
    assert tone(440).sha256 == kept.sha256


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe"])
def test_json_entries(tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: bytes) -> None:
    """Values come back equal; what is no JSON is reported and counts as absent."""
    cache = JsonCache(tmp_path)
    cache.put("ab12", {"text": "Grüße", "n": [1, 2.5, None]})

    assert {"text": "Grüße", "n": [1, 2.5, None]} == cache.get("ab12")
    assert cache.get("ab13") is None
    cache.path("ab12").write_bytes(damage)
    with caplog.at_level(logging.WARNING, "ringback.speech.cache"):
        assert cache.get("ab12") is None
    assert 1 == len(caplog.messages)


@pytest.mark.parametrize("cache_type", [ClipCache, JsonCache])
def test_an_unwritable_cache_gives_one_line(tmp_path: Path, cache_type: type[ClipCache] | type[JsonCache]) -> None:
    """Where no folder can be made the operator is told which, in one line."""
    (tmp_path / "cache").write_text("a file")
    cache = cache_type(tmp_path / "cache")

    with pytest.raises(OperatorError, match="set RINGBACK_CACHE to a folder that can be written") as caught:
        cache.put("ab12", bursts()) if isinstance(cache, ClipCache) else cache.put("ab12", "x")

    assert str(tmp_path / "cache" / "ab") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_processes_that_race_leave_whole_entries(tmp_path: Path) -> None:
    """Writers and readers of one entry at once: every reader sees nothing or the whole, and no litter stays."""
    script = """
import sys, pathlib
from speech.cache import ClipCache
from tests.speech.sounds import bursts
cache, clip = ClipCache(pathlib.Path(sys.argv[1])), bursts()
for _ in range(150):
    cache.put("ab12", clip)
    kept = cache.get("ab12")
    assert kept is not None and kept.sha256 == clip.sha256
"""
    racers = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT) for _ in range(2)]

    assert [0, 0] == [racer.wait(timeout=60) for racer in racers]
    assert ["ab12.wav"] == [path.name for path in (tmp_path / "ab").iterdir()]
