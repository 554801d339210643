"""What could give a label away beside the words: lengths, deliveries, voices, and everything a manifest says of a call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from core.schemas.imported_calls import ImportedCall
from core.schemas.snapshots import CallVoices, ManifestRow, Participant, Side, SnapshotCall

Features = Mapping[str, float | str]
"""Features of one call by name: a number, or one of a set of words."""


def length_features(call: SnapshotCall | ImportedCall, seconds: float | None = None) -> Features:
    """Characters and turns of each side, and the seconds of its recording where there is one; no word is looked at."""
    made: dict[str, float | str] = {"turns": float(len(call.turns))}
    for side in Side:
        lengths = [len(turn.text) for turn in call.turns if turn.side == side]
        made |= {
            f"{side}_turns": float(len(lengths)),
            f"{side}_characters": float(sum(lengths)),
            f"{side}_longest": float(max(lengths, default=0)),
            f"{side}_last": float(lengths[-1] if lengths else 0),
        }
    return made if seconds is None else {**made, "seconds": seconds}


def delivery_features(call: SnapshotCall | ImportedCall) -> Features:
    """How each side speaks: the share of its turns by delivery, its last one, and which delivery follows which."""
    made: dict[str, float | str] = {}
    for side in Side:
        said = [str(turn.delivery) for turn in call.turns if turn.side == side and turn.delivery is not None]
        made |= {f"{side}_{name}": times / len(said) for name, times in Counter(said).items()}
        made |= {f"{side}_last": said[-1]} if said else {}
        made |= {f"{side}_{a}_{b}": times / len(said) for (a, b), times in Counter(pairwise(said)).items()}
    return made


def voice_features(voices: CallVoices) -> Features:
    """Which voices speak."""
    return {"caller": voices.caller.voice_id, "receiver": voices.receiver.voice_id}


def call_metadata(call: SnapshotCall) -> Features:
    """What a call says of itself beside words, deliveries, plot and label: its id, family, abstract, people and makers."""
    made: dict[str, float | str] = {"family": call.family_id, "abstract": call.abstract_id, "language": call.language}
    made |= _characters("id", call.sample_id)
    made |= {f"agent_{role}": party for role, party in call.generation.agents.items()}
    for side, person in (("caller", call.caller), ("receiver", call.receiver)):
        made |= _person(side, person)
    return made


def row_metadata(row: ManifestRow, place: float) -> Features:
    """The same with what a manifest adds: its place among the rows (0 to 1), file name, channel, attempts and provenance."""
    made: dict[str, float | str] = {**call_metadata(row.call), "place": place, "provenance": row.provenance}
    made |= {f"check_{name}": float(passed) for name, passed in row.checks.items()}
    if row.audio is not None:
        made |= _characters("file", row.audio.path)
        made |= {"channel": row.audio.channel, "attempts": float(len(row.audio.attempts)), "rate": float(row.audio.sample_rate)}
    return made


def imported_metadata(call: ImportedCall) -> Features:
    """What a source says of a call beside its words; texts of more than twenty characters are words again, and left out."""
    made: dict[str, float | str] = {"turns_by": call.source}
    for name, value in call.details.items():
        if isinstance(value, bool | int | float):
            made[name] = float(value)
        elif isinstance(value, str) and len(value) <= 20:
            made[name] = value
    return made


def _characters(name: str, text: str) -> dict[str, float | str]:
    """How often each character is in a name, and which ones begin it."""
    return {**{f"{name}_{char}": float(times) for char, times in Counter(text).items()}, f"{name}_begins": text[:2]}


def _person(side: str, person: Participant) -> dict[str, float | str]:
    tones: Sequence[str] = person.tones
    return {
        f"{side}_role": person.role,
        f"{side}_gender": person.gender,
        f"{side}_age": float(person.age),
        **{f"{side}_tone_{tone}": 1.0 for tone in tones},
    }
