"""Where the cache is: the environment decides, and is read in one place."""

from __future__ import annotations

import pwd
from pathlib import Path
from typing import NoReturn

import pytest

from core.errors import UsageError
from gateway.settings import read_settings


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that says nothing."""
    for name in ("RINGBACK_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"RINGBACK_CACHE": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/a"),
        ({"XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/b/ringback"),
        ({"HOME": "/c"}, "/c/.cache/ringback"),
        ({"RINGBACK_CACHE": "", "XDG_CACHE_HOME": "", "HOME": "/c"}, "/c/.cache/ringback"),
    ],
)
def test_the_nearer_setting_wins(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], folder: str) -> None:
    """RINGBACK_CACHE before XDG_CACHE_HOME before the home; an empty variable is none."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert Path(folder) == read_settings().cache_root


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container's user that the system does not know has no home to fall back on."""

    def unknown(_uid: int) -> NoReturn:
        raise KeyError("no such user")

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.raises(UsageError, match="set RINGBACK_CACHE"):
        read_settings()
