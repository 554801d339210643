"""The classical text baselines as detectors: what whoever reads a call has to beat.

A month is for testing alone, so they learn from calls that the offline agents write under another name, or from a file of
calls that were imported. Nothing of the month may be among them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from pydantic import JsonValue

from core.errors import UsageError
from core.options import refuse_unknown
from core.schemas.base import content_hash
from core.schemas.call_trace import PartyRecord
from core.schemas.detections import InputMode
from core.schemas.imported_calls import ImportedCall
from core.schemas.snapshots import Label, SnapshotCall
from core.schemas.trees import BuildConfig
from core.snapshots.building.build import build_calls
from core.snapshots.building.library import load_cases
from core.snapshots.detector import CallWords, Given, Said
from core.snapshots.evaluating.held_out import HeldOut
from core.snapshots.importing.collecting import CALLS, read_calls
from core.text import nfkc_casefold, primary_tag
from models.baselines import sklearning
from models.baselines.learners import TrainedBaseline, text_learner
from models.snapshots.offline import PARTY, offline_agents

SEED = 20_261_101
"""Seed of the calls they learn from where none is named."""
TREES = 48
"""Trees of these calls where no number is named."""
MARKED = "as written, marked by who speaks"
BARE = "letters and digits, folded, 1"
"""Forms of the words that are read: those of `ref` and those of `asr`."""
_MOST_TREES = 1000
_RUN = re.compile(r"[^\W_]+")
_Call = SnapshotCall | ImportedCall


@dataclass(frozen=True)
class Training:
    """What a baseline learns from."""

    seed: int = SEED
    """Seed of calls that are written for it."""
    trees: int = TREES
    """Their trees."""
    file: Path | None = None
    """Calls that were imported, instead."""

    def calls(self, language: str) -> tuple[tuple[_Call, ...], dict[str, JsonValue]]:
        """The calls, and how they are told of in a record.

        Raises:
            UsageError: there are no cases in this language, or the file has no calls in it of both labels.
            FileError: the file cannot be read.
        """
        if self.file is not None:
            primary = primary_tag(language)
            found = tuple(call for call in _imported(self.file) if primary_tag(call.language) == primary)
            if len({call.label for call in found}) < len(Label):
                raise UsageError(
                    f"{self.file}: {len(found)} calls in {language!r}, which are not of both labels: train on another file"
                )
            return found, {"sources": [*sorted({call.source for call in found})]}
        namespace = f"training-{primary_tag(language)}"
        told: dict[str, JsonValue] = {"namespace": namespace, "seed": self.seed, "trees": self.trees, "agents": PARTY}
        return _written(namespace, self.seed, language, self.trees), told


@cache
def _written(namespace: str, seed: int, language: str, trees: int) -> tuple[SnapshotCall, ...]:
    """Calls to learn from, the same for every baseline of a process."""
    library = load_cases(language)
    config = BuildConfig(namespace=namespace, seed=seed, language=language, trees=trees)
    return tuple(call for tree in build_calls(config, library, offline_agents(library)) for call in tree.calls)


def training(options: Mapping[str, str], shown: str) -> Training:
    """`train=<seed>` and `trees=<number>`, or `train=<calls.jsonl of an import>`; raises UsageError."""
    refuse_unknown(options, ("train", "trees"), shown)
    train, trees = options.get("train", str(SEED)), options.get("trees")
    if trees is not None and not (trees.isdecimal() and 1 <= int(trees) <= _MOST_TREES):
        raise UsageError(f"{shown!r}: trees is {trees!r}: it is a whole number from 1 to {_MOST_TREES}")
    if train.isdecimal():
        return Training(int(train), TREES if trees is None else int(trees))
    if trees is not None:
        raise UsageError(f"{shown!r}: trees is for calls that are written: leave it out where train names a file")
    return Training(file=Path(train))


def baseline_detector(name: str, asked: Training, language: str, mode: InputMode, month: HeldOut) -> BaselineDetector:
    """A baseline of `models.baselines` for calls in a language.

    Raises:
        UsageError: it has nothing to learn from, or would learn from the month itself.
        FileError: a file to learn from cannot be read.
    """
    calls, told = asked.calls(language)
    month.refuse(calls, "what this baseline is to learn from")
    return BaselineDetector(name, calls, told, mode)


class BaselineDetector:
    """A learner of texts."""

    modes = (InputMode.ASR, InputMode.REF)
    waits = False

    def __init__(self, name: str, calls: Sequence[_Call], told: Mapping[str, JsonValue], mode: InputMode) -> None:
        self._name = name
        self._learner = text_learner(name)
        self._marked = mode is InputMode.REF
        self._texts = [self._words(call) for call in calls]
        self._labels = [call.label for call in calls]
        self._told = told

    def record(self) -> PartyRecord:
        """The learner, and what it learned from."""
        learned = content_hash([[text, label.value] for text, label in zip(self._texts, self._labels, strict=True)])
        settings: dict[str, JsonValue] = {
            "learner": self._learner.name,
            "scikit_learn": sklearning.release(),
            "form": MARKED if self._marked else BARE,
            "trained_on": {**self._told, "calls": len(self._texts), "sha256": learned},
        }
        return PartyRecord(party=f"offline:{self._name}", settings=settings)

    def check(self) -> None:
        """Train before any call; raises MissingExtraError."""
        self._trained.predict([])

    def detect(self, given: Given, seed: int) -> Said:
        """The label, and the confidence in fraud where the learner has one."""
        assert isinstance(given, CallWords)
        text = given.text if self._marked else bare(given.text)
        (label,), scores = self._trained.predict([text]), self._trained.scores([text])
        return Said(label.value, score=None if scores is None else scores[0])

    @cached_property
    def _trained(self) -> TrainedBaseline[str]:
        return self._learner.fit(self._texts, self._labels)

    def _words(self, call: _Call) -> str:
        """A call as it is given."""
        return call.text if self._marked else bare("\n".join(turn.text for turn in call.turns))


def bare(text: str) -> str:
    """Letters and digits, folded, one space where anything else stood.

    No recogniser tells who speaks, or sets marks as a writer does: transcripts, and what is learned for them, are in this form.
    """
    return " ".join(_RUN.findall(nfkc_casefold(text)))


def _imported(path: Path) -> tuple[ImportedCall, ...]:
    folder = path.parent if path.name == CALLS else path
    if not (folder / CALLS).is_file():
        raise UsageError(
            f"{path}: no {CALLS} of an import here: write train=<seed>, or train=<folder of `ringback snapshot import`>"
        )
    return read_calls(folder)
