"""One small call in any language: a caller that tells its facts, and a form filler that reads them and records them."""

from __future__ import annotations

from functools import cache
from typing import Any

from core.bundle import Bundle
from core.candidate import AgentTurn, CandidateView, Hearing, ToolAnswers
from core.schemas.bundle import Agent, BundleFile
from core.schemas.call_trace import PartyRecord, ToolCall
from core.schemas.scenario import Scenario
from core.spoken import Kind, read
from tests.support.scenes import minimal

NOW = "2026-06-08T09:20"
SCRIPTS = {
    "en": "Latn", "hi": "Deva", "mr": "Deva", "gu": "Gujr", "bn": "Beng", "ta": "Taml", "te": "Telu", "kn": "Knda", "zh": "Hans",
}  # fmt: skip
FACTS: dict[str, tuple[str | int | float, Kind]] = {
    "account": ("4820197355", Kind.DIGITS),
    "day": ("2026-06-23", Kind.DATE),
    "moment": ("10:30", Kind.TIME),
    "amount": (640, Kind.MONEY),
    "pieces": (7, Kind.NUMBER),
}
LOOKED_UP = ("account",)
"""What the first tool wants; the second wants the rest but the last, which nobody asks for."""
RECORDED = ("day", "moment", "amount")
AGENT: dict[str, Any] = {
    "id": "form-desk",
    "name": "Form desk",
    "domain": "forms",
    "direction": "inbound",
    "tools": [
        {"name": "find_form", "description": "Finds a form.", "parameters": {"type": "object", "properties": {}}},
        {"name": "fill_form", "description": "Fills it in.", "parameters": {"type": "object", "properties": {}}},
        {"name": "throw_away", "description": "Throws it away.", "parameters": {"type": "object", "properties": {}}},
        {
            "name": "hang_up",
            "description": "Hangs up.",
            "parameters": {"type": "object", "properties": {}},
            "ends_call": True,
            "success": {"ok": {"equals": True}},
        },
    ],
}


class Filler:
    """Hears every fact `times` times, takes the last readable form of each, looks the form up, fills it in and hangs up."""

    def __init__(self, language: str, times: int) -> None:
        self._language = language
        self._times = times
        self._turns = 0
        self._values: dict[str, Any] = {}

    def record(self) -> PartyRecord:
        """Who this is."""
        return PartyRecord(party="test:filler", settings={"times": self._times})

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """Begin."""
        del view, seed
        return AgentTurn(speech="1?")

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """Read the next fact; act when the last one was told."""
        if isinstance(observation, ToolAnswers):
            return self._after(observation)
        key = list(FACTS)[min(self._turns // self._times, len(FACTS) - 1)]
        self._turns += 1
        words = " ".join(observation.fragments)
        found = read(words, FACTS[key][1], language=self._language, now=NOW)
        if len(found) == 1:
            self._values[key] = found[0].value
        if self._turns < self._times * len(FACTS):
            return AgentTurn(speech=f"{self._turns + 1}?")
        return AgentTurn(calls=(self._call("find_form", *LOOKED_UP),))

    def _after(self, answers: ToolAnswers) -> AgentTurn:
        last = answers.answers[-1]
        if last.tool == "find_form" and last.result.get("found") is True:
            return AgentTurn(calls=(self._call("fill_form", *RECORDED),))
        return AgentTurn(speech="Bye.", calls=(ToolCall(id="x", tool="hang_up", arguments={}),))

    def _call(self, tool: str, *keys: str) -> ToolCall:
        return ToolCall(id="x", tool=tool, arguments={key: self._values[key] for key in keys if key in self._values})


def form_scenario(language: str, *, broken: str | None = None) -> Scenario:
    """The scenario in a language; the tool named in `broken` always fails."""

    def fixture(tool: str, args: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
        failed = {"found": False, "error": "out of order"}
        return {"queue": [{"args": args, "result": failed if tool == broken else result, "mismatch": failed}], "default": failed}

    lookup, record = ({key: {"equals": f"$caller.facts.{key}"} for key in keys} for keys in (LOOKED_UP, RECORDED))
    actions = [
        {"id": "find_it", "tool": "find_form", "args": lookup},
        {"id": "fill_it", "tool": "fill_form", "args": record, "after": ["find_it"]},
        {"id": "keep_it", "tool": "throw_away", "forbidden": True},
        {"id": "end_it", "tool": "hang_up", "after": ["fill_it"]},
    ]
    return Scenario.model_validate(
        {
            "id": f"form-{language}",
            "agent": "form-desk",
            "language": language,
            "script": SCRIPTS[language],
            "difficulty": "easy",
            "goal": "The form is filled in.",
            "caller": {
                "context": "A form lies before you.",
                "reason": "It must be filled in.",
                "now": NOW,
                "facts": {key: {"value": value, "kind": kind.value} for key, (value, kind) in FACTS.items()},
                "plan": [{"id": "tell_all", "trigger": "t", "meaning": "m"}],
            },
            "backend": {
                "fixtures": {
                    "find_form": fixture("find_form", lookup, {"found": True}),
                    "fill_form": fixture("fill_form", record, {"filled": True}),
                    "throw_away": {"default": {"thrown": True}},
                    "hang_up": {"default": {"ok": True}},
                }
            },
            "expected": actions,
        }
    )


@cache
def forms(broken: str | None = None) -> Bundle:
    """A bundle of the scenario in every language that has spoken forms."""
    agent = Agent.model_validate(AGENT)
    scenarios = [form_scenario(language, broken=broken) for language in SCRIPTS]
    return Bundle(
        root=minimal().root,
        file=BundleFile(id="forms", version="1.0.0", languages=tuple(SCRIPTS), licence="CC0-1.0"),
        agents={agent.id: agent},
        templates={agent.id: "You fill in forms."},
        scenarios={scenario.id: scenario for scenario in scenarios},
        files={},
        bundle_hash="0" * 64,
        locked=True,
    )
