"""The six conversation ratings as written down for judges: anchors, and yes/no questions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from core.prompt import render_prompt
from core.schemas.base import Diagnostic, Model, sha256
from core.yamlfile import read_data
from models.chat import prompts

RATINGS = "judge-ratings-1"
_FILE = Path(prompts.__file__).with_suffix("") / f"{RATINGS}.yaml"


class Question(Model):
    """A question that is answered with yes or no."""

    key: str
    """Its name in the reply."""
    ask: str
    """Its words."""
    good: Literal["yes", "no"]
    """The answer that speaks for the agent."""


class Rubric(Model):
    """One rating."""

    observes: str
    """What it looks at."""
    anchors: dict[Literal["5", "4", "3", "2", "1"], str]
    """Rating to what it looks like."""
    not_applicable: str
    """When there is nothing to rate."""
    questions: Annotated[tuple[Question, ...], Field(min_length=4, max_length=4)]
    """Four questions: the rating is 1 and one for each good answer."""


@cache
def rubrics() -> Mapping[Diagnostic, Rubric]:
    """Conversation diagnostic to its rubric, as shipped; `{{ language }}` is a place to be filled."""
    return TypeAdapter(dict[Diagnostic, Rubric]).validate_python(read_data(_FILE))


@cache
def rubrics_sha256() -> str:
    """Hash of the file they are written in."""
    return sha256(_FILE.read_bytes())


def rubric(diagnostic: Diagnostic, language: str) -> Rubric:
    """One rating with the required language filled in."""
    found = rubrics()[diagnostic]
    questions = tuple(q.model_copy(update={"ask": render_prompt(q.ask, {"language": language})}) for q in found.questions)
    observes = render_prompt(found.observes, {"language": language})
    return found.model_copy(update={"observes": observes, "questions": questions})
