"""Deterministic checks of a criterion: what a program can read off a trace without a judge's opinion."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, Tag, model_validator

from core.schemas.base import Model, one_of_keys
from core.schemas.matchers import Matcher, MatcherSet


class Speaker(StrEnum):
    """Whose words are looked at; the caller's are the intended ones."""

    AGENT = "agent"
    CALLER = "caller"


class Moment(Model):
    """A place in the call: a tool's first call, or a caller turn."""

    tool: str | None = None
    """The first call to this tool."""
    turn: int | None = Field(default=None, ge=1)
    """This caller turn, counted from 1."""

    @model_validator(mode="after")
    def _one(self) -> Moment:
        if (self.tool is None) == (self.turn is None):
            raise ValueError("a moment is either `tool: <name>` or `turn: <n>`")
        return self


class SaidBody(Model):
    """A speaker's message that satisfies a matcher, optionally before or after a moment."""

    role: Speaker
    """Whose messages are searched."""
    matcher: Matcher
    """Predicate on one message's text; `contains` and `regex` search inside it."""
    before: Moment | None = None
    """Only messages before this moment; if the moment never came, every message counts."""
    after: Moment | None = None
    """Only messages after this moment; if the moment never came, none counts."""


class Said(Model):
    """Holds when some message of the speaker satisfies the matcher."""

    said: SaidBody
    """The message looked for."""


class CalledBody(Model):
    """A tool call, with argument matchers."""

    tool: str
    """Tool name."""
    args: MatcherSet = {}
    """Argument name to matcher; arguments not listed are free."""


class Called(Model):
    """Holds when the tool was called with matching arguments."""

    called: CalledBody
    """The call looked for."""


class ResultBody(Model):
    """A tool result that satisfies a matcher."""

    tool: str
    """Tool name."""
    matcher: Matcher
    """Predicate on the returned object."""


class ResultCheck(Model):
    """Holds when some result of the tool satisfies the matcher."""

    result: ResultBody
    """The result looked for."""


class AskedTimesBody(Model):
    """How often the agent may ask for one fact."""

    fact: str
    """Key of a known fact of the caller."""
    max: int = Field(ge=0)
    """Largest allowed number of questions for it."""
    words: tuple[str, ...] = ()
    """Phrases, any of which in a question of the agent means it asks for the fact; empty: the words of the fact's key."""

    @property
    def phrases(self) -> tuple[str, ...]:
        """The phrases looked for."""
        return self.words or (" ".join(part for part in self.fact.split("_") if not part.isdecimal()),)


class AskedTimes(Model):
    """Holds when the agent asked for a fact at most so many times."""

    asked_times: AskedTimesBody
    """The fact and its limit."""


class LanguageBody(Model):
    """The language the agent must speak."""

    code: str
    """BCP 47 tag."""


class LanguageCheck(Model):
    """Holds when every agent message is in the language's script and, where it can be told, in the language."""

    language: LanguageBody
    """The language."""


class LastSpeechBody(Model):
    """The agent's last spoken message."""

    matcher: Matcher
    """Predicate on its text; `contains` and `regex` search inside it."""


class LastSpeech(Model):
    """Holds when the agent's last spoken message satisfies the matcher."""

    last_speech: LastSpeechBody
    """The predicate."""


class AllChecks(Model):
    """Every check holds."""

    all: Annotated[tuple[CheckRule, ...], Field(min_length=1)]
    """The checks."""


class AnyCheck(Model):
    """At least one check holds."""

    any: Annotated[tuple[CheckRule, ...], Field(min_length=1)]
    """The checks."""


class NotCheck(Model):
    """The check does not hold."""

    not_: Annotated[CheckRule, Field(alias="not")]
    """The check."""


TAGS = ("said", "called", "result", "asked_times", "language", "last_speech", "all", "any", "not")

CheckRule = Annotated[
    Annotated[Said, Tag("said")]
    | Annotated[Called, Tag("called")]
    | Annotated[ResultCheck, Tag("result")]
    | Annotated[AskedTimes, Tag("asked_times")]
    | Annotated[LanguageCheck, Tag("language")]
    | Annotated[LastSpeech, Tag("last_speech")]
    | Annotated[AllChecks, Tag("all")]
    | Annotated[AnyCheck, Tag("any")]
    | Annotated[NotCheck, Tag("not")],
    one_of_keys("check", TAGS),
]
"""One deterministic check."""


class Check(Model):
    """The label a program gives: met if `met` holds, else partial if `partial` holds, else not met."""

    applies: CheckRule | None = None
    """When the criterion has an occasion at all, such as a question that the caller may never come to ask; null for always."""
    met: CheckRule
    """When the criterion is met."""
    partial: CheckRule | None = None
    """When it is at least partly met."""


for _model in (AllChecks, AnyCheck, NotCheck, Check):
    _model.model_rebuild()
