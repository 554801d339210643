"""The two tables behind the sound of snapshots, as they ship."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypeVar

from core.bundle import shipped_bundle
from core.errors import BundleError, Fault
from core.schemas.base import Model
from core.schemas.voicing import DeliveryTable, VoiceTable
from core.validation import validate
from core.yamlfile import read_data

_M = TypeVar("_M", bound=Model)


@cache
def delivery_table() -> DeliveryTable:
    """Every delivery as pace, pitch, energy and pauses."""
    return read_table(shipped_bundle("snapshots") / "delivery.yaml", DeliveryTable)


@cache
def voice_table() -> VoiceTable:
    """What the catalogue's words for a voice mean for the people of a call."""
    return read_table(shipped_bundle("snapshots") / "voices.yaml", VoiceTable)


def read_table(path: Path, model: type[_M]) -> _M:
    """A table from its file.

    Raises:
        FileError: the file cannot be read.
        BundleError: it is faulty; every fault is listed.
    """
    found = validate(model, read_data(path))
    if found.faults or found.value is None:
        raise BundleError(str(path.parent), [Fault(path.name, where, reason) for where, reason in found.faults])
    return found.value
