"""From an action to turns: words by the role agents, delivery by theirs, state by the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.schemas.casefile import Beat, DeniedNames
from core.schemas.snapshots import AgentReply, CallTurn, Delivery, Side
from core.schemas.trees import RejectCode
from core.seeds import derive
from core.snapshots.building.agents import (
    ATTEMPTS,
    CALLER,
    CALLER_DELIVERY,
    RECEIVER,
    RECEIVER_DELIVERY,
    AgentSet,
    Moment,
)
from core.snapshots.building.plot import Plot
from core.snapshots.building.safety import unsafe
from core.snapshots.building.validator import Refusal
from core.text import collapse_spaces

_DELIVERIES = tuple(known.value for known in Delivery)


@dataclass(frozen=True)
class Realised:
    """The turns of an action, or why there are none."""

    turns: tuple[CallTurn, ...]
    """The turns; empty where the action was refused."""
    replies: tuple[AgentReply, ...]
    """Replies of the agents."""
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
        replies: list[AgentReply] = []
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

    def _words(self, moment: Moment, action: str, beat: Beat, place: int, replies: list[AgentReply]) -> str:
        calls = beat.side is Side.CALLER
        player, agent = (self.agents.caller, CALLER) if calls else (self.agents.receiver, RECEIVER)
        rejected: Refusal | None = None
        for attempt in range(ATTEMPTS):
            here = replace(moment, rejected=rejected[1] if rejected else "")
            answer = player.speak(here, action, beat, derive(self.seed, "words", *moment.path, action, place, attempt))
            replies.extend(answer.told_by(agent))
            text = collapse_spaces(answer.value)
            rejected = answer.refusal or self._unfit(text, f"turn {place} of {action!r}")
            if rejected is None:
                return text
            if rejected[0] is RejectCode.REFUSED:
                break
        assert rejected is not None
        raise _Refused(rejected)

    def _unfit(self, text: str, where: str) -> Refusal | None:
        """Why words may not be said; None where they may."""
        if not text:
            return RejectCode.EMPTY_UTTERANCE, f"no words for {where}"
        found = unsafe(text, self.denied)
        return None if found is None else (RejectCode.UNSAFE, f"{where} says {found[1]!r} ({found[0]})")

    def _delivery(self, moment: Moment, side: Side, text: str, replies: list[AgentReply]) -> Delivery:
        calls = side is Side.CALLER
        deliverer, agent = (
            (self.agents.caller_delivery, CALLER_DELIVERY) if calls else (self.agents.receiver_delivery, RECEIVER_DELIVERY)
        )
        rejected: Refusal | None = None
        for attempt in range(ATTEMPTS):
            here = replace(moment, rejected=rejected[1] if rejected else "")
            answer = deliverer.deliver(here, text, derive(self.seed, "delivery", side.value, len(moment.history), attempt))
            replies.extend(answer.told_by(agent))
            said = answer.value.strip()
            if answer.refusal is None and said in _DELIVERIES:
                return Delivery(said)
            unknown = RejectCode.UNKNOWN_DELIVERY, f"{said!r} is no delivery; there are {', '.join(_DELIVERIES)}"
            rejected = answer.refusal or unknown
            if rejected[0] is RejectCode.REFUSED:
                break
        assert rejected is not None
        raise _Refused(rejected)
