"""Everyday dialogues of our own, the `unrelated` tier: no fraud, no service desk, no money, only people who know each other.

Each topic is a file of plots; a plot is expanded by drawing one of its records of details, what the two call each other, a way
through its turns and a wording for each turn. Dialogues of one plot share wordings, so a plot is a group that no split parts.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.bundle import shipped_bundle
from core.errors import FileError, UsageError
from core.schemas.everyday import EverydayPlot, EverydayTopic
from core.schemas.imported_calls import ImportedCall, ImportedTurn
from core.schemas.snapshots import Label, Side
from core.seeds import generator
from core.snapshots.plain import plain
from core.validation import validate
from core.yamlfile import read_data

SOURCE = "everyday"
SEED = 20_261_101
"""Seed of the dialogues that the tier stands for."""
PER_PLOT = 10
"""Dialogues of each plot in it."""
_TRIES = 50


def everyday_folder(language: str = "zh") -> Path:
    """Where the topics of a language lie; raises UsageError where there are none."""
    folder = shipped_bundle("snapshots") / f"unrelated-{language}"
    if not folder.is_dir():
        raise UsageError(f"no everyday dialogues for language {language!r}: there are those of 'zh'")
    return folder


def load_topics(folder: Path) -> tuple[EverydayTopic, ...]:
    """The topics of a folder by name; raises FileError naming the file and field of the first fault."""
    topics = []
    for path in sorted(folder.glob("*.yaml")):
        found = validate(EverydayTopic, read_data(path))
        if found.faults or found.value is None:
            where, reason = found.faults[0] if found.faults else ("", "no topic")
            raise FileError(f"{path}: {where}: {reason}")
        topics.append(found.value)
    if not topics:
        raise FileError(f"{folder}: no topics here")
    return tuple(topics)


def everyday_calls(language: str = "zh", seed: int = SEED, per_plot: int = PER_PLOT) -> tuple[ImportedCall, ...]:
    """The dialogues of all plots of a language, the same for the same seed, no two with the same words.

    Raises:
        UsageError: the language has none.
        FileError: a file is faulty, or a plot has not so many different dialogues in it.
    """
    calls = []
    for topic in load_topics(everyday_folder(language)):
        for plot in topic.plots:
            calls += expand(topic, plot, language, seed, per_plot)
    return tuple(calls)


def expand(topic: EverydayTopic, plot: EverydayPlot, language: str, seed: int, number: int) -> list[ImportedCall]:
    """So many different dialogues of one plot; raises FileError where it has not so many in it."""
    calls: list[ImportedCall] = []
    seen: set[str] = set()
    for place in range(number):
        for attempt in range(_TRIES):
            rng = generator(seed, "everyday", topic.topic, plot.id, place, attempt)
            turns = _turns(plot, plot.details[place % len(plot.details)], rng)
            words = plain("".join(turn.text for turn in turns))
            if words not in seen:
                break
        else:
            raise FileError(f"topic {topic.topic!r}, plot {plot.id!r}: fewer than {number} different dialogues are in it")
        seen.add(words)
        group = f"{SOURCE}-{topic.topic}-{plot.id}"
        calls.append(
            ImportedCall(
                sample_id=f"{group}-{place + 1}",
                source=SOURCE,
                source_id=f"{topic.topic}/{plot.id}/{seed}/{place + 1}",
                group=group,
                family=topic.topic,
                language=language,
                label=Label.NONFRAUD,
                turns=turns,
            )
        )
    return calls


def _turns(plot: EverydayPlot, details: dict[str, str], rng: np.random.Generator) -> tuple[ImportedTurn, ...]:
    known = {**details, **plot.people[rng.integers(len(plot.people))]}
    made: list[ImportedTurn] = []
    for step in plot.turns:
        for turn in step.ways[rng.integers(len(step.ways))]:
            template = turn.wordings[rng.integers(len(turn.wordings))]
            text = template.format_map(known)
            if made and made[-1].side == turn.side:  # a turn left out between two of one side makes them one
                text = made.pop().text + text
            made.append(ImportedTurn(side=Side(turn.side), text=text))
    return tuple(made)
