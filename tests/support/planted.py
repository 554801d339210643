"""Calls with planted damage and calls that fail for other reasons, and what is true of them.

The truth of a call is found by playing it again: a value broke an action where the action is met without any damage, and
not met with that value's damage alone. Actions that fail without any damage have other causes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from core.bundle import Bundle, load_bundle, shipped_bundle
from core.grading.actions import grade_actions
from core.runs.attribution import attribute
from core.runs.hearing import case_hearing
from core.runs.play import Parties, Played, play_case
from core.schemas.base import Condition
from core.schemas.call_trace import CodeVersion, PartyRecord, Trace
from core.schemas.grade import Grade, Label
from core.schemas.run import CaseKey
from core.schemas.scenario import ExpectedAction, Scenario
from core.spoken import Kind
from models.parties.baseline import BaselineCandidate
from models.parties.scripted import ScriptedCaller
from tests.support.damage import PLANTED, Damage, DamagedLines, Mistaken, Plant, Slip, Slipping, Teller, Trusting
from tests.support.filling import Filler, forms

BUNDLES = {"workshop": Path(__file__).parents[1] / "bundles" / "workshop", "frontdesk": shipped_bundle("frontdesk")}


@dataclass(frozen=True)
class Call:
    """How a call is played."""

    bundle: str
    scenario: str
    plants: tuple[Plant, ...] = ()
    slip: Slip | None = None
    mistaken: tuple[str, str | int | float | bool] | None = None
    broken: str | None = None
    """A tool that always fails."""
    trusting: bool = True
    """Whether the caller agrees to every read-back; a form filler hears every value once then, else twice."""

    @property
    def of(self) -> Bundle:
        """Its bundle."""
        return forms(self.broken) if self.bundle == "forms" else _bundle(self.bundle, self.broken)

    @property
    def about(self) -> Scenario:
        """Its scenario."""
        return self.of.scenarios[self.scenario]


@cache
def _bundle(name: str, broken: str | None) -> Bundle:
    bundle = load_bundle(BUNDLES[name])
    if broken is None:
        return bundle
    scenarios = {}
    for key, scenario in bundle.scenarios.items():
        fixtures = dict(scenario.backend.fixtures)
        if broken in fixtures:
            entries = tuple(entry.model_copy(update={"result": entry.mismatch}) for entry in fixtures[broken].queue)
            fixtures[broken] = fixtures[broken].model_copy(update={"queue": entries})
        program = scenario.backend.model_copy(update={"fixtures": fixtures})
        scenarios[key] = scenario.model_copy(update={"backend": program})
    return replace(bundle, scenarios=scenarios)


@cache
def played(call: Call) -> Trace:
    """The call's trace."""
    scenario, times = call.about, 1 if call.trusting else 2

    def caller(made: Scenario) -> Teller | ScriptedCaller:
        if call.bundle == "forms":
            return Teller(times, call.mistaken)
        if call.mistaken is not None:
            return Mistaken(made, *call.mistaken)
        return (Trusting if call.trusting else ScriptedCaller)(made.offline)

    def candidate(_made: Scenario) -> BaselineCandidate | Filler | Slipping:
        inner = Filler(scenario.language, times) if call.bundle == "forms" else BaselineCandidate()
        return inner if call.slip is None else Slipping(inner, call.slip)

    parties = Parties(caller=caller, candidate=candidate, lines={Condition.AUTHORED: DamagedLines(call.plants)})
    case = CaseKey(scenario=call.scenario, condition=Condition.AUTHORED)
    result = play_case(case, call.of, parties, 7, CodeVersion(version="0"))
    assert isinstance(result, Played), (call, result)
    return result.trace


@cache
def broken_actions(call: Call) -> frozenset[str]:
    """Expected actions that are not met or only partly."""
    return frozenset(item.id for item in grade_actions(played(call), call.about) if item.label is not Label.MET)


def truth(call: Call) -> set[tuple[str, str]]:
    """Action and the planted value that broke it: see the module's docstring."""
    clean = broken_actions(replace(call, plants=()))
    failed = broken_actions(call) - clean
    events = {event.id for turn in played(call).caller_turns for event in turn.events}
    named = {plant.fact for plant in call.plants if plant.fact is not None and f"{PLANTED}{plant.fact}" in events}
    alone = {
        (action, fact)
        for fact in named
        for action in broken_actions(replace(call, plants=tuple(plant for plant in call.plants if plant.fact == fact)))
        if action in failed
    }
    only_together = failed - {action for action, _fact in alone}
    return alone | {(action, fact) for action in only_together for fact in named}


def one_cause(call: Call) -> bool:
    """Whether no action is broken by the damage and by the call's own slip alike: who broke it would be a matter of taste."""
    return not broken_actions(replace(call, plants=())) & broken_actions(replace(call, slip=None))


def blamed(call: Call) -> set[tuple[str, str]]:
    """Action and fact as attribution has them."""
    trace, scenario = played(call), call.about
    grade = Grade(
        trace_sha256="0" * 64,
        bundle_hash="0" * 64,
        scenario=scenario.id,
        agent=scenario.agent,
        condition=Condition.AUTHORED,
        repeat=0,
        judge=PartyRecord(party="none"),
        judge_key="none",
        items=grade_actions(trace, scenario),
        pillars={},
        overall=None,
    )
    found = attribute("case", trace, grade, scenario, case_hearing(trace, scenario).turns)
    return {(each.action, each.fact) for each in found}


def _places() -> list[tuple[str, str, str]]:
    """Bundle, scenario and fact of every value that an expected action wants."""
    return [
        (name, key, fact)
        for name in (*BUNDLES, "forms")
        for key, scenario in (forms() if name == "forms" else _bundle(name, None)).scenarios.items()
        for fact in scenario.caller.facts
        if any(_wants(action, fact) for action in scenario.expected if not action.forbidden)
    ]


def _wants(action: ExpectedAction, fact: str) -> bool:
    return f'"$caller.facts.{fact}"' in action.model_dump_json()


def damaged() -> Iterator[Call]:
    """Calls with damage of every kind to a wanted value, to two at once, and beside a slip; the caller corrects or does not."""
    places, kinds = _places(), list(Damage)
    for turn in range(len(kinds)):
        for number, (name, key, fact) in enumerate(places):
            call = Call(name, key, (Plant(fact, kinds[(number + turn) % len(kinds)]),), trusting=(number + turn) % 4 != 3)
            others = [other for its, scenario, other in places if (its, scenario) == (name, key) and other != fact]
            if turn % 3 == 1 and others:
                call = replace(call, plants=(*call.plants, Plant(others[0], kinds[(number + 3) % len(kinds)])))
            if turn % 3 == 2:
                slips = [Slip("alter", action.tool, name) for action in call.about.expected for name in action.args]
                call = replace(call, slip=slips[-1])
            yield call


def harmless() -> Iterator[Call]:
    """Damage that was corrected later in the call, that befell a value nobody wants, or words that carry none."""
    for number, (name, key, fact) in enumerate(_places()):
        call = Call(name, key, (Plant(fact, list(Damage)[number % len(Damage)], times=1),), trusting=False)
        yield call
        unasked = tuple(Plant(other, Damage.SUBSTITUTE) for other in _unasked(call.about))
        yield replace(call, plants=unasked or (Plant(None, Damage.DROP),))


def otherwise() -> Iterator[Call]:
    """Calls that fail for another reason, three of four with damage beside it that is not to blame."""
    seen: set[tuple[str, str]] = set()
    number = 0
    for name, key, fact in _places():
        scenario = Call(name, key).about
        actions = [action for action in scenario.expected if not action.forbidden]
        for failing in [] if (name, key) in seen else _failures(name, key, actions):
            number += 1
            plants = (
                (),
                (Plant(None, Damage.DROP),),
                (Plant(fact, list(Damage)[number % len(Damage)], times=1),),
                tuple(Plant(other, Damage.SUBSTITUTE) for other in _unasked(scenario)),
            )[number % 4]
            yield replace(failing, plants=plants)
        seen.add((name, key))


def _unasked(scenario: Scenario) -> list[str]:
    return [fact for fact in scenario.caller.facts if not any(_wants(action, fact) for action in scenario.expected)]


def _failures(name: str, key: str, actions: Sequence[ExpectedAction]) -> Iterator[Call]:
    call = Call(name, key, trusting=False)
    tools = list(dict.fromkeys(action.tool for action in actions))
    for turn in (2, 4):
        yield replace(call, slip=Slip("refuse", turn=turn))
        yield replace(call, slip=Slip("leave", turn=turn + 1))
    for number, tool in enumerate(tools):
        yield replace(call, slip=Slip("wrong_tool", tool, tools[number - 1]))
        yield replace(call, slip=Slip("garble", tool))
        yield replace(call, broken=tool)
    for action in actions:
        for argument in action.args:
            yield replace(call, slip=Slip("alter", action.tool, argument))
            yield replace(call, slip=Slip("omit", action.tool, argument))
    for fact, held in call.about.caller.facts.items():
        if held.kind is Kind.DIGITS and any(_wants(action, fact) for action in actions):
            yield replace(call, mistaken=(fact, str(held.value)[::-1]))
