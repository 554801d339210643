"""Finding phrases among the units of a text, in one way for every language."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.spoken.kinds import Kind, Reading, Unit

Parting = Callable[[str], list[Unit]]
"""A text as a language's normalised units."""
Places = Callable[[Sequence[Unit], tuple[str, ...]], list[int]]
"""Where a phrase stands as a whole among units."""


def phrase_units(phrase: str, units: Parting) -> tuple[str, ...]:
    """A phrase as normalised units; underscores part words."""
    return tuple(unit.text for unit in units(phrase.replace("_", " ")))


def read_choices(text: str, choices: Sequence[str], units: Parting, places: Places) -> list[Reading]:
    """Every option that stands in the text, in order, longer options before shorter ones in the same place."""
    parted = units(text)
    wanted = sorted(((phrase_units(choice, units), choice) for choice in choices), key=lambda item: -len(item[0]))
    found: list[Reading] = []
    used: set[int] = set()
    for phrase, choice in wanted:
        for at in places(parted, phrase):
            covered = set(range(at, at + len(phrase)))
            if covered & used:
                continue
            used |= covered
            start, end = parted[at].start, parted[at + len(phrase) - 1].end
            found.append(Reading(Kind.CHOICE, choice, start, end, text[start:end]))
    return sorted(found, key=lambda reading: reading.start)


def find_phrase(phrase: str, text: str, units: Parting, places: Places) -> tuple[int, int] | None:
    """Offsets in `text` of the first place where the phrase stands as a whole, None when it does not."""
    parted, wanted = units(text), phrase_units(phrase, units)
    found = places(parted, wanted)
    return (parted[found[0]].start, parted[found[0] + len(wanted) - 1].end) if found else None


def read_whole(text: str) -> list[Reading]:
    """All the words as one free text; nothing where there are none."""
    stripped = text.strip()
    start = text.find(stripped)
    return [Reading(Kind.TEXT, " ".join(stripped.split()), start, start + len(stripped), stripped)] if stripped else []
