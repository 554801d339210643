"""What calls grow from: reported cases, the profiles made of them, the plot actions, and the wordings of one language."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.schemas.base import Key, Model, Slug
from core.schemas.snapshots import Participant, PathState, Side

Text = Annotated[str, Field(min_length=1)]
Texts = Annotated[tuple[Text, ...], Field(min_length=1)]
Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")]


class ActionClass(StrEnum):
    """What a plot action does to the state of a path; the table of transitions has a row for each."""

    CONTEXT = "context"
    """Tells or asks something beside the matter."""
    RISK_CUE = "risk_cue"
    """Names a risk without doing anything: a quotation, a supposition, a request taken back."""
    HARMFUL_REQUEST = "harmful_request"
    """The caller asks for what a lawful caller never asks for."""
    BLOCKED_CHECK = "blocked_check"
    """The receiver wants to check independently; the caller prevents it."""
    TAKEN_OFFER = "taken_offer"
    """The receiver offers what must not be given; the caller takes it."""
    PROTECTIVE_ADVICE = "protective_advice"
    """The caller tells the receiver to keep safe what must be kept."""
    DECLINED_OFFER = "declined_offer"
    """The receiver offers what must not be given; the caller declines it."""
    ALLOWED_CHECK = "allowed_check"
    """The receiver wants to check independently; the caller supports it."""
    ENDING = "ending"
    """One side ends the call."""


class Content(StrEnum):
    """Which half of a pair of clauses a turn carries."""

    NONE = "none"
    """Neither."""
    HARM = "harm"
    """What only a fraudster asks for."""
    SAFE = "safe"
    """Its lawful mirror image."""


class Beat(Model):
    """One turn of a plot action."""

    side: Side
    """Who speaks."""
    act: Slug
    """What is done with the words; wordings are listed by it."""
    content: Content = Content.NONE
    """Which half of a pair it carries."""


class Kind(Model):
    """A kind of plot action; with a risk node it becomes an action, such as `block-check.code`."""

    id: Slug
    """Its name."""
    action_class: ActionClass
    """What its key turn does to the state."""
    meaning: Text
    """What happens, for people and for chat agents."""
    beats: Annotated[tuple[Beat, ...], Field(min_length=1)]
    """Its turns. The last caller turn is the key turn, which the action's class belongs to; the others are context."""
    at_risk_node: bool
    """Whether it needs a risk node."""

    @model_validator(mode="after")
    def _sound(self) -> Kind:
        if not any(beat.side is Side.CALLER for beat in self.beats):
            raise ValueError("no turn of the caller: the key turn is the caller's")
        if any(beat.content is not Content.NONE for beat in self.beats) != self.at_risk_node:
            raise ValueError("a kind needs a risk node exactly if one of its turns carries half of a pair")
        return self

    @property
    def key(self) -> int:
        """Index of the key turn."""
        return max(place for place, beat in enumerate(self.beats) if beat.side is Side.CALLER)


class ActionCatalogue(Model):
    """`actions.yaml`: every plot action and what it does to a path, the same for all languages."""

    format: Literal[1]
    """Version of this format."""
    transitions: dict[PathState, dict[ActionClass, PathState]]
    """State and class of the action to the next state."""
    kinds: Annotated[tuple[Kind, ...], Field(min_length=1)]
    """The kinds."""
    opening: Annotated[tuple[Beat, ...], Field(min_length=1)]
    """Turns before the first action, shared by a whole tree; recorded as `open`."""
    closing: Annotated[tuple[Beat, ...], Field(min_length=1)]
    """Turns after the last action where it did not end the call; recorded as `close`."""

    @model_validator(mode="after")
    def _total(self) -> ActionCatalogue:
        for state in PathState:
            missing = [name.value for name in ActionClass if name not in self.transitions.get(state, {})]
            if missing:
                raise ValueError(f"no transition from {state.value} for {', '.join(missing)}: the table is total")
        ids = [kind.id for kind in self.kinds]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"kinds {', '.join(twice)} stand twice: give each its own id")
        return self


class Cast(Model):
    """Who a person of a case may be; a profile settles one."""

    role: Text
    """What the person is or claims to be."""
    genders: Annotated[tuple[Literal["female", "male"], ...], Field(min_length=1)] = ("female", "male")
    """Genders to draw from."""
    youngest: int = Field(ge=18, le=95)
    """Least age."""
    oldest: int = Field(ge=18, le=95)
    """Greatest age."""
    tones: tuple[str, ...] = ()
    """Tones of voice that fit."""
    background: Text
    """What matters about the person's situation."""

    @model_validator(mode="after")
    def _ordered(self) -> Cast:
        if self.youngest > self.oldest:
            raise ValueError(f"the youngest, {self.youngest}, is older than the oldest, {self.oldest}")
        return self


class CaseAbstract(Model):
    """A reported case in short, as free text and as fields: the seed of trees."""

    id: Slug
    """Its name, unique over all families of a language."""
    family: Slug
    """Family of cases."""
    language: Language
    """BCP 47 tag of the calls to make."""
    title: Text
    """A few words."""
    summary: Annotated[str, Field(min_length=40)]
    """The case as it was reported, in free text."""
    source: Text
    """Where it was reported, or that it was written for this project."""
    licence: Text
    """Licence of these words."""
    reported: str = Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])$")
    """Month of the report."""
    caller: Cast
    """Who calls."""
    receiver: Cast
    """Who is called."""
    settings: Texts
    """Where the receiver may be."""
    event: Text
    """What the call claims has happened."""
    early_context: Text
    """What both sides take for granted in the first minute."""
    opening: Text
    """What the first turns do, before anything tells the label."""
    entities: dict[Key, Texts]
    """Names and things to draw from, by slot; `institution` is needed."""
    objectives: Texts
    """Stages of the call, in order."""
    persuasion: Texts
    """How the caller wins trust."""
    risk_nodes: Texts
    """Topics of the family at which the call may turn."""

    @model_validator(mode="after")
    def _names_an_institution(self) -> CaseAbstract:
        if "institution" not in self.entities:
            raise ValueError("entities has no `institution`: name at least one invented institution")
        return self


class AbstractFile(Model):
    """`<language>/abstracts/<family>.yaml`: the cases of one family."""

    format: Literal[1]
    """Version of this format."""
    abstracts: Annotated[tuple[CaseAbstract, ...], Field(min_length=1)]
    """The cases."""


class RiskNode(Model):
    """A point at which a call may escalate, permit verification or end."""

    id: Slug
    """Its name in actions."""
    topic: Text
    """What it is about."""
    escalate: Text
    """What a fraudulent caller does here."""
    verify: Text
    """What a lawful caller does here."""
    end: Text
    """How the call may end here."""


class SharedContext(Model):
    """What all calls of a tree have in common."""

    caller: Participant
    """Who calls."""
    receiver: Participant
    """Who is called."""
    caller_name: Text
    """The name the caller gives."""
    receiver_name: Text
    """The receiver's name."""
    background: Text
    """The receiver's situation."""
    setting: Text
    """Where the receiver is."""
    event: Text
    """What the call claims has happened."""
    early_context: Text
    """What both sides take for granted in the first minute."""
    entities: dict[Key, Text]
    """Names and things, by slot."""
    opening: Text
    """What the first turns do."""


class Variable(Model):
    """What branches of a tree may vary."""

    objectives: Texts
    """Stages of the call, in order."""
    persuasion: Texts
    """How the caller wins trust."""
    risk_nodes: Annotated[tuple[RiskNode, ...], Field(min_length=1)]
    """Points at which the call may turn."""

    @model_validator(mode="after")
    def _each_once(self) -> Variable:
        ids = [node.id for node in self.risk_nodes]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"risk nodes {', '.join(twice)} stand twice: give each its own id")
        return self


class Profile(Model):
    """A case made ready for a tree: what is shared by its calls, and what varies."""

    format: Literal[1] = 1
    """Version of this format."""
    abstract_id: Slug
    """Case it was made from."""
    family_id: Slug
    """Its family."""
    language: Language
    """BCP 47 tag."""
    shared: SharedContext
    """The same in every call."""
    variable: Variable
    """Free to differ between calls."""


class Clause(Model):
    """One course of action, as the caller asks for it and as the receiver proposes it."""

    say: Text
    """A whole sentence of the caller to the receiver."""
    offer: Text
    """The same as the receiver's own plan, ready for the frames that take `{offer}`."""


class Pair(Model):
    """A course that only a fraudster asks for and its lawful mirror image, in nearly the same words."""

    harm: Clause
    """What only a fraudster asks for."""
    safe: Clause
    """What a lawful caller says instead."""


class TopicWords(Model):
    """A risk node of a family in words."""

    topic: Text
    """What it is about."""
    escalate: Text
    """What a fraudulent caller does here, in one sentence."""
    verify: Text
    """What a lawful caller does here, in one sentence."""
    end: Text
    """How the call may end here, in one sentence."""
    pairs: Annotated[tuple[Pair, ...], Field(min_length=5)]
    """Pairs of clauses."""


class CaseWords(Model):
    """What is said only about one case."""

    events: Annotated[tuple[Text, ...], Field(min_length=4)]
    """The reason for the call, as the caller says it."""
    facts: Annotated[tuple[Text, ...], Field(min_length=4)]
    """Harmless details that the caller may add."""


class FamilyWords(Model):
    """`<language>/wordings/<family>.yaml`: what is said only in one family of cases."""

    format: Literal[1]
    """Version of this format."""
    family: Slug
    """The family."""
    language: Language
    """BCP 47 tag."""
    topics: Annotated[dict[Slug, TopicWords], Field(min_length=3)]
    """Risk nodes by name."""
    cases: Annotated[dict[Slug, CaseWords], Field(min_length=1)]
    """Words by case."""


class Tail(Model):
    """What may be added to either half of any pair, in nearly the same words."""

    harm: Text
    """A sentence after the harmful half."""
    safe: Text
    """A sentence after the safe half."""


class Manner(Model):
    """`<language>/manner.yaml`: how things are said in one language, in every family and under both labels."""

    format: Literal[1]
    """Version of this format."""
    language: Language
    """BCP 47 tag."""
    names: dict[Literal["female", "male"], Annotated[tuple[Text, ...], Field(min_length=8)]]
    """Invented full names by gender."""
    risk_words: Annotated[dict[Key, Texts], Field(min_length=5)]
    """Groups of words; every call says one of each, whatever its label."""
    joiner: str
    """What stands between two sentences."""
    tails: Annotated[tuple[Tail, ...], Field(min_length=6)]
    """Sentences that follow either half of any pair of any family, whoever says it and in whatever scope."""
    acts: dict[Slug, Annotated[tuple[Text, ...], Field(min_length=5)]]
    """Wordings by act, with slots in braces."""


class DeniedNames(Model):
    """`denied.yaml`: real institutions, brands and hotlines that no call may name."""

    format: Literal[1]
    """Version of this format."""
    names: dict[str, Texts]
    """Names by language; all are looked for in calls of every language."""
