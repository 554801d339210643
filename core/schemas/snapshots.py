"""Snapshots: a labelled call as it is built, voiced and frozen, and the head of the month it belongs to."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, JsonValue, model_validator

from core.schemas.base import Model, Sha256, Slug


class Label(StrEnum):
    """What a recorded call is."""

    FRAUD = "FRAUD"
    """Telecom fraud."""
    NONFRAUD = "NONFRAUD"
    """A lawful call."""


class PathState(StrEnum):
    """What the actions of a call have shown so far."""

    AMBIGUOUS = "A"
    """Nothing that tells fraud from a lawful call."""
    FRAUD = "F"
    """Evidence of fraud."""
    NONFRAUD = "N"
    """Evidence of a lawful call."""

    @property
    def label(self) -> Label | None:
        """The label of a call that ends in this state; None where it cannot be labelled."""
        return {PathState.FRAUD: Label.FRAUD, PathState.NONFRAUD: Label.NONFRAUD}.get(self)


class Side(StrEnum):
    """Who speaks in a recorded call."""

    CALLER = "caller"
    """Who placed the call."""
    RECEIVER = "receiver"
    """Who picked it up."""


class Delivery(StrEnum):
    """How a turn is said; it changes sound, never words and never a label."""

    NEUTRAL = "neutral"
    """As in small talk."""
    PROFESSIONAL = "professional"
    """Even and clear, as at a counter."""
    URGENT = "urgent"
    """Faster and louder."""
    WARM = "warm"
    """Friendly and a little slower."""
    CALM = "calm"
    """Slow and soft."""
    CONFUSED = "confused"
    """Hesitant, with longer pauses."""
    FEARFUL = "fearful"
    """Higher and uneven."""
    SUSPICIOUS = "suspicious"
    """Flat and slow."""
    ANGRY = "angry"
    """Loud and fast."""
    RELIEVED = "relieved"
    """Falling and soft."""


class Participant(Model):
    """A person of a call, shared by all calls of one tree; voices are chosen by it."""

    role: str = Field(min_length=1)
    """What the person is or claims to be."""
    gender: Literal["female", "male"]
    """Gender of the voice."""
    age: int = Field(ge=18, le=95)
    """Age in years."""
    tones: tuple[str, ...] = ()
    """Tones of voice that fit, in the words of the voice catalogue."""


class CallTurn(Model):
    """One turn of a recorded call, with the plot action it realises."""

    i: int = Field(ge=0)
    """Index in the call, from 0."""
    side: Side
    """Who speaks."""
    action: str = Field(min_length=1)
    """Id of the plot action that was settled before a word was chosen."""
    text: str = Field(min_length=1)
    """The words, without any tag of delivery."""
    delivery: Delivery
    """How they are said."""
    before: PathState
    """State of the path before the action."""
    after: PathState
    """State after it."""


class Rationale(Model):
    """Why a call has its label."""

    shared_context: str = Field(min_length=1)
    """What it has in common with its siblings."""
    separating_action: str = Field(min_length=1)
    """The action by which it parts from siblings of the other label."""
    separating_turn: int = Field(ge=0)
    """Turn that realises this action."""
    evidence: str = Field(min_length=1)
    """What shows the label, from there on."""
    evidence_turns: tuple[int, ...] = Field(min_length=1)
    """Turns that show it, none before the separating one."""
    final_label: Label
    """The label that follows."""


class Stop(Model):
    """Why a path ended."""

    reason: str = Field(min_length=1)
    """In the words of the termination agent."""
    depth: int = Field(ge=0)
    """Depth of the leaf in its tree."""
    early: bool
    """Whether it ended before the greatest depth."""


class AgentReply(Model):
    """One reply of a chat agent, good or not."""

    agent: str
    """The agent's role, such as `brancher`."""
    raw: str
    """The reply as it came; empty where it is withheld."""
    withheld: str = ""
    """Kind of what no call may say and the reply says, such as `phone_number`; empty where the reply is here."""
    sha256: Sha256 | None = None
    """Hash of a withheld reply; null where the reply is here."""


class Generation(Model):
    """What made a call's words."""

    agents: dict[str, str]
    """Agent role to the party that played it."""
    prompts: dict[str, Sha256] = {}
    """Agent role to the hash of its prompt; empty for parties without prompts."""
    settings: dict[str, JsonValue] = {}
    """Settings of the parties as they were used."""
    profile_sha256: Sha256
    """Hash of the profile."""
    seed: int
    """Seed of the tree."""
    replies: tuple[AgentReply, ...] = ()
    """Replies of chat agents for the profile and for this call's path, in order, failed ones too; empty for offline agents."""


class SnapshotCall(Model):
    """A labelled call in words: one leaf of a mixed tree."""

    sample_id: Slug
    """Hash of its words, its path and its seed's namespace; unique over all snapshots."""
    tree_id: Slug
    """Tree it is a leaf of; calls of one tree are siblings."""
    family_id: Slug
    """Family of cases."""
    abstract_id: Slug
    """Case abstract the tree grew from."""
    language: str = Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")
    """BCP 47 tag."""
    leaf_path: tuple[str, ...] = Field(min_length=1)
    """Action ids from the root to the leaf."""
    label: Label
    """What the call is."""
    rationale: Rationale
    """Why."""
    turns: tuple[CallTurn, ...] = Field(min_length=2)
    """The call."""
    opening_turns: int = Field(ge=1)
    """First turns, the same word for word in every call of its tree."""
    stop: Stop
    """Why it ended."""
    caller: Participant
    """Who calls."""
    receiver: Participant
    """Who is called."""
    generation: Generation
    """What made it."""

    @model_validator(mode="after")
    def _sound(self) -> SnapshotCall:
        for place, turn in enumerate(self.turns):
            if turn.i != place:
                raise ValueError(f"turn {place} says that it is turn {turn.i}: number the turns from 0 on")
            ended = self.turns[place - 1].after if place else PathState.AMBIGUOUS
            if turn.before != ended:
                raise ValueError(f"turn {place} starts in state {turn.before.value}, but the call stood in {ended.value}")
        if self.turns[-1].after.label != self.label:
            raise ValueError(f"the label is {self.label.value}, but the last turn ends in state {self.turns[-1].after.value}")
        if self.opening_turns >= len(self.turns):
            raise ValueError(f"{self.opening_turns} opening turns leave none of {len(self.turns)} to tell the label")
        self._check_rationale()
        return self

    def _check_rationale(self) -> None:
        why, last = self.rationale, len(self.turns) - 1
        if why.final_label != self.label:
            raise ValueError(f"the rationale ends with {why.final_label.value}, but the label is {self.label.value}")
        if not self.opening_turns <= why.separating_turn <= last:
            raise ValueError(f"the separating turn {why.separating_turn} is not between {self.opening_turns} and {last}")
        wrong = [i for i in why.evidence_turns if not why.separating_turn <= i <= last]
        if wrong:
            raise ValueError(f"evidence turns {wrong} are not between the separating turn {why.separating_turn} and turn {last}")

    @property
    def text(self) -> str:
        """The words of the call, a line per turn, marked by who speaks and by nothing else."""
        return "\n".join(f"{turn.side}: {turn.text}" for turn in self.turns)


class TurnSpan(Model):
    """Where a turn stands in its recording."""

    turn: int = Field(ge=0)
    """Index of the turn."""
    start_sample: int = Field(ge=0)
    """First sample."""
    end_sample: int = Field(gt=0)
    """Sample after the last."""
    rendered: str | None = None
    """The delivery that was rendered, fully written out; null where it was not recorded."""


class QualityCheck(Model):
    """One property of a sound against its bounds."""

    name: str
    """What was measured."""
    value: float
    """The measurement."""
    low: float | None
    """Smallest value that passes; null for none."""
    high: float | None
    """Largest value that passes; null for none."""
    passed: bool
    """Whether it lies within."""


class CallAudio(Model):
    """The recording of a call."""

    path: Annotated[str, Field(pattern=r"^audio/[0-9a-z-]+\.wav$")]
    """Relative to the snapshot; names neither label nor tree."""
    sha256: Sha256
    """Hash of the file."""
    sample_rate: int = Field(gt=0)
    """Samples per second."""
    samples: int = Field(gt=0)
    """Length."""
    spans: tuple[TurnSpan, ...]
    """Where each turn stands."""
    channel: str
    """The telephone channel, fully written out."""
    variant: Literal["delivery", "neutral"] = "delivery"
    """Whether turns were said in their deliveries, or all of them as in small talk."""
    engines: dict[str, str]
    """Voice id to the signature of the engine that spoke it."""
    checks: tuple[QualityCheck, ...]
    """Quality control."""
    attempts: tuple[str, ...] = ()
    """Earlier renderings that failed, and why."""

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return self.samples / self.sample_rate


class VoiceChoice(Model):
    """The voice of one person of a tree, and why it was chosen."""

    voice_id: str
    """Voice of the catalogue."""
    score: float
    """Sum of the parts."""
    parts: dict[str, float]
    """Part of the score by its name."""
    considered: int = Field(ge=1)
    """Voices that were eligible."""
    reused: bool = False
    """Whether it had to be taken again within the window because no other was left."""


class CallVoices(Model):
    """Both voices of a call; the same for every call of its tree."""

    caller: VoiceChoice
    """Who placed the call."""
    receiver: VoiceChoice
    """Who picked it up."""


class Replaced(Model):
    """A candidate that was left out before the freeze."""

    sample_id: str
    """Its id."""
    tree_id: str
    """Its tree."""
    stage: Literal["structural", "label", "safety", "duplicate", "signal", "sampling"]
    """The check that it failed, or `sampling` where the contract was full."""
    reason: str
    """What was found."""
    replaced_by: str | None = None
    """Sample that took its place."""


class ManifestRow(Model):
    """One frozen call: what was said, how it sounds, what it is and where it came from."""

    call: SnapshotCall
    """The call in words."""
    voices: CallVoices | None
    """Its voices; null in a snapshot of text alone."""
    audio: CallAudio | None
    """Its recording; null in a snapshot of text alone."""
    checks: dict[str, bool]
    """Checks by name: structural, label, safety, signal."""
    provenance: str
    """Where the case came from, and its licence."""


class Contract(Model):
    """What a month must hold."""

    fraud: int = Field(default=600, ge=1)
    """Fraud calls."""
    nonfraud: int = Field(default=300, ge=1)
    """Lawful calls."""
    language: str
    """BCP 47 tag of every call."""
    sample_rate: int = Field(default=24_000, gt=0)
    """Samples per second of every recording."""
    audio: bool = True
    """Whether every call has a recording."""


class SnapshotHead(Model):
    """`SNAPSHOT.json`: what a month is, and the hash that stands for all of it."""

    format: Literal[1] = 1
    """Version of this format."""
    snapshot_id: Slug
    """Its name, such as `2026-11-zh-small`."""
    month: str = Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])$")
    """Month it stands for."""
    created_at: str
    """When it was frozen, UTC."""
    contract: Contract
    """What it must hold."""
    counts: dict[Label, int]
    """What it holds."""
    trees: int = Field(ge=1)
    """Trees its calls are leaves of."""
    families: dict[str, int]
    """Calls by family."""
    generator: dict[str, JsonValue]
    """Tool, version, commit, seed, configuration hash, parties."""
    speech: dict[str, JsonValue]
    """Engines, voices, channel and CPU features of the recordings; empty for text alone."""
    parents: tuple[str, ...] = ()
    """Root hashes of the snapshots it amends or follows."""
    licence: str
    """Licence of words and sound."""
    root_sha256: Sha256
    """Hash over the sorted lines of SHA256SUMS."""
