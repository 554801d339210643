"""The six agents of a tree and the profiler before them, as shapes: an offline set and a chat set fill the same ones.

R_c and R_r word turns, B proposes what may happen next, Gamma says whether a path goes on, E_c and E_r say how a turn is
said. B and Gamma hear what a path has shown, which is its label once there is one; who words turns or says how they are said
does not. The state of a path comes from recorded actions alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from pydantic import JsonValue

from core.errors import InputError
from core.schemas.casefile import Beat, CaseAbstract, Profile
from core.schemas.snapshots import AgentReply, CallTurn, PathState
from core.schemas.trees import Proposal
from core.snapshots.building.validator import Refusal

ATTEMPTS = 3
"""Times an agent is asked for one answer before what needs it is left out."""
PROFILER, CALLER, RECEIVER, BRANCHER, TERMINATOR = "profiler", "caller", "receiver", "brancher", "terminator"
CALLER_DELIVERY, RECEIVER_DELIVERY = "caller_delivery", "receiver_delivery"
ROLES = (PROFILER, CALLER, RECEIVER, BRANCHER, TERMINATOR, CALLER_DELIVERY, RECEIVER_DELIVERY)
"""The fields of an `AgentSet` that hold agents."""

_T = TypeVar("_T")


@dataclass(frozen=True)
class Answer(Generic[_T]):
    """What an agent answered."""

    value: _T
    """The answer."""
    replies: tuple[str, ...] = ()
    """Raw replies it was read from, failed ones first; empty for agents without a chat model."""
    refusal: Refusal | None = None
    """Why the value is not to be used; None for a good answer."""

    def told_by(self, agent: str) -> tuple[AgentReply, ...]:
        """The replies with the agent that gave them."""
        return tuple(AgentReply(agent=agent, raw=raw) for raw in self.replies)


class NoProfileError(InputError):
    """A profiler could make no profile of a case."""

    def __init__(self, reason: str, replies: Iterable[str] = ()) -> None:
        super().__init__(reason)
        self.replies = tuple(AgentReply(agent=PROFILER, raw=raw) for raw in replies)


@dataclass(frozen=True)
class Moment:
    """A point of a path: all that an agent may know."""

    profile: Profile
    """What the calls of the tree share and vary."""
    history: tuple[CallTurn, ...]
    """Turns so far."""
    path: tuple[str, ...]
    """Actions so far, the one that is being realised included."""
    state: PathState
    """What the path has shown."""
    levels_left: int
    """Actions that may still follow."""
    rejected: str = ""
    """Why the last answer to the same question was not taken; empty at the first attempt."""


@dataclass(frozen=True)
class Verdict:
    """Whether a path goes on."""

    open: bool
    """Whether it may be expanded."""
    reason: str
    """Why, in a few words."""


class Profiler(Protocol):
    """Makes a case ready for a tree."""

    def profile(self, abstract: CaseAbstract, seed: int) -> Answer[Profile]:
        """The profile of a case; raises InputError where none can be made."""


class RolePlayer(Protocol):
    """R_c or R_r: words the turns of one side."""

    def speak(self, moment: Moment, action: str, beat: Beat, seed: int) -> Answer[str]:
        """The words of one turn of an action, or of `open` or `close`."""


class Brancher(Protocol):
    """B: proposes what may happen next."""

    def propose(self, moment: Moment, most: int, seed: int) -> Answer[tuple[Proposal, ...]]:
        """At most `most` actions; more are left out."""


class Terminator(Protocol):
    """Gamma: says whether a path goes on."""

    def judge(self, moment: Moment, seed: int) -> Answer[Verdict]:
        """Whether the path may be expanded."""


class Deliverer(Protocol):
    """E_c or E_r: says how the turns of one side are said."""

    def deliver(self, moment: Moment, text: str, seed: int) -> Answer[str]:
        """One of the known deliveries. The seed depends on tree, side and turn only, so that siblings may sound alike."""


@dataclass(frozen=True)
class AgentSet:
    """The agents of a build and what is recorded about them."""

    profiler: Profiler
    """Before the tree."""
    caller: RolePlayer
    """R_c."""
    receiver: RolePlayer
    """R_r."""
    brancher: Brancher
    """B."""
    terminator: Terminator
    """Gamma."""
    caller_delivery: Deliverer
    """E_c."""
    receiver_delivery: Deliverer
    """E_r."""
    parties: Mapping[str, str]
    """Role to the party that plays it; written into every call."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Role to the hash of its prompt."""
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    """Settings of the parties."""
