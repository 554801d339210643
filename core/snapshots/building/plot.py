"""Plot actions and the table of transitions: which action leads from which state to which; words are never read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from core.errors import UsageError
from core.schemas.casefile import ActionCatalogue, ActionClass, Beat, Content, Kind
from core.schemas.snapshots import PathState, Side

OPEN, CLOSE = "open", "close"
"""What turns before the first action and after the last one are recorded as."""
_BESIDE = "/"
"""Parts an action from the act of a turn that is not its key turn: `block-check.code/propose`."""


def risk_node_of(action: str) -> str | None:
    """The risk node an action takes place at; None for actions without one."""
    return action.partition(".")[2] or None


class Plot:
    """The catalogue of actions, ready to be asked."""

    def __init__(self, catalogue: ActionCatalogue) -> None:
        self.catalogue = catalogue

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """Kinds by id."""
        return {kind.id: kind for kind in self.catalogue.kinds}

    def kind(self, action: str) -> Kind:
        """The kind of an action; raises UsageError on an unknown one, naming the known ones."""
        name = action.partition(".")[0]
        if name not in self.kinds:
            raise UsageError(f"no kind of action {name!r}: there are {', '.join(self.kinds)}")
        return self.kinds[name]

    def risk_node(self, action: str) -> str | None:
        """The risk node an action takes place at; None for actions without one."""
        return risk_node_of(action)

    def recorded(self, action: str, place: int) -> str:
        """What turn `place` of an action is recorded as: the action itself on its key turn, else with its act."""
        kind = self.kind(action)
        return action if place == kind.key else f"{action}{_BESIDE}{kind.beats[place].act}"

    def action_of(self, recorded: str) -> str:
        """The action that a turn was recorded under."""
        return recorded.partition(_BESIDE)[0]

    def is_key(self, recorded: str) -> bool:
        """Whether a recorded turn is the key turn of an action."""
        return recorded not in (OPEN, CLOSE) and _BESIDE not in recorded

    def class_of(self, recorded: str) -> ActionClass:
        """The class of a recorded turn; turns beside the key turn, before and after the actions are context."""
        return self.kind(recorded).action_class if self.is_key(recorded) else ActionClass.CONTEXT

    def step(self, state: PathState, recorded: str) -> PathState:
        """The state after a recorded turn: the table, and nothing else."""
        return self.catalogue.transitions[state][self.class_of(recorded)]

    def replay(self, recorded: Iterable[str]) -> PathState:
        """The state that recorded turns lead to from an ambiguous start."""
        state = PathState.AMBIGUOUS
        for action in recorded:
            state = self.step(state, action)
        return state

    def shows(self, recorded: str) -> PathState:
        """What a recorded turn shows by itself: fraud, a lawful call, or nothing (ambiguous)."""
        return self.step(PathState.AMBIGUOUS, recorded)

    def ends(self, action: str) -> bool:
        """Whether an action ends the call."""
        return self.kind(action).action_class is ActionClass.ENDING

    def contents(self, action: str, side: Side | None = None) -> tuple[Content, ...]:
        """The halves of pairs that an action's turns carry, of one side or of both."""
        own = (beat for beat in self.beats(action) if side in (None, beat.side))
        return tuple(beat.content for beat in own if beat.content is not Content.NONE)

    def beats(self, action: str) -> tuple[Beat, ...]:
        """The turns of an action."""
        return self.kind(action).beats
