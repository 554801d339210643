"""From drafts to a bundle: the values in the caller's own words become facts, every scenario is audited, and all is reported."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import JsonValue, ValidationError

from core.audits.agent import audit_agent
from core.audits.isolation import leaked_values
from core.audits.scenario import audit_scenario
from core.authoring.files import write_agent, write_scenario, write_yaml
from core.authoring.starter import refuse_full
from core.errors import InputError, UsageError
from core.files import new_folder
from core.importing.source import Call, Draft, Source, actions, fact, fixtures, key, slug
from core.schemas.base import pretty_json
from core.schemas.bundle import Agent
from core.schemas.imported import ImportedFile, ImportedRecord, ImportReport, Note
from core.schemas.scenario import Scenario
from core.validation import faults_of, validate

REPORT = "import-report.json"
SHOWN_FAULTS = 5


@dataclass(frozen=True)
class AgentDraft:
    """An agent as its two files hold it."""

    agent: Agent
    instructions: str


def complete(draft: Draft, made: AgentDraft, calls: Sequence[Call]) -> None:
    """Give a draft its fixtures and actions, and as facts the values that its caller's own words hold."""
    data = draft.data
    assert data is not None
    facts: dict[str, Any] = data["caller"]["facts"]
    tools = [tool.name for tool in made.agent.tools if tool.name != "end_call"]
    for _round in range(2):  # facts of the first round are referred to in the second
        data["backend"] = {"fixtures": fixtures(tools, calls, facts)}
        data["expected"] = actions(calls, facts)
        try:
            scenario = Scenario.model_validate(data)
        except ValidationError:
            return  # the audit says what is wrong
        for _, value, _ in leaked_values(scenario, made.agent):
            if isinstance(value, str | int | float) and all(item["value"] != value for item in facts.values()):
                name = next((name for call in calls for name, given in call.arguments.items() if given == value), "known_value")
                facts[_free(key(name), facts)] = fact(name, value, str(data["language"]))
    if any("present" in matcher for action in data["expected"] for matcher in action["args"].values()):
        draft.change("long texts among arguments", "they only have to be there: words differ from agent to agent")
    if left := sorted({f"{call.tool}.{name}" for call in calls for name in call.optional & call.arguments.keys()}):
        draft.change(
            f"optional arguments {', '.join(left)}", "they may be left out; one that is sent must be as the source has it"
        )


def _free(name: str, taken: Mapping[str, object]) -> str:
    number = 2
    stem = name
    while name in taken:
        name, number = f"{stem}_{number}", number + 1
    return name


def write_import(
    folder: Path,
    source: Literal["eva", "tau2"],
    agents: Mapping[str, AgentDraft],
    drafts: Sequence[Draft],
    files: Sequence[ImportedFile],
    sources: Sequence[Source],
) -> ImportReport:
    """Write what fits as a bundle at `folder`, with the report and the source's licence in it.

    Raises:
        UsageError: the folder's name names no bundle.
        FileError: the folder holds something, or cannot be written.
        InputError: nothing fits.
    """
    bundle = folder.resolve().name
    if bundle != slug(bundle):
        raise UsageError(f"{bundle!r} cannot name a bundle: use lower-case words joined by hyphens")
    refuse_full(folder)
    scenarios: dict[str, Scenario] = {}
    records = [_record(draft, agents, scenarios) for draft in drafts]
    if not scenarios:
        unread = [f"  {item.file}: {note.why}" for item in files if item.read_as == "nothing" for note in item.left_out[:1]]
        reasons = "\n".join(
            [*unread, *(f"  {item.file} {item.id}: {note.why}" for item in records for note in item.left_out[:1])]
        )
        raise InputError(f"nothing here becomes a scenario, and nothing was written:\n{reasons or '  no records were found'}")
    licence, notice = _licence(sources)
    report = ImportReport(source=source, bundle=bundle, licence=licence, files=tuple(files), records=tuple(records))
    with new_folder(folder) as work:
        write_yaml(work / "bundle.yaml", _bundle(report, scenarios, notice))
        for name in sorted({scenario.agent for scenario in scenarios.values()}):
            write_agent(work, agents[name].agent, agents[name].instructions)
        for scenario in scenarios.values():
            write_scenario(work, scenario)
        (work / REPORT).write_bytes(pretty_json(report.to_json()))
        if notice:
            (work / "LICENSE").write_text(notice, encoding="utf-8")
    return report


def _record(draft: Draft, agents: Mapping[str, AgentDraft], scenarios: dict[str, Scenario]) -> ImportedRecord:
    """A draft's line of the report; what is sound joins the scenarios."""
    reasons = _faults(draft, agents) if draft.data is not None else []
    if draft.data is not None and draft.data["id"] in scenarios:
        reasons = [f"the id {draft.data['id']!r} is taken by another record"]
    if draft.data is None or reasons:
        notes = [Note(what="the record", why=reason) for reason in reasons[:SHOWN_FAULTS]]
        return ImportedRecord(id=draft.id, file=draft.file, outcome="not", left_out=(*notes, *draft.left_out))
    scenario = Scenario.model_validate(draft.data)
    scenarios[scenario.id] = scenario
    return ImportedRecord(
        id=draft.id,
        file=draft.file,
        outcome="partly" if draft.left_out else "whole",
        scenario=scenario.id,
        left_out=tuple(draft.left_out),
        changed=tuple(draft.changed),
    )


def _faults(draft: Draft, agents: Mapping[str, AgentDraft]) -> list[str]:
    made = agents[draft.agent]
    found = [f"agent: {where}: {reason}" for where, reason in audit_agent(made.agent, made.instructions)]
    read = validate(Scenario, draft.data)
    found += [f"{where}: {reason}" for where, reason in read.faults]
    if read.value is not None and not read.faults:
        found += [f"{where}: {reason}" for where, reason in audit_scenario(read.value, made.agent, made.instructions)]
    return found


def make_agent(data: Mapping[str, Any]) -> Agent | str:
    """The agent that the data is, or what is wrong with it."""
    try:
        return Agent.model_validate(dict(data))
    except ValidationError as error:
        return "; ".join(f"{where}: {reason}" for where, reason in faults_of(error, data)[:SHOWN_FAULTS])


def _bundle(report: ImportReport, scenarios: Mapping[str, Scenario], notice: str) -> dict[str, Any]:
    lines = [line.strip() for line in notice.splitlines() if line.strip().lower().startswith("copyright")]
    generation: dict[str, JsonValue] = {
        "method": f"imported from {report.source} by `ringback bundle import`; {REPORT} says what was left out",
        "sources": {item.file: item.sha256 for item in report.files},
        "notice": lines[0] if lines else "no licence file lay beside the source: find out its terms before you pass this on",
    }
    return {
        "format": "ringback-bundle-1",
        "id": report.bundle,
        "version": "0.1.0",
        "title": f"{len(scenarios)} scenarios imported from {report.source}",
        "languages": sorted({scenario.language for scenario in scenarios.values()}),
        "licence": report.licence,
        "generation": generation,
    }


def _licence(sources: Sequence[Source]) -> tuple[str, str]:
    """Identifier and text of the licence that lies beside the source, or in the folder above it."""
    for source in sources:
        parent = source.path.resolve().parent
        for path in (folder / name for folder in (parent, parent.parent) for name in ("LICENSE", "LICENSE.md", "LICENSE.txt")):
            if path.is_file():
                text = path.read_text("utf-8", errors="replace")
                is_mit = re.search(r"\bMIT License\b", text) or "Permission is hereby granted, free of charge" in text
                return "MIT" if is_mit else "LicenseRef-source", text
    return "LicenseRef-unknown", ""
