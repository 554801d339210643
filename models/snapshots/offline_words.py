"""R_c and R_r offline: a wording of the act, filled with half of a pair, and neither said before in the same call."""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter

import numpy as np

from core.schemas.casefile import Beat, Content, Pair
from core.seeds import generator
from core.snapshots.building.agents import Answer, Moment
from core.snapshots.building.library import CaseLibrary


class OfflinePlayer:
    """Words the turns of one side from the wordings of the language and of the family."""

    def __init__(self, library: CaseLibrary) -> None:
        self._library = library

    def speak(self, moment: Moment, action: str, beat: Beat, seed: int) -> Answer[str]:
        """The words of one turn."""
        draw = generator(seed, "words")
        shared = moment.profile.shared
        said = [turn.text for turn in moment.history]
        slots = {**shared.entities, "caller_name": shared.caller_name, "receiver_name": shared.receiver_name}
        words = self._library.families[moment.profile.family_id]
        case = words.cases[moment.profile.abstract_id]
        if beat.act == "raise":
            slots["event"] = _unsaid(case.events, said, draw).format_map(slots)
        elif beat.act == "explain":
            slots["fact"] = _unsaid(case.facts, said, draw).format_map(slots)
        if beat.content is not Content.NONE:
            pairs = words.topics[action.partition(".")[2]].pairs
            halves = [_half(pair, beat.content) for pair in pairs]
            form = "offer" if beat.act == "propose" else "say"
            answered = [place for place, pair in enumerate(pairs) if said and _proposed(pair, said[-1])]
            if answered:
                halves = [halves[answered[0]]]
            clause = _unsaid([half[form] for half in halves], said, draw)
            tail = _unsaid([getattr(tail, beat.content.value) for tail in self._library.manner.tails], said, draw)
            slots |= {"offer": clause, "tail": tail, "say": f"{clause}{self._library.manner.joiner}{tail}"}
        return Answer(_unsaid(self._library.manner.acts[beat.act], said, draw).format_map(slots))


def _half(pair: Pair, content: Content) -> dict[str, str]:
    clause = pair.harm if content is Content.HARM else pair.safe
    return {"say": clause.say, "offer": clause.offer}


def _proposed(pair: Pair, text: str) -> bool:
    """Whether a turn proposes either half of a pair: the answer stays with that pair."""
    return pair.harm.offer in text or pair.safe.offer in text


def _unsaid(options: Sequence[str], said: Sequence[str], draw: np.random.Generator) -> str:
    """One of the wordings, if possible one whose longest fixed part was not said in this call yet."""
    fresh = [option for option in options if not any(_fixed(option) in text for text in said)]
    pool = fresh or list(options)
    return pool[int(draw.integers(len(pool)))]


def _fixed(template: str) -> str:
    return max((literal for literal, *_ in Formatter().parse(template)), key=len)
