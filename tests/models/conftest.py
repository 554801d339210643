"""Weights joined once for all tests of the catalogue."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def weights_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache root shared by the tests of one session that only read it."""
    return tmp_path_factory.mktemp("weights")
