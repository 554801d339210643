"""What the instructions want callers to be told: "tell the caller to come early", "remind the caller that the fee returns".

Such sentences are said after the tool they stand with has worked, each once, or when a caller asks about them. A sentence
with a condition counts only if the condition names the status that came back, or a flag that is true in a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.spoken import say_text
from models.parties.baseline.memory import Leaf
from models.parties.words import stems, words

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
_TELL = re.compile(
    r"\b(?:tell|remind|ask|inform|advise)s? (?:the |any )?(?:caller|customer|patient|guest|client|person|cardholder|member)s?\b"
    r"(?P<aside>(?:,? \w+){0,7}?,?) (?P<how>that|to) (?P<what>[^:;]+?)[.]?$",
    re.IGNORECASE,
)
_NEEDED = re.compile(r"\bsay\b.*\b(?P<how>that) (?P<what>(?:an? |the )[^,:;]+ (?:is|are) (?:needed|required))\b", re.IGNORECASE)
_CONDITION = re.compile(r"^(?:but )?(if|when|where|once|after|unless|until|as soon as)\b([^,]*),", re.IGNORECASE)


@dataclass(frozen=True)
class Advice:
    """One thing to tell a caller."""

    section: int
    """The section it stands in."""
    place: int
    """Its place among the sentences of its section."""
    condition: str
    """What has to hold, empty where nothing has to."""
    told: str
    """The sentence as it is said."""

    def holds(self, statuses: Iterable[str], returned: Sequence[Leaf]) -> bool:
        """Whether its condition is met by a status or by a true flag among the results."""
        if not self.condition:
            return True
        said = stems(self.condition)
        flags = [stems(leaf.path[-1]) for leaf in returned if leaf.value is True]
        return any(stems(status) and stems(status) <= said for status in statuses) or any(flag and flag <= said for flag in flags)


class Guidance:
    """The advice in a set of instructions."""

    def __init__(self, instructions: str, tools: Iterable[str]) -> None:
        self._sections = [[s for s in _SENTENCE.split(part) if s.strip()] for part in _HEADING.split(instructions)]
        self._tools = tuple(tools)
        self._advice = [
            advice
            for section, sentences in enumerate(self._sections)
            for place, sentence in enumerate(sentences)
            if (advice := _advice(section, place, sentence)) is not None
        ]

    def after(self, tool: str, status: str, returned: Sequence[Leaf]) -> list[str]:
        """What to tell once a tool has worked: what stands behind it before another tool is named, or depends on a true flag."""
        told = []
        for advice in self._advice:
            place = self._place_of(tool, advice.section)
            if place is None or not advice.holds([status], returned):
                continue
            between = " ".join(self._sections[advice.section][place + 1 : advice.place + 1])
            others = [other for other in self._tools if other != tool and self._names(other, between)]
            if advice.condition or (place <= advice.place and not others):
                told.append(advice.told)
        return told

    def about(self, question: str, done: Iterable[str], statuses: Sequence[str], returned: Sequence[Leaf]) -> str | None:
        """The advice a question is about: from a section that names a tool that has worked, if its condition holds."""
        asked = stems(question)
        sections = {number for tool in done for number in range(len(self._sections)) if self._place_of(tool, number) is not None}
        fitting = [a for a in self._advice if a.section in sections and a.holds(statuses, returned)]
        best = max(fitting, key=lambda advice: len(stems(advice.told) & asked), default=None)
        return best.told if best is not None and stems(best.told) & asked else None

    def _place_of(self, tool: str, section: int) -> int | None:
        """The first sentence of a section that names a tool."""
        places = [place for place, sentence in enumerate(self._sections[section]) if self._names(tool, sentence)]
        return places[0] if places else None

    @staticmethod
    def _names(tool: str, sentence: str) -> bool:
        return re.search(rf"\b{re.escape(tool)}\b", sentence) is not None


def _advice(section: int, place: int, sentence: str) -> Advice | None:
    sentence = sentence.strip()
    found = _TELL.search(sentence) or _NEEDED.search(sentence)
    if found is None or '"' in found.group("what"):
        return None
    condition = _CONDITION.match(sentence)
    what = re.sub(r",? and (that|to) ", " and ", found.group("what")).strip()
    what = re.split(r",? (before|and only then|without)\b", what)[0].strip()
    if len(words(what)) < 3:
        return None
    opening = "Please" if found.group("how").casefold() == "to" else "Please note that"
    return Advice(section, place, condition.group(2) if condition else "", say_text(f"{opening} {what}."))
