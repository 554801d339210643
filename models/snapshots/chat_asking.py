"""Asking a chat model for one thing: the prompt of a role, its replies kept, and faults given back until it is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from pydantic import JsonValue

from core.errors import RefusedError
from core.prompt import variables_in
from core.schemas.snapshots import CallTurn, PathState, Side
from core.schemas.trees import RejectCode
from core.scripts import scripts_of
from core.seeds import derive
from core.snapshots.building.agents import ATTEMPTS, Moment
from core.snapshots.building.validator import Refusal
from models.chat.client import ChatClient
from models.chat.naming import language_and_script
from models.chat.prompts import Prompt, prompt
from models.chat.reply import ChatReply

_PARTS = "\n=====\n"
"""Parts the words that stay the same through a tree from those of one question, and these from a list of tasks."""
_SHOWN = {
    PathState.AMBIGUOUS: "nothing yet",
    PathState.FRAUD: "that the call is fraud",
    PathState.NONFRAUD: "that the call is lawful",
}
_T = TypeVar("_T")


class Told(NamedTuple, Generic[_T]):
    """What came of asking until an answer could be read."""

    value: _T | None
    """The answer; None where there is none."""
    replies: tuple[str, ...]
    """Every raw reply, failed ones first."""
    refusal: Refusal | None
    """Why there is none."""


class Asker:
    """One role's prompt and the model that plays the role."""

    def __init__(self, client: ChatClient, name: str) -> None:
        """`name` is the prompt's, such as `snapshot-caller-1`."""
        self._client = client
        parts = [Prompt(name, part) for part in prompt(name).text.split(_PARTS)]
        self._system, self._user = parts[:2]
        self.tasks = dict(line.split(": ", 1) for line in parts[2].text.splitlines()) if len(parts) > 2 else {}
        """Acts to what is to be done, for roles that have tasks."""

    def reply(
        self, values: Mapping[str, str], rejected: str, seed: int, schema: Mapping[str, JsonValue] | None = None
    ) -> ChatReply | Refusal:
        """The model's reply to the prompt filled with `values`, or why the endpoint refuses to answer.

        `rejected` is what was wrong with the last one, empty at the first attempt. Raises OperatorError, and ProviderError
        where the same question may be answered later.
        """
        again = f"\n\nYour last answer was not taken: {rejected}. Do it again, rightly." if rejected else ""
        given = {**values, "rejected": again}
        messages = [
            {"role": role, "content": words.fill(**{name: given[name] for name in variables_in(words.text)})}
            for role, words in (("system", self._system), ("user", self._user))
        ]
        try:
            return self._client.complete(messages, schema=schema, seed=seed)
        except RefusedError as refused:
            return RejectCode.REFUSED, f"{refused.word}: {refused}"

    def read(
        self, values: Mapping[str, str], seed: int, schema: Mapping[str, JsonValue], reader: Callable[[str], _T]
    ) -> Told[_T]:
        """The answer that `reader` finds in a reply; its ValueError goes back to the model, so many times and no more."""
        replies: list[str] = []
        fault = ""
        for attempt in range(ATTEMPTS):
            reply = self.reply(values, fault, derive(seed, "attempt", attempt), schema)
            if not isinstance(reply, ChatReply):
                return Told(None, tuple(replies), reply)
            replies.append(reply.raw)
            try:
                return Told(reader(reply.text), tuple(replies), None)
            except ValueError as error:
                fault = f"{error}, {reply.ending}" if reply.ending else str(error)
        return Told(None, tuple(replies), (RejectCode.UNREADABLE, fault))


def named_language(language: str) -> str:
    """A language and its usual script, as a model reads them."""
    scripts = scripts_of(language)
    return language_and_script(language, scripts[0]) if scripts else f"the language {language}"


def shown_history(turns: Sequence[CallTurn], *, deliveries: bool = False) -> str:
    """The turns of a call, a line for each; with how they were said where that is asked for."""
    if not turns:
        return "(nothing was said yet)"
    return "\n".join(f"{_speaker(turn, deliveries)}: {turn.text}" for turn in turns)


def shown_moment(moment: Moment) -> dict[str, str]:
    """What B and Gamma are told of a point of a path."""
    return {
        "history": shown_history(moment.history),
        "path": ", ".join(moment.path) or "none",
        "shown": _SHOWN[moment.state],
        "left": str(moment.levels_left),
        "case": f"{moment.profile.shared.event} {moment.profile.shared.opening}",
    }


def an_object(properties: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """JSON Schema of an object with these fields, all of them needed and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def one_of(values: Sequence[str]) -> dict[str, JsonValue]:
    """JSON Schema of one of some texts."""
    return {"type": "string", "enum": list(values)}


def _speaker(turn: CallTurn, deliveries: bool) -> str:
    name = "Caller" if turn.side is Side.CALLER else "Receiver"
    return f"{name} ({turn.delivery.value})" if deliveries else name
