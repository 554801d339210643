"""What `ringback snapshot report` writes: evaluations of months side by side, and every answer beside its call."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from core.schemas.audits import MonthAudit
from core.schemas.base import Model, Sha256
from core.schemas.detections import DetectionError, InputMode, Leaderboard, Transitions
from core.schemas.snapshots import Label, ManifestRow


class SnapshotReport(Model):
    """Evaluations of one month or several; derived from their folders."""

    format: Literal[1] = 1
    """Version of this format."""
    leaderboards: tuple[Leaderboard, ...]
    """One for each month, by month; months are told apart by their root hash."""
    transitions: tuple[Transitions, ...]
    """From each month to the next; empty for one month."""
    audits: tuple[MonthAudit, ...]
    """Audits that were named, in that order."""


class JoinedRow(Model):
    """One answer of one detector about one call, with all that is known of both; a line of `snapshot report --joined`."""

    format: Literal[1] = 1
    """Version of this format."""
    snapshot_id: str
    """The month."""
    root_sha256: Sha256
    """Its root hash."""
    row: ManifestRow
    """The call: words, label, rationale, voices, recording, provenance."""
    config_key: Sha256
    """The evaluation's configuration."""
    detector: str
    """The party."""
    settings: dict[str, JsonValue]
    """Its settings."""
    mode: InputMode
    """What it was given."""
    prompt_language: Literal["zh", "en"] | None
    """Language of the prompt; null for detectors without one."""
    prompt_sha256: Sha256 | None
    """Hash of the prompt."""
    recogniser: dict[str, JsonValue] | None
    """Who made the transcript; null but for `asr`."""
    audio_sha256: Sha256 | None = None
    """The recording it heard; another than that of the row where sound was made again on other hardware; null for `ref`."""
    transcript_id: Sha256 | None
    """The transcript it read; null but for `asr`."""
    transcript: str | None
    """Its words; null but for `asr`."""
    raw: str
    """The answer, unchanged."""
    parsed: Label | None
    """The label in it; null where it is none."""
    error: DetectionError | None
    """Why it is none."""
    asked_at: str
    """When it was asked, UTC."""
