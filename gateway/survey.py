"""The survey of hearing: every combination of voice, channel and recogniser over the phrases of the languages, in parallel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import UsageError
from core.hearing_table import rows
from core.phrases import load_phrases, read_phrases
from core.schemas.base import content_hash
from core.schemas.phrases import HearingRow, HearingTable, PhraseSet
from core.spoken import rules_of
from core.text import normaliser_of
from gateway.pool import Pool
from models import registry
from models.specs import ModelKind
from speech.endpoint import Endpoint
from speech.engines import cpu_features
from speech.studio import build_studio
from speech.survey import survey


@dataclass(frozen=True)
class Work:
    """One combination to measure."""

    language: str
    """Language, which chooses the phrases."""
    voice: str
    """Voice id."""
    channel: str
    """Channel text."""
    recogniser: str
    """Recogniser as named."""

    def __str__(self) -> str:
        return f"{self.language} {self.voice} {self.channel} {self.recogniser}"


@dataclass(frozen=True)
class Plan:
    """What every process of a survey must know."""

    cache_root: Path
    """Cache folder."""
    seed: int
    """Seed of voices and channels."""
    phrases: Path | None
    """A phrase file of one's own, instead of those that ship."""
    endpoint: Endpoint | None
    """Speech server behind `openai:` recognisers."""

    def phrase_set(self, language: str) -> PhraseSet:
        """The phrases of a language."""
        return load_phrases(language) if self.phrases is None else read_phrases(self.phrases)


def plan_work(
    languages: Sequence[str], voices: Sequence[str], channels: Sequence[str], recognisers: Sequence[str]
) -> tuple[Work, ...]:
    """Every combination in which the voice speaks the language, channel after channel.

    Raises:
        UsageError: an unknown voice, or a language that none of the voices speaks.
    """
    found = []
    for channel in channels:
        for language in languages:
            able = [name for name in voices if registry.serves(registry.get(name, ModelKind.VOICE), language)]
            if not able:
                raise UsageError(f"none of the voices {', '.join(voices)} speaks {language!r}: see `ringback models list`")
            found += [Work(language, voice, channel, recogniser) for voice in able for recogniser in recognisers]
    return tuple(found)


def play(work: Sequence[Work], plan: Plan, concurrency: int, progress: Callable[[str], None]) -> HearingTable:
    """The table of all this work, each piece of it done in one process, several at a time.

    Raises:
        RingbackError: the first failure, whichever process met it.
    """
    found: list[HearingRow] = []
    with Pool(concurrency, prepare, plan) as pool:
        for item, measured in pool.in_order(measure, work):
            found += measured
            progress(str(item))
    languages = sorted({row.language for row in found})
    return HearingTable(
        phrases={language: content_hash(plan.phrase_set(language).to_json()) for language in languages},
        seed=plan.seed,
        normalisers={language: normaliser_of(language) for language in languages},
        spoken={language: rules_of(language) for language in languages},
        cpu_features=cpu_features(),
        rows=tuple(sorted(found, key=lambda row: (row.language, row.recogniser, row.voice, row.channel, row.split))),
    )


_plan: Plan | None = None


def prepare(plan: Plan) -> None:
    """Make this process ready to measure."""
    global _plan  # noqa: PLW0603  # a process pool offers no other place for per-process state
    _plan = plan


def measure(work: Work) -> list[HearingRow]:
    """Measure one combination in a prepared process."""
    if _plan is None:
        raise AssertionError("the process was not prepared")
    studio = build_studio(_plan.cache_root, work.channel, work.recogniser, endpoint=_plan.endpoint)
    phrases = _plan.phrase_set(work.language)
    cell, heard = survey(studio, registry.get(work.voice, ModelKind.VOICE), phrases, _plan.seed)
    return rows(cell, phrases, heard)
