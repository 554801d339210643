"""What this machine would make of a month's sound, and hearing recordings of it that were made again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from pydantic import JsonValue

from core.errors import RingbackError, UsageError
from core.schemas.base import sha256
from core.schemas.snapshots import ManifestRow
from core.snapshots.freezing.reading import read_recipe
from gateway.settings import Settings
from gateway.snapshots.building import Sound
from gateway.snapshots.voicing import machine, words_in
from speech.studio import Studio


class MonthHearer:
    """Hears recordings in the way a month was heard; what was heard of the same bytes before is not heard again."""

    def __init__(self, sound: Sound, known: Mapping[str, str] | None = None) -> None:
        """`known` is hash of a recording to what was heard of it, by this process."""
        self.settings = sound.hearing
        """Who hears, as `transcripts.json` says it."""
        self._plan = sound.plan
        self._known = dict(known or {})

    def __call__(self, row: ManifestRow, data: bytes) -> str:
        """The words of a recording."""
        if row.audio is None:
            raise AssertionError("only recordings are heard")
        digest = sha256(data)
        if digest not in self._known:
            self._known[digest] = words_in(self._studio, data, row.audio, row.call.language)
        return self._known[digest]

    @cached_property
    def _studio(self) -> Studio:
        return self._plan.studio()


def sound_of_month(folder: Path, settings: Settings) -> Sound:
    """How this machine would make and hear the recordings of a month.

    Raises:
        FileError, UsageError: its recipe cannot be read, or names what is not known here.
        OperatorError, MissingExtraError: a voice or the recogniser is not here.
    """
    recipe = read_recipe(folder)
    if not recipe.contract.audio:
        raise UsageError(f"{folder}: a month of text alone has no recordings to hear")
    return Sound.of(recipe, folder, settings)


def sound_here(folder: Path, settings: Settings) -> dict[str, JsonValue]:
    """What of this machine decides the sound of a month: all of it where engines and voices are here, else CPU and packages."""
    try:
        return sound_of_month(folder, settings).record
    except RingbackError:
        return machine()
