"""Real engines over caches that start empty, with the weights joined once for the whole session."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.schemas.scenario import Scenario
from models import registry
from models.weights import locate
from speech.engines import Recognizer, Synthesizer
from speech.studio import Studio, build_studio

SCENARIO = {
    "id": "move-appointment",
    "agent": "dental",
    "language": "en",
    "script": "Latn",
    "difficulty": "easy",
    "goal": "The appointment is moved.",
    "caller": {
        "context": "You have an appointment.",
        "reason": "You cannot come.",
        "now": "2026-03-02T09:00",
        "facts": {"member_id": {"value": "47291530", "kind": "digits"}},
        "plan": [{"id": "step_1", "trigger": "You are greeted.", "meaning": "Ask to move it."}],
    },
    "backend": {"fixtures": {}},
}


@pytest.fixture(scope="session")
def warm_root(shared_root: Path) -> Path:
    """A cache root with the weights joined, where clips and transcripts gather over the session."""
    root = shared_root / "speech-cache"
    root.mkdir(exist_ok=True)
    locate("whisper-base", root)
    return root


@pytest.fixture
def cold_root(tmp_path: Path, warm_root: Path) -> Path:
    """A cache root without a single clip or transcript; only the joined weights are there."""
    root = tmp_path / "cache"
    root.mkdir()
    (root / "weights").symlink_to(warm_root / "weights")
    return root


@pytest.fixture
def studio(warm_root: Path) -> Studio:
    """A studio with a landline, whose clips and transcripts are kept for the session."""
    return build_studio(warm_root)


@pytest.fixture
def heart(studio: Studio) -> Synthesizer:
    """The female voice."""
    return studio.voice(registry.get("hibari-heart"))


@pytest.fixture
def joe(studio: Studio) -> Synthesizer:
    """The male voice."""
    return studio.voice(registry.get("piper-joe"))


@pytest.fixture
def whisper(studio: Studio) -> Recognizer:
    """The recogniser."""
    return studio.listener("en").recognizer


@pytest.fixture
def scenario() -> Scenario:
    """A small scenario with a caller of any gender and no channel program."""
    return Scenario.model_validate(SCENARIO)
