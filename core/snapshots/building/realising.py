"""From an action to turns: words by the role agents, delivery by theirs, state by the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.schemas.casefile import Beat, DeniedNames
from core.schemas.snapshots import CallTurn, Delivery, Side
from core.schemas.trees import RejectCode
from core.seeds import derive
from core.snapshots.building.agents import AgentSet, Moment
from core.snapshots.building.plot import Plot
from core.snapshots.building.safety import unsafe
from core.snapshots.building.validator import Refusal
from core.text import collapse_spaces

ATTEMPTS = 3
"""Times an agent is asked for a turn before the action is left out."""
_DELIVERIES = tuple(known.value for known in Delivery)


@dataclass(frozen=True)
class Realised:
    """The turns of an action, or why there are none."""

    turns: tuple[CallTurn, ...]
    """The turns; empty where the action was refused."""
    replies: tuple[str, ...]
    """Raw replies of the agents."""
    refusal: Refusal | None = None
    """Why no turns could be made."""


class _Refused(Exception):
    """An agent gave nothing usable however often it was asked."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal[1])
        self.refusal = refusal


@dataclass(frozen=True)
class Realiser:
    """Words the actions of one tree."""

    agents: AgentSet
    """The agents."""
    plot: Plot
    """The actions."""
    denied: DeniedNames
    """Names no call may say."""
    seed: int
    """Seed of the tree."""

    def realise(self, moment: Moment, action: str, beats: Sequence[Beat]) -> Realised:
        """The turns of an action (or of `open` or `close`) that go on from `moment`, whose path names the action last."""
        turns: list[CallTurn] = []
        replies: list[str] = []
        try:
            for place, beat in enumerate(beats):
                recorded = self.plot.recorded(action, place) if action in moment.path[-1:] else action
                here = replace(moment, history=(*moment.history, *turns), state=turns[-1].after if turns else moment.state)
                text = self._words(here, action, beat, place, replies)
                turns.append(
                    CallTurn(
                        i=len(here.history),
                        side=beat.side,
                        action=recorded,
                        text=text,
                        delivery=self._delivery(here, beat.side, text, replies),
                        before=here.state,
                        after=self.plot.step(here.state, recorded),
                    )
                )
        except _Refused as refused:
            return Realised((), tuple(replies), refused.refusal)
        return Realised(tuple(turns), tuple(replies))

    def _words(self, moment: Moment, action: str, beat: Beat, place: int, replies: list[str]) -> str:
        player = self.agents.caller if beat.side is Side.CALLER else self.agents.receiver
        refusal: Refusal = (RejectCode.EMPTY_UTTERANCE, f"no words for turn {place} of {action!r}")
        for attempt in range(ATTEMPTS):
            answer = player.speak(moment, action, beat, derive(self.seed, "words", *moment.path, action, place, attempt))
            replies.extend(answer.replies)
            text = collapse_spaces(answer.value)
            found = unsafe(text, self.denied)
            if text and found is None:
                return text
            if found is not None:
                refusal = RejectCode.UNSAFE, f"turn {place} of {action!r} says {found[1]!r} ({found[0]})"
        raise _Refused(refusal)

    def _delivery(self, moment: Moment, side: Side, text: str, replies: list[str]) -> Delivery:
        agent = self.agents.caller_delivery if side is Side.CALLER else self.agents.receiver_delivery
        said = ""
        for attempt in range(ATTEMPTS):
            answer = agent.deliver(moment, text, derive(self.seed, "delivery", side.value, len(moment.history), attempt))
            replies.extend(answer.replies)
            said = answer.value.strip()
            if said in _DELIVERIES:
                return Delivery(said)
        raise _Refused((RejectCode.UNKNOWN_DELIVERY, f"{said!r} is no delivery; there are {', '.join(_DELIVERIES)}"))
