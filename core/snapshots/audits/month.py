"""The audit of a month: its siblings by themselves, against other kinds of lawful calls, and as they were heard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.errors import InputError
from core.schemas.audits import MonthAudit, NegativeDifficulty, SeparabilityRow
from core.schemas.imported_calls import ImportedCall
from core.schemas.snapshots import Label, ManifestRow
from core.snapshots.audits.difficulty import Candidates, Separability, negative_difficulty, separability
from core.snapshots.audits.learning import Learner
from core.snapshots.audits.report import Learners, Step, audit_rows
from core.snapshots.audits.samples import Sample, imported_samples, samples, transcribed
from core.snapshots.audits.verdicts import ORDINARY, SIBLINGS, UNRELATED, verdicts


class MonthCalls(NamedTuple):
    """The calls of a month or of a finished build."""

    snapshot_id: str
    """Its name."""
    root_sha256: str | None
    """Its root hash; None for a build."""
    language: str
    """BCP 47 tag of its calls."""
    rows: Sequence[ManifestRow]
    """Its rows, in the order of its manifest."""
    transcripts: Mapping[str, str]
    """What was heard, by sample id; empty where nothing was."""


class OtherCalls(NamedTuple):
    """Calls that no tree grew, for comparison."""

    unrelated: Sequence[ImportedCall]
    """Everyday dialogues; empty where there are none in the language."""
    ordinary: Sequence[ImportedCall]
    """Calls of others: their lawful ones are the ordinary tier."""


class MonthLearners(NamedTuple):
    """Who learns."""

    audit: Learners
    """For the audits of siblings."""
    tiers: Candidates
    """For the comparison of tiers, each in the settings to choose from."""
    separating: Learner[str]
    """For linear separability."""


def audit_month(month: MonthCalls, others: OtherCalls, learners: MonthLearners, seed: int, step: Step | None) -> MonthAudit:
    """Every audit of a month, with what its figures mean.

    Raises:
        InputError: too few calls or trees to audit at all, or calls for comparison in another language.
    """
    _check_language(month, others)
    try:
        report = audit_rows(month.rows, learners.audit, seed, step)
    except ValueError as error:
        raise InputError(f"{month.snapshot_id}: these {len(month.rows)} calls cannot be audited: {error}") from None
    difficulty, notes = _difficulty(month, others, learners.tiers, seed)
    rows, more = _separability(month, others, learners.separating, seed)
    return MonthAudit(
        snapshot_id=month.snapshot_id,
        root_sha256=month.root_sha256,
        report=report,
        difficulty=difficulty,
        separability=rows,
        checks=verdicts(report, difficulty),
        notes=(*_voiceless(month), *notes, *more),
    )


def _voiceless(month: MonthCalls) -> list[str]:
    if any(row.voices is not None for row in month.rows):
        return []
    return ["nothing on voices, neither a probe nor what they say of the label: this month's calls have none"]


def _check_language(month: MonthCalls, others: OtherCalls) -> None:
    for call in others.ordinary:
        if _base(call.language) != _base(month.language):
            raise InputError(
                f"{call.sample_id}: an ordinary call in {call.language!r}, and {month.snapshot_id} is in {month.language!r}: "
                "tiers must share a language"
            )


def _base(language: str) -> str:
    return language.partition("-")[0]


def _difficulty(
    month: MonthCalls, others: OtherCalls, candidates: Candidates, seed: int
) -> tuple[NegativeDifficulty | None, list[str]]:
    every = samples([row.call for row in month.rows])
    tiers: dict[str, Sequence[Sample]] = {}
    notes = []
    if others.unrelated:
        tiers[UNRELATED] = imported_samples(others.unrelated)
    else:
        notes.append(f"no unrelated tier: there are no everyday dialogues in {month.language!r}")
    lawful = [call for call in others.ordinary if call.label == Label.NONFRAUD]
    if lawful:
        tiers[ORDINARY] = imported_samples(lawful)
    else:
        given = "no lawful call was given" if others.ordinary else "no imported calls were given (--ordinary)"
        notes.append(f"no ordinary tier: {given}")
    if not tiers:
        return None, [*notes, "no comparison of tiers: siblings alone are no comparison"]
    tiers[SIBLINGS] = [sample for sample in every if sample.label == Label.NONFRAUD]
    fraud = [sample for sample in every if sample.label == Label.FRAUD]
    try:
        return negative_difficulty(fraud, tiers, candidates, seed), notes
    except ValueError as error:
        return None, [*notes, f"no comparison of tiers: {error}"]


def _separability(
    month: MonthCalls, others: OtherCalls, learner: Learner[str], seed: int
) -> tuple[tuple[SeparabilityRow, ...], list[str]]:
    calls = [row.call for row in month.rows]
    written, notes = samples(calls), []
    rows = [Separability("words as written", "words as written", written, written)]
    if not month.transcripts:
        notes.append("no rows on transcripts: this month has none")
    elif missing := [call.sample_id for call in calls if call.sample_id not in month.transcripts]:
        notes.append(f"no rows on transcripts: {len(missing)} calls have none, the first is {missing[0]!r}")
    else:
        heard = transcribed(calls, month.transcripts)
        rows.append(Separability("transcripts", "words as written", written, heard))
        rows.append(Separability("transcripts", "transcripts", heard, heard))
    for source in sorted({call.source for call in others.ordinary}):
        theirs = imported_samples([call for call in others.ordinary if call.source == source])
        rows.append(Separability(f"calls of {source}", f"calls of {source}", theirs, theirs))
    made: list[SeparabilityRow] = []
    for row in rows:
        try:
            made += separability([row], learner, seed)
        except ValueError as error:
            notes.append(f"no row on {row.name}: {error}")
    return tuple(made), notes
