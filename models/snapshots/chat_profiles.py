"""The profiler as a chat model: it chooses among what a case allows and words the rest anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

from pydantic import Field, JsonValue, ValidationError

from core.replies import json_object
from core.schemas.base import Key, Model
from core.schemas.casefile import CaseAbstract, Cast, Profile
from core.schemas.snapshots import Participant
from core.snapshots.building.agents import Answer, NoProfileError
from core.snapshots.building.library import CaseLibrary
from core.snapshots.building.safety import unsafe
from core.validation import faults_of
from models.chat.client import ChatClient
from models.snapshots.chat_asking import Asker, an_object, named_language, one_of

_FEWEST = 3
"""Risk nodes that a profile keeps, where the case has as many."""
_Worded = Annotated[str, Field(min_length=1, max_length=400)]
_Listed = Annotated[tuple[_Worded, ...], Field(min_length=1, max_length=8)]
_GENDERS = ("female", "male")


class _Person(Model):
    age: int


class _Shared(Model):
    caller: _Person
    receiver: _Person
    caller_name: str
    receiver_name: str
    background: _Worded
    setting: str
    event: _Worded
    early_context: _Worded
    entities: dict[Key, str]
    opening: _Worded


class _Variable(Model):
    objectives: _Listed
    persuasion: _Listed
    risk_nodes: tuple[str, ...]


class _Draft(Model):
    """What a model settles, at the places where a profile has it."""

    shared: _Shared
    variable: _Variable


class ChatProfiler:
    """Makes profiles; a reply with faults goes back with the path of each."""

    def __init__(self, client: ChatClient, library: CaseLibrary, name: str) -> None:
        self._asker = Asker(client, name)
        self._library = library

    def profile(self, abstract: CaseAbstract, seed: int) -> Answer[Profile]:
        """The profile of a case; raises NoProfileError, OperatorError or ProviderError."""
        choices = self._choices(abstract)
        words = {
            "background": abstract.receiver.background,
            "event": abstract.event,
            "early_context": abstract.early_context,
            "opening": abstract.opening,
            "objectives": list(abstract.objectives),
            "persuasion": list(abstract.persuasion),
        }
        values = {
            "language": named_language(abstract.language),
            "title": abstract.title,
            "summary": abstract.summary,
            "choices": "\n".join(f"- {where}: {text}" for where, text in _told(choices, abstract)),
            "words": json.dumps(words, ensure_ascii=False, indent=1),
        }
        told = self._asker.read(values, seed, _schema(choices, abstract), lambda raw: self.read(raw, abstract))
        if told.value is None:
            reason = told.refusal[1] if told.refusal else ""
            raise NoProfileError(f"no profile of {abstract.id!r}: {reason}", told.replies)
        return Answer(told.value, told.replies)

    def read(self, raw: str, abstract: CaseAbstract) -> Profile:
        """The profile in a reply; raises ValueError with every fault and its path."""
        data = json_object(raw)
        try:
            draft = _Draft.model_validate(data)
        except ValidationError as error:
            raise ValueError(_listed(faults_of(error, data))) from None
        faults = [*self._faults(draft, abstract)]
        if faults:
            raise ValueError(_listed(faults))
        made = self._made(draft, abstract)
        try:
            return Profile.model_validate(made)
        except ValidationError as error:
            raise ValueError(_listed(faults_of(error, made))) from None

    def _choices(self, abstract: CaseAbstract) -> dict[str, tuple[str, ...]]:
        """Field path to the values that a case allows there."""
        names = self._library.manner.names
        people = {"caller_name": abstract.caller, "receiver_name": abstract.receiver}
        return {
            **{f"shared.{slot}": tuple(n for gender in cast.genders for n in names[gender]) for slot, cast in people.items()},
            "shared.setting": abstract.settings,
            **{f"shared.entities.{slot}": values for slot, values in abstract.entities.items()},
            "variable.risk_nodes": abstract.risk_nodes,
        }

    def _faults(self, draft: _Draft, abstract: CaseAbstract) -> Iterator[tuple[str, str]]:
        """What a draft settles that its case does not allow."""
        shared, variable = draft.shared, draft.variable
        chosen: dict[str, tuple[str, ...]] = {
            "shared.caller_name": (shared.caller_name,),
            "shared.receiver_name": (shared.receiver_name,),
            "shared.setting": (shared.setting,),
            **{f"shared.entities.{slot}": (value,) for slot, value in shared.entities.items()},
            "variable.risk_nodes": variable.risk_nodes,
        }
        choices = self._choices(abstract)
        for where, values in choices.items():
            for value in chosen.get(where, ("",)):
                if value not in values:
                    yield where, f"{value[:60]!r} is none of {', '.join(values)}"
        for where in sorted(chosen.keys() - choices.keys()):
            yield where, "the case has no such field"
        if shared.caller_name == shared.receiver_name:
            yield "shared.receiver_name", "both persons have the same name"
        for role, cast, person in (
            ("caller", abstract.caller, shared.caller),
            ("receiver", abstract.receiver, shared.receiver),
        ):
            if not cast.youngest <= person.age <= cast.oldest:
                yield f"shared.{role}.age", f"{person.age} is not within {cast.youngest} to {cast.oldest}"
        if len(set(variable.risk_nodes)) < min(_FEWEST, len(abstract.risk_nodes)):
            yield "variable.risk_nodes", f"fewer than {min(_FEWEST, len(abstract.risk_nodes))} different ones"
        for where, text in _worded(draft):
            if found := unsafe(text, self._library.denied):
                yield where, f"says {found[1]!r} ({found[0]}), which no call may say"

    def _made(self, draft: _Draft, abstract: CaseAbstract) -> dict[str, JsonValue]:
        shared, variable = draft.shared, draft.variable
        topics = self._library.families[abstract.family].topics
        own: dict[str, JsonValue] = {
            "caller": self._person(abstract.caller, shared.caller_name, shared.caller.age),
            "receiver": self._person(abstract.receiver, shared.receiver_name, shared.receiver.age),
            "entities": dict(sorted(shared.entities.items())),
        }
        nodes: list[JsonValue] = []
        for name in variable.risk_nodes:
            words = topics[name]
            nodes.append({"id": name, "topic": words.topic, "escalate": words.escalate, "verify": words.verify, "end": words.end})
        kept = shared.model_dump(mode="json", exclude={"caller", "receiver", "entities"})
        return {
            "abstract_id": abstract.id,
            "family_id": abstract.family,
            "language": abstract.language,
            "shared": {**kept, **own},
            "variable": {**variable.model_dump(mode="json"), "risk_nodes": nodes},
        }

    def _person(self, cast: Cast, name: str, age: int) -> JsonValue:
        names = self._library.manner.names
        gender = next(gender for gender in cast.genders if name in names[gender])
        return Participant(role=cast.role, gender=gender, age=age, tones=cast.tones).to_json()


def _worded(draft: _Draft) -> Iterator[tuple[str, str]]:
    for name in ("background", "event", "early_context", "opening"):
        yield f"shared.{name}", getattr(draft.shared, name)
    for name in ("objectives", "persuasion"):
        for place, text in enumerate(getattr(draft.variable, name)):
            yield f"variable.{name}[{place}]", text


def _told(choices: dict[str, tuple[str, ...]], abstract: CaseAbstract) -> Iterator[tuple[str, str]]:
    for role, cast in (("caller", abstract.caller), ("receiver", abstract.receiver)):
        yield f"shared.{role}.age", f"{cast.youngest} to {cast.oldest}"
    for where, values in choices.items():
        few = f"at least {min(_FEWEST, len(values))}" if where == "variable.risk_nodes" else "one"
        yield where, f"{few} of {' | '.join(values)}"


def _schema(choices: dict[str, tuple[str, ...]], abstract: CaseAbstract) -> dict[str, JsonValue]:
    text: JsonValue = {"type": "string"}
    texts: JsonValue = {"type": "array", "items": text}
    person: JsonValue = an_object({"age": {"type": "integer"}})
    shared = an_object(
        {
            "caller": person,
            "receiver": person,
            "caller_name": one_of(choices["shared.caller_name"]),
            "receiver_name": one_of(choices["shared.receiver_name"]),
            "background": text,
            "setting": one_of(abstract.settings),
            "event": text,
            "early_context": text,
            "entities": an_object({slot: one_of(values) for slot, values in abstract.entities.items()}),
            "opening": text,
        }
    )
    nodes: JsonValue = {"type": "array", "items": one_of(abstract.risk_nodes)}
    return an_object({"shared": shared, "variable": an_object({"objectives": texts, "persuasion": texts, "risk_nodes": nodes})})


def _listed(faults: list[tuple[str, str]]) -> str:
    return "; ".join(f"{where}: {reason}" for where, reason in faults[:8])
