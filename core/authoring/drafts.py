"""Reading a model's draft of a scenario: what a program knows better is filled in, everything else is audited."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from core.audits.scenario import audit_scenario
from core.errors import UsageError
from core.prompt import render_prompt
from core.replies import json_object
from core.schemas.base import Difficulty, sha256
from core.schemas.bundle import Agent
from core.schemas.scenario import Scenario
from core.scripts import scripts_of
from core.text import script_share
from core.validation import validate

AUDITS = "drafts-2"
"""Goes up with any change of what a draft is held to."""
SHARE = 0.6
"""Least share of letters in the language's script, of all that the caller knows and says."""
SHOWN_FAULTS = 25


@dataclass(frozen=True)
class Wanted:
    """What one draft must be."""

    number: int
    """Its place in the order of asking, from 1."""
    language: str
    """BCP 47 tag."""
    script: str
    """ISO 15924 code."""
    difficulty: Difficulty


def plan_slots(count: int, languages: list[str]) -> list[Wanted]:
    """Languages in turn, and within a language easy, medium and hard in turn; raises UsageError without a known script."""
    made = []
    for place in range(count):
        language = languages[place % len(languages)]
        scripts = scripts_of(language)
        if not scripts:
            raise UsageError(f"the script of language {language!r} is not known: choose another of --languages")
        difficulty = list(Difficulty)[place // len(languages) % len(Difficulty)]
        made.append(Wanted(place + 1, language, scripts[0], difficulty))
    return made


def read_draft(raw: str, wanted: Wanted, agent: Agent, template: str, taken: Collection[str]) -> Scenario | list[str]:
    """The scenario that a reply holds, or every reason against it, in lines that can be given back to the model."""
    try:
        data: dict[str, Any] = json_object(raw)
    except ValueError as error:
        return [str(error)]
    fixed = {"format": "ringback-scenario-1", "agent": agent.id, "language": wanted.language, "script": wanted.script}
    data |= {**fixed, "difficulty": wanted.difficulty.value}
    _fill_hashes(data, template)
    read = validate(Scenario, data)
    reasons = [_line(where, reason) for where, reason in read.faults]
    if read.value is not None:
        for where, reason in audit_scenario(read.value, agent, template):
            place = read.in_file(where)
            reasons += [_line(place, reason)] if place is not None else []
    if read.value is None or reasons:
        return list(dict.fromkeys(reasons))[:SHOWN_FAULTS]
    return _more(read.value, taken) or read.value


def _line(where: str, reason: str) -> str:
    return f"{where}: {reason}" if where else reason


def _fill_hashes(data: dict[str, Any], template: str) -> None:
    """Excerpts carry the hash of the rendered prompt, which no model can compute."""
    variables = data.get("variables")
    given = {str(name): str(value) for name, value in variables.items()} if isinstance(variables, dict) else {}
    digest: JsonValue = sha256(render_prompt(template, given))
    criteria = data.get("criteria")
    for criterion in criteria if isinstance(criteria, list) else ():
        excerpts = criterion.get("excerpts") if isinstance(criterion, dict) else None
        for excerpt in excerpts if isinstance(excerpts, list) else ():
            if isinstance(excerpt, dict):
                excerpt["prompt_sha256"] = digest


def _more(scenario: Scenario, taken: Collection[str]) -> list[str]:
    """What a scenario of one's own may lack and a drafted one may not."""
    reasons = []
    if scenario.id in taken:
        reasons.append(f"id: {scenario.id!r} is taken: choose another, and another situation")
    if scenario.backend.program is not None:
        reasons.append("backend.program: a draft comes without code: answer every tool by backend.fixtures")
    if not scenario.expected:
        reasons.append("expected: no action is expected: pin the tool calls that a good call makes")
    if not scenario.criteria:
        reasons.append("criteria: none: add what the expected actions cannot say")
    steps = [step.id for step in scenario.caller.plan]
    if lacking := [step for step in steps if step not in scenario.offline.steps]:
        reasons.append(f"offline.steps: no line for {', '.join(lacking)}")
    brief = scenario.caller
    told = [brief.context, brief.reason, *brief.unknown, *(step.meaning for step in brief.plan)]
    said = " ".join([*told, *(step.line for step in scenario.offline.steps.values())])
    if (share := script_share(said, scenario.script)) < SHARE:
        reasons.append(
            f"caller: {share:.0%} of its letters are in the script {scenario.script}: write all of the brief, the plan and the "
            f"lines in {scenario.language!r} itself"
        )
    return reasons
