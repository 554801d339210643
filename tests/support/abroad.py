"""A candidate for the bundle `abroad`: it fills in one form in Hindi or Mandarin with what it understands, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from core.candidate import AgentTurn, CandidateView, Hearing, ToolAnswers
from core.schemas.call_trace import PartyRecord, ToolCall
from core.spoken import Kind, Value, read, say


@dataclass(frozen=True)
class Field:
    """One argument of the tool."""

    name: str
    kind: Kind
    question: str


@dataclass(frozen=True)
class Form:
    """All that one agent says and fills in."""

    language: str
    tool: str
    fields: tuple[Field, Field]
    confirm: str
    """Reads both values back."""
    wait: str
    done: str
    failed: str
    goodbye: str
    outcome: str
    """Argument of `end_call`."""


HINDI = Form(
    language="hi",
    tool="book_cylinder",
    fields=(
        Field("consumer_number", Kind.DIGITS, "नमस्ते, उजाला गैस। आपका उपभोक्ता नंबर क्या है?"),
        Field("delivery_date", Kind.DATE, "आपको किस दिन चाहिए?"),
    ),
    confirm="{}, {}, सही है?",
    wait="एक क्षण।",
    done="बुक हो गया। ",
    failed="यह बुक नहीं हो सका। ",
    goodbye="धन्यवाद!",
    outcome="booked",
)
MANDARIN = Form(
    language="zh",
    tool="file_claim",
    fields=(
        Field("parcel_number", Kind.DIGITS, "你好，顺达快递。请问单号是多少？"),
        Field("amount", Kind.MONEY, "包裹值多少钱？"),
    ),
    confirm="{}，{}，对吗？",
    wait="请稍等。",
    done="已经登记了。",
    failed="没有登记成功。",
    goodbye="再见！",
    outcome="filed",
)
TODAY = "2026-03-16"
MAX_ASKS = 2


class Candidate:
    """Asks for two values, reads them back until nothing is corrected, calls the tool, tells what came of it, takes leave.

    A value that it does not understand twice ends the call. With `confirms=no` it believes what it heard and reads nothing back.
    """

    def __init__(self, confirms: str = "yes") -> None:
        self._confirms = confirms == "yes"
        self._form = HINDI
        self._known: dict[str, Value] = {}
        self._asked: list[str] = []
        self._calls = 0

    def record(self) -> PartyRecord:
        """Who this is."""
        return PartyRecord(party="python:tests.support.abroad:Candidate")

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """Greet and ask, in the language of the agent whose tools these are."""
        self._form = next(form for form in (HINDI, MANDARIN) if form.tool in {tool.name for tool in view.tools})
        return self._ask(self._form.fields[0])

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """Take what was heard, ask on, read back, or tell what the tools answered."""
        if isinstance(observation, ToolAnswers):
            return self._told(observation)
        heard = " ".join(observation.fragments)
        asked = [field for field in self._form.fields if field.name not in self._known]
        taken = self._take(heard, (asked or self._form.fields)[: 1 if asked else None])
        missing = [field for field in self._form.fields if field.name not in self._known]
        if missing:
            return self._ask(missing[0])
        if self._confirms and (asked or taken):
            values = (say(self._known[field.name], field.kind, language=self._form.language) for field in self._form.fields)
            return AgentTurn(speech=self._form.confirm.format(*values))
        arguments: dict[str, JsonValue] = dict(self._known)
        return AgentTurn(speech=self._form.wait, calls=(self._call(self._form.tool, arguments),))

    def _ask(self, field: Field) -> AgentTurn:
        """Ask for a value, the third time give up."""
        if self._asked.count(field.name) == MAX_ASKS:
            return self._leave(worked=False)
        self._asked.append(field.name)
        return AgentTurn(speech=field.question)

    def _take(self, heard: str, fields: tuple[Field, ...] | list[Field]) -> bool:
        """Keep the first value of each field's kind; whether there was any."""
        found = False
        for field in fields:
            readings = read(heard, field.kind, language=self._form.language, now=TODAY)
            if readings:
                self._known[field.name] = readings[0].value
                found = True
        return found

    def _told(self, answers: ToolAnswers) -> AgentTurn:
        answer = answers.answers[-1]
        if answer.tool == "end_call":
            return AgentTurn()
        return self._leave(worked=answer.result["status"] != "not_found")

    def _leave(self, *, worked: bool) -> AgentTurn:
        words = f"{self._form.done if worked else self._form.failed}{self._form.goodbye}"
        return AgentTurn(speech=words, calls=(self._call("end_call", {self._form.outcome: worked}),))

    def _call(self, tool: str, arguments: dict[str, JsonValue]) -> ToolCall:
        self._calls += 1
        return ToolCall(id=f"call-{self._calls}", tool=tool, arguments=arguments)
