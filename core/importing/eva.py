"""EVA: records of spoken calls (a list in one JSON file), and the agent they call (one YAML file).

A record tells the caller's goal and how it decides, what it knows, and an expected trace with each tool call and its answer.
The trace's calls become expected actions, its answers the fixtures. The databases, from which EVA's own tools compute, are left
out, as are the other languages of a record, which differ in names and first words only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.importing.source import END_CALL, OFF_LAYOUT, Call, Draft, Source, criterion, fact, key, off_layout, read_sources, slug
from core.importing.writing import AgentDraft, complete, make_agent, write_import
from core.schemas.imported import ImportedFile, ImportReport, Note

LANGUAGE = "en"
_TYPES = {"float": "number", "int": "integer", "bool": "boolean", "list": "array", "dict": "object", "str": "string"}
_GENDERS = {"woman": "female", "man": "male"}
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})")
_OF_ITS_AUTHORS = ("seed_data", "subflow_in_depth", "expected_flow")


def import_eva(paths: Sequence[Path], folder: Path) -> ImportReport:
    """Write the records that fit as a bundle; raises InputError as `write_import` and `read_sources` do."""
    sources = read_sources(paths)
    agents: dict[str, AgentDraft] = {}
    drafts: list[Draft] = []
    files = [_read_agent(source, agents) for source in sources if _is_agent(source.data)]
    for source in sources:
        if _is_agent(source.data):
            continue
        if _is_records(source.data):
            files.append(source.noted("records"))
            drafts += [_draft(record, source, agents) for record in source.data]
        elif isinstance(source.data, dict) and "_current_date" in source.data:
            why = "EVA's tools compute from it; here the answers of each record's expected trace stand as they are"
            files.append(source.noted("database", Note(what="the database", why=why)))
        else:
            files.append(
                source.noted("nothing", Note(what="the file", why="neither records, nor an agent, nor a database of EVA"))
            )
    return write_import(folder, "eva", agents, drafts, files, sources)


def _is_agent(data: Any) -> bool:
    return isinstance(data, dict) and isinstance(data.get("tools"), list) and "instructions" in data


def _is_records(data: Any) -> bool:
    return isinstance(data, list) and bool(data) and all(isinstance(item, dict) and "user_goal" in item for item in data)


def _read_agent(source: Source, agents: dict[str, AgentDraft]) -> ImportedFile:
    try:
        return _agent(source, agents)
    except OFF_LAYOUT as error:
        return source.noted("nothing", Note(what="the agent", why=off_layout("EVA", error)))


def _agent(source: Source, agents: dict[str, AgentDraft]) -> ImportedFile:
    data = source.data
    name = slug(str(data.get("id", source.path.stem)))
    found = make_agent(
        {
            "id": name,
            "name": str(data.get("name", name)),
            "domain": name.removeprefix("agent-"),
            "direction": "inbound",
            "variables": ["current_date_time"],
            "tools": [*(_tool(tool) for tool in data["tools"]), END_CALL],
        }
    )
    if isinstance(found, str):
        return source.noted("nothing", Note(what="the agent", why=found))
    role = str(data.get("role", "")).strip()
    instructions = f"{role}\n\nCurrent date and time: {{{{ current_date_time }}}}\n\n{str(data['instructions']).strip()}\n"
    agents[name] = AgentDraft(found, instructions.lstrip())
    notes = [
        Note(what="end_call", why="added: EVA's calls end when the caller's program hangs up, Ringback's by a tool or the caller")
    ]
    if data.get("tool_module_path"):
        notes.append(Note(what="tool_module_path", why="its program is not in the file; answers come from the expected traces"))
    return source.noted("agent", *notes)


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    required = [item["name"] for item in tool.get("required_parameters") or ()]
    every = [*(tool.get("required_parameters") or ()), *(tool.get("optional_parameters") or ())]
    return {
        "name": tool.get("name"),
        "description": tool.get("description"),
        "parameters": {
            "type": "object",
            "properties": {item["name"]: _parameter(item) for item in every},
            "required": required,
        },
    }


def _parameter(item: Mapping[str, Any]) -> dict[str, Any]:
    kind = str(item.get("type", "string"))
    kept = {name: item[name] for name in ("enum", "description", "items") if item.get(name)}
    return {"type": _TYPES.get(kind, kind), **kept}


def _draft(record: Mapping[str, Any], source: Source, agents: Mapping[str, AgentDraft]) -> Draft:
    draft = Draft(id=str(record.get("id", "?")), file=source.name)
    try:
        filled = _filled(record, draft)
        calls = _calls(filled)
        draft.agent = _agent_of(calls, agents)
        if not draft.agent:
            draft.leave_out("the record", "no agent file among those given has all the tools of its expected trace")
            return draft
        draft.data = _scenario(filled, draft)
        complete(draft, agents[draft.agent], _weighed(calls, agents[draft.agent]))
        _note_rest(record, draft)
    except OFF_LAYOUT as error:
        return Draft(draft.id, draft.file, left_out=[Note(what="the record", why=off_layout("EVA", error))])
    return draft


def _filled(record: Mapping[str, Any], draft: Draft) -> dict[str, Any]:
    """The record with names and numbers in their places."""
    person = (record.get("culture_overrides") or {}).get(LANGUAGE) or {}
    text = json.dumps(record, ensure_ascii=False)
    for name, value in person.items():
        for place in (f"<{name.upper()}>", f"<{name.upper()}_ROMANIZED>"):
            text = text.replace(place, json.dumps(value, ensure_ascii=False)[1:-1])
    if left := sorted(set(re.findall(r"<[A-Z_]{3,}>", text))):
        raise ValueError(f"nothing is given for {', '.join(left)}")
    if person:
        draft.change("culture_overrides", f"names and numbers of {LANGUAGE!r} stand in their places")
    return dict(json.loads(text))


def _calls(record: Mapping[str, Any]) -> list[Call]:
    """Each call of the expected trace with the answer that follows it."""
    events = record["ground_truth"]["expected_trace"]["trace"]
    made: list[Call] = []
    waiting: list[Mapping[str, Any]] = []
    for event in events:
        if event["event_type"] == "tool_call":
            waiting.append(event)
        elif event["event_type"] == "tool_response":
            asked = next(item for item in waiting if item["tool_name"] == event["tool_name"])
            waiting.remove(asked)
            answer = event["response"]
            result = answer if isinstance(answer, dict) else {"status": event.get("status"), "result": answer}
            made.append(Call(str(asked["tool_name"]), dict(asked["params"]), result))
    return made


def _agent_of(calls: Sequence[Call], agents: Mapping[str, AgentDraft]) -> str:
    wanted = {call.tool for call in calls}
    fitting = [name for name, made in agents.items() if wanted and wanted <= {tool.name for tool in made.agent.tools}]
    return fitting[0] if fitting else ""


def _weighed(calls: Sequence[Call], made: AgentDraft) -> list[Call]:
    """Calls that change something count more than lookups, and what a tool does not require may be left out."""
    known = {tool.name: tool.parameters for tool in made.agent.tools}
    weighed = []
    for call in calls:
        properties, required = known[call.tool].get("properties"), known[call.tool].get("required")
        own = {name: value for name, value in call.arguments.items() if isinstance(properties, dict) and name in properties}
        reads = call.tool.startswith(("get_", "search_", "check_", "verify_", "find_", "list_", "lookup_"))
        optional = own.keys() - set(map(str, required if isinstance(required, list) else ()))
        weighed.append(Call(call.tool, own, call.result, 1 if reads else 3, frozenset(optional)))
    return weighed


def _scenario(record: Mapping[str, Any], draft: Draft) -> dict[str, Any]:
    goal, tree = record["user_goal"], record["user_goal"]["decision_tree"]
    config = record.get("user_config") or {}
    day, hour = next(iter(_MOMENT.findall(record["current_date_time"])))
    opening = (record.get("starting_utterances") or {}).get(LANGUAGE) or goal["high_level_user_goal"]
    premise = (record.get("scenario_context") or {}).get("premise") or record.get("expected_flow") or "The caller's wish is met."
    draft.change("difficulty", "EVA has none: medium is written")
    draft.change("criteria", "each must-have of the caller is one, with plain anchors; a judge has to decide it")
    facts = {key(name): fact(key(name), value, LANGUAGE) for name, value in _flat("", goal["information_required"])}
    return {
        "id": slug(f"eva {draft.id}"),
        "agent": draft.agent,
        "title": str(goal["high_level_user_goal"])[:100],
        "language": LANGUAGE,
        "script": "Latn",
        "difficulty": "medium",
        "tags": ["eva"],
        "variables": {"current_date_time": record["current_date_time"]},
        "goal": premise,
        "caller": {
            "context": _context(config, tree),
            "reason": goal["high_level_user_goal"],
            "now": f"{day}T{hour}",
            "facts": facts,
            "plan": [
                {"id": "open_call", "trigger": "The agent has greeted you.", "meaning": f"Begin with: {opening}"},
                {
                    "id": "decide_2",
                    "trigger": "The agent offers something, or asks for a decision.",
                    "meaning": "Decide by what you must have and by how you act.",
                },
                {
                    "id": "close_3",
                    "trigger": f"One of these has come true. {tree['resolution_condition']} {tree['failure_condition']}",
                    "meaning": "Say goodbye.",
                },
            ],
            "voice": {"gender": _GENDERS.get(str(config.get("gender")), "any")},
        },
        "criteria": [
            criterion(f"must_have_{number}", f"What the caller must have is true at the end of the call: {text}")
            for number, text in enumerate(tree.get("must_have_criteria") or (), 1)
        ],
    }


def _context(config: Mapping[str, Any], tree: Mapping[str, Any]) -> str:
    parts = [f"You are {config['name']}." if config.get("name") else "", str(config.get("user_persona") or "")]
    for head, name in (
        ("You must have:", "must_have_criteria"),
        ("You would like:", "nice_to_have_criteria"),
        ("How you act:", "negotiation_behavior"),
        ("Besides:", "edge_cases"),
    ):
        items = tree.get(name) or ()
        parts += [head, *map(str, items)] if items else []
    return " ".join(" ".join([*parts, str(tree.get("escalation_behavior") or "")]).split())


def _flat(name: str, value: Any) -> Iterator[tuple[str, str | int | float | bool]]:
    """Every single value with the names that lead to it."""
    if isinstance(value, dict):
        for inner, item in value.items():
            yield from _flat(f"{name} {inner}", item)
    elif isinstance(value, list):
        for number, item in enumerate(value, 1):
            yield from _flat(f"{name} {number}", item)
    elif value is not None and value != "":
        yield name, value


def _note_rest(record: Mapping[str, Any], draft: Draft) -> None:
    truth = record.get("ground_truth") or {}
    if "expected_scenario_db" in truth:
        draft.leave_out("expected_scenario_db", "the calls that lead to it are graded, not a database after the call")
    others = sorted(set(record.get("starting_utterances") or ()) - {LANGUAGE})
    if others:
        draft.leave_out("other languages", f"{', '.join(others)}: only names and first words are given in them, not the call")
    for name in _OF_ITS_AUTHORS:
        is_goal = name == "expected_flow" and not (record.get("scenario_context") or {}).get("premise")
        if record.get(name) and not is_goal:
            draft.leave_out(name, "notes of its authors that neither a caller nor a judge is shown")
    priorities = (record.get("scenario_context") or {}).keys() - {"premise"}
    if priorities:
        draft.leave_out(f"scenario_context: {', '.join(sorted(priorities))}", "the must-haves say the same and are graded")
