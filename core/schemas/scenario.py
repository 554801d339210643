"""A scenario: one caller's private plan, the hidden backend, the channel program and what is graded."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue, field_validator, model_validator

from core.schemas.base import (
    Diagnostic,
    Difficulty,
    Importance,
    Key,
    Model,
    Sha256,
    Slug,
)
from core.schemas.checks import Check
from core.schemas.matchers import Extra, Matcher, MatcherSet
from core.spoken import Kind


class Fact(Model):
    """One thing the caller knows and may say."""

    value: str | int | float | bool
    """The value as a document prints it; quote it where leading zeros count."""
    kind: Kind = Kind.TEXT
    """What sort of value it is: decides how it is said, read and compared."""


class PlanStep(Model):
    """One intention of the caller: a meaning to convey when its trigger holds, never a line to recite."""

    id: Key
    """Name of the step; has an underscore or a digit, so that speech cannot contain it by accident."""
    trigger: str = Field(min_length=1)
    """When the caller may take this step."""
    meaning: str = Field(min_length=1)
    """What the caller then conveys."""


class Pace(StrEnum):
    """How fast the caller speaks."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"


class Voice(Model):
    """Traits by which a voice is chosen for the caller."""

    gender: Literal["female", "male", "any"] = "any"
    """Gender of the voice."""
    age: Literal["young", "adult", "senior", "any"] = "any"
    """Age band."""
    pace: Pace = Pace.NORMAL
    """Speaking rate."""
    accent: str = ""
    """BCP 47 tag or a name such as `en-GB`; empty for any."""
    mood: str = ""
    """One word, such as `calm` or `hurried`."""


class Brief(Model):
    """All the caller may know."""

    context: str
    """Who the caller is and what happened so far."""
    reason: str
    """Why there is a call, in the caller's eyes."""
    now: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$")
    """Local date and time of the call, `YYYY-MM-DDTHH:MM`."""
    facts: dict[Key, Fact] = {}
    """What the caller knows, by key."""
    unknown: tuple[str, ...] = ()
    """What the caller explicitly does not know."""
    plan: tuple[PlanStep, ...] = Field(min_length=1)
    """The intentions in order."""
    voice: Voice = Voice()
    """Traits of the caller's voice."""

    @field_validator("now")
    @classmethod
    def _real_moment(cls, now: str) -> str:
        datetime.fromisoformat(now)
        return now


class QueueEntry(Model):
    """The authored answer to the j-th call of a tool."""

    args: MatcherSet = {}
    """Matchers over the arguments; a missing argument fails all but `absent`."""
    extra: Extra = Extra.ALLOW
    """Whether arguments not listed are free, or make the call a mismatch."""
    result: dict[str, JsonValue]
    """Returned when every matcher holds; values may be references."""
    mismatch: dict[str, JsonValue]
    """Returned when a matcher fails or the arguments cannot be parsed."""


class Fixture(Model):
    """A tool's ordered queue of authored responses."""

    queue: tuple[QueueEntry, ...] = ()
    """Entry j answers call j."""
    default: dict[str, JsonValue]
    """Returned to a call past the queue."""


class BackendProgram(Model):
    """Hidden state and how each tool answers: fixtures, or a program of the bundle."""

    state: dict[str, JsonValue] = {}
    """Hidden truth; fixtures may refer to it as `$state.<path>`, a program changes a copy of it."""
    fixtures: dict[str, Fixture] = {}
    """One fixture for each tool of the agent; none with a program."""
    program: str | None = Field(default=None, pattern=r"^python:[A-Za-z_][A-Za-z0-9_]*:[A-Za-z_][A-Za-z0-9_]*$")
    """`python:<module>:<object>`: code in `backends/<module>.py` of the bundle, run only with `--allow-code`."""


class Place(Model):
    """A caller turn, by its number or by the step it expresses."""

    turn: int | None = Field(default=None, ge=1)
    """Caller turn, counted from 1."""
    step: str | None = None
    """The turn that expresses this plan step."""

    @model_validator(mode="after")
    def _one(self) -> Place:
        if (self.turn is None) == (self.step is None):
            raise ValueError("a place is either `turn: <n>` or `step: <id>`")
        return self


class EventKind(StrEnum):
    """What an ASR event does to its span."""

    DROP = "drop"
    DOUBLE = "double"
    SUBSTITUTE = "substitute"


class AsrEvent(Model):
    """One authored recognition error."""

    id: Key
    """Name of the event."""
    at: Place
    """The turn it befalls."""
    kind: EventKind
    """Drop, double or substitute the span."""
    span: str = Field(min_length=1)
    """Words as said, or `$caller.facts.<key>`: the first whole-word occurrence, in any spoken form of the fact."""
    with_: str | None = Field(default=None, alias="with", min_length=1)
    """The replacement of a substitution."""

    @model_validator(mode="after")
    def _with_only_for_substitute(self) -> AsrEvent:
        if (self.kind is EventKind.SUBSTITUTE) != (self.with_ is not None):
            raise ValueError("`with` belongs to, and only to, a `substitute` event")
        return self


class Split(Model):
    """One authored pause at which the voice-activity detector cuts a turn."""

    at: Place
    """The turn it befalls."""
    inside: str | None = Field(default=None, min_length=1)
    """Cut in the middle of this span (words or `$caller.facts.<key>`), at a word boundary."""
    after: str | None = Field(default=None, min_length=1)
    """Cut after this span."""

    @model_validator(mode="after")
    def _one(self) -> Split:
        if (self.inside is None) == (self.after is None):
            raise ValueError("a split is either `inside: <span>` or `after: <span>`")
        return self


class Interruption(Place):
    """The caller breaks in on the agent, so that this caller turn comes early; only full-duplex lines play it."""

    after_ms: int = Field(ge=0)
    """Milliseconds of agent speech before the caller breaks in."""


class ChannelProgram(Model):
    """What happens to the caller's words on an authored line."""

    asr_events: tuple[AsrEvent, ...] = ()
    """Authored recognition errors."""
    splits: tuple[Split, ...] = ()
    """Authored pauses, at most two per turn."""
    interruptions: tuple[Interruption, ...] = ()
    """Authored interruptions."""
    seeded_word: bool = False
    """Change one eligible word of the first caller turn by the line's seed; only without `asr_events`."""


class Calls(Model):
    """How many matching calls an action expects."""

    min: int = Field(default=1, ge=0)
    """Fewest."""
    max: int = Field(default=1, ge=0)
    """Most."""

    @model_validator(mode="after")
    def _ordered(self) -> Calls:
        if self.min > self.max:
            raise ValueError(f"calls min {self.min} is above max {self.max}")
        return self


class ExpectedAction(Model):
    """A tool call that must, or must not, happen."""

    id: Key
    """Name of the action."""
    tool: str
    """Tool name."""
    args: MatcherSet = {}
    """Matchers over the arguments; a missing argument fails all but `absent`."""
    extra: Extra = Extra.ALLOW
    """Whether arguments not listed are free, or keep the call from matching."""
    calls: Calls = Calls()
    """How many matching calls are wanted."""
    after: tuple[str, ...] = ()
    """Actions whose first matching call must come earlier."""
    importance: Importance = 1
    """Weight."""
    diagnostic: Diagnostic = Diagnostic.ARGUMENTS
    """The task diagnostic it feeds."""
    forbidden: bool = False
    """True: met only if no call matches."""


class ExpectedState(Model):
    """What must hold of the hidden state when the call is over; only with a backend program."""

    id: Key
    """Name of the expectation."""
    path: str = Field(min_length=1)
    """Dotted path into the state, list positions as numbers."""
    matcher: Matcher
    """What the value there must satisfy; `absent` where there must be none."""
    importance: Importance = 1
    """Weight."""
    diagnostic: Diagnostic = Diagnostic.OUTCOME
    """The task diagnostic it feeds."""


class Anchors(Model):
    """What each label looks like in this scenario."""

    met: str = Field(min_length=1)
    """Met."""
    partial: str = Field(min_length=1)
    """Partly met."""
    not_met: str = Field(min_length=1)
    """Not met."""


class Excerpt(Model):
    """Words of the instructions a criterion rests on."""

    text: str = Field(min_length=1)
    """Exact substring of this scenario's rendered prompt."""
    prompt_sha256: Sha256
    """Hash of this scenario's full rendered prompt."""


class Criterion(Model):
    """Something judged on the trace."""

    id: Key
    """Name of the criterion."""
    diagnostic: Diagnostic
    """The diagnostic, and by it the pillar and judge."""
    importance: Importance = 1
    """Weight."""
    statement: str = Field(min_length=1)
    """What is asked of the agent."""
    anchors: Anchors
    """Written anchors for the three labels."""
    excerpts: tuple[Excerpt, ...] = ()
    """The instructions it rests on; required for `rules`."""
    check: Check | None = None
    """A deterministic check, where a program can decide."""


class RatingOverride(Model):
    """How a built-in conversation rating counts here."""

    weight: Importance = 1
    """Weight."""
    applicable: bool = True
    """False leaves the rating out of both sides."""


class OfflineStep(Model):
    """How the scripted caller takes a step: never seen by a chat caller."""

    cues: tuple[str, ...] = ()
    """Phrases of the agent that mean the trigger holds; none: as soon as the step is next."""
    line: str = Field(min_length=1)
    """What it says; `{fact_key}` is replaced by the spoken form of the fact."""
    ends: bool = False
    """Whether it takes leave with this line."""


class OfflineCall(Model):
    """A tool call of the author's own solution."""

    tool: str
    """Tool name."""
    arguments: dict[str, JsonValue] = {}
    """Arguments as sent; no references."""


class OfflineTurn(Model):
    """A turn of the author's own solution: words, tool calls, or both."""

    say: str = ""
    """Words said aloud."""
    calls: tuple[OfflineCall, ...] = ()
    """Tool calls, in order; the next turn follows their results, else the caller's next turn."""

    @model_validator(mode="after")
    def _does_something(self) -> OfflineTurn:
        if not self.say.strip() and not self.calls:
            raise ValueError("a turn has words, calls, or both")
        return self


class Offline(Model):
    """Help for the offline parties only."""

    steps: dict[str, OfflineStep] = {}
    """Plan step id to its cues and line, for `offline:scripted`."""
    agent: tuple[OfflineTurn, ...] = ()
    """The author's own solution, turn by turn from the greeting on, for `offline:reference`."""


class Scenario(Model):
    """`scenarios/<agent>/<scenario>.yaml`: one call to be made."""

    format: Literal["ringback-scenario-1"] = "ringback-scenario-1"
    """Version of this format."""
    id: Slug
    """Name, unique in the bundle, equal to the file's name."""
    agent: Slug
    """The agent called."""
    title: str = ""
    """One line for people."""
    language: str = Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")
    """BCP 47 tag of the language spoken."""
    script: str = Field(pattern=r"^[A-Z][a-z]{3}$")
    """ISO 15924 code of the script it is written in."""
    difficulty: Difficulty
    """How hard its author thinks it is."""
    tags: tuple[str, ...] = ()
    """Domain tags for slices."""
    variables: dict[str, str] = {}
    """Values for the agent's template variables."""
    goal: str = Field(min_length=1)
    """What a good call achieves; for the task judge only."""
    caller: Brief
    """The caller's brief."""
    backend: BackendProgram
    """Hidden state and fixtures."""
    channel: ChannelProgram = ChannelProgram()
    """The channel program."""
    expected: tuple[ExpectedAction, ...] = ()
    """Expected and forbidden actions."""
    expected_state: tuple[ExpectedState, ...] = ()
    """What the tools must have made of the state."""
    criteria: tuple[Criterion, ...] = ()
    """Judged criteria."""
    ratings: dict[Diagnostic, RatingOverride] = {}
    """Overrides of the six built-in conversation ratings."""
    offline: Offline = Offline()
    """Cues and lines of the scripted caller, and the author's own solution."""
