"""What `ringback calibrate` prints: rates side by side, and events and confusions that an author can paste."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from core.report.figures import Rows
from core.report.text import clean, table, wrapped
from core.schemas.calibration import Calibration, Confusion, ErrorProfile, SuggestedEvent

SHOWN = 20
"""Confusions shown; the JSON has them all."""
ONE_PLACE = 3
"""Profiles of a language that was heard in one way only: authored, measured, and the same again for that way."""
HOW_TO_READ = (
    "Errors per hundred words said of the class, with the 95 % interval. Authored: what the scenarios' channel programs do to the"
    " same words. Insertions have no authored kind."
)


def calibration_text(report: Calibration, width: int) -> str:
    """The whole for a terminal."""
    lines: list[str] = []
    for profile in report.profiles:
        only = sum(each.language == profile.language for each in report.profiles) == ONE_PLACE
        if profile.channel is None or not only:
            lines += [_title(profile), *(table(_rows(profile), right=(2, 3)) if profile.errors else ()), ""]
    lines += [wrapped(HOW_TO_READ, width), ""]
    if report.suggestions:
        lines += ["Real errors as events, by scenario", *suggestions_yaml(report.suggestions), ""]
    if report.confusions:
        lines += ["Words heard for others", *table(_confusion_rows(report.confusions[:SHOWN]), right=(3, 4)), ""]
    return "\n".join(lines)


def suggestions_yaml(suggestions: Sequence[SuggestedEvent]) -> Iterator[str]:
    """Suggested events as YAML: under a comment that names the scenario, entries of its `channel.asr_events`."""
    name = None
    for each in suggestions:
        if each.scenario != name:
            name = each.scenario
            yield f"# {name}, channel.asr_events:"
        fields = each.event.model_dump(mode="json", by_alias=True, exclude_none=True)
        yield f"- {json.dumps(fields, ensure_ascii=False)}  # {each.count} of {each.turns}"


def _title(profile: ErrorProfile) -> str:
    place = [part for part in (profile.channel, profile.voice, profile.recogniser) if part is not None]
    words = sum(profile.words.values())
    head = f"{profile.language}, {profile.source}{': ' if place else ''}{', '.join(place)}"
    return clean(f"{head}: {profile.per_100:.2f} errors per 100 words, {words} words in {profile.turns} turns")


def _rows(profile: ErrorProfile) -> Rows:
    head = ["error", "class", "count", "per 100", "95 %"]
    rows = [
        [each.kind.value, each.word_class.value, str(each.count), f"{each.per_100:.2f}", f"{each.low:.2f}-{each.high:.2f}"]
        for each in profile.errors
    ]
    return [head, *rows]


def _confusion_rows(found: Sequence[Confusion]) -> Rows:
    rows = [
        [each.language, clean(each.said), clean(each.heard), str(each.count), str(each.of), "yes" if each.listed else "no"]
        for each in found
    ]
    return [["language", "said", "heard", "count", "of", "listed"], *rows]
