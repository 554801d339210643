"""tau2: tasks (a list in `tasks.json`), the policy and the database beside them, one folder for each domain.

A task tells the user's reason, what it knows and how it behaves, and the actions a good agent takes. tau2's tools are programs
that are in none of these files: their names and parameters are read off the tasks' own calls, lookups are answered from the
database, and changes with a plain `done`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.importing.source import END_CALL, OFF_LAYOUT, Call, Draft, Source, criterion, literal, off_layout, read_sources, slug
from core.importing.writing import AgentDraft, complete, make_agent, write_import
from core.schemas.imported import ImportedFile, ImportReport, Note

NOW = "2026-01-05T09:00"
"""The moment of calls whose policy names none."""
_POLICY_NOW = re.compile(r"current time is (\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})")
_TYPES = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"))
_LOOKUP = ("get_", "find_", "search_", "list_")


@dataclass
class _Domain:
    """What lies in one folder."""

    name: str
    policy: str = ""
    database: dict[str, Any] = field(default_factory=dict)
    tools: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    """Tool to the arguments of each call that a task expects."""
    fault: str = ""
    """Why no task of it can become a scenario."""


def import_tau2(paths: Sequence[Path], folder: Path) -> ImportReport:
    """Write the tasks that fit as a bundle; raises InputError as `write_import` and `read_sources` do."""
    sources = read_sources(paths)
    domains: dict[Path, _Domain] = {}
    files = [_sorted_in(source, domains.setdefault(_place(source), _Domain(_place(source).name))) for source in sources]
    agents: dict[str, AgentDraft] = {}
    for domain in domains.values():
        _make_agent(domain, agents)
    drafts = [
        _draft(task, source, domains[_place(source)], agents)
        for source in sources
        if _is_tasks(source.data)
        for task in source.data
    ]
    return write_import(folder, "tau2", agents, drafts, files, sources)


def _place(source: Source) -> Path:
    return source.path.resolve().parent


def _is_tasks(data: Any) -> bool:
    return isinstance(data, list) and bool(data) and all(isinstance(item, dict) and "user_scenario" in item for item in data)


def _sorted_in(source: Source, domain: _Domain) -> ImportedFile:
    """Put a file where it belongs in its domain, and say what it was taken for."""
    data = source.data
    if isinstance(data, str):
        domain.policy = data
        return source.noted("policy")
    if _is_tasks(data):
        for task in data:
            for tool, arguments in _readable(task):
                domain.tools.setdefault(tool, []).append(arguments)
        return source.noted(
            "tasks", Note(what="tools", why="they are programs; names and parameters are read off the tasks' calls")
        )
    if isinstance(data, dict) and "configs" in data:
        why = "voices and noise are chosen when calls are run: --voices and --channel"
        return source.noted("voices", Note(what="personas and noise", why=why))
    if isinstance(data, dict) and source.path.stem == "user_db":
        return source.noted("the user's database", Note(what="the database", why="callers have no tools here"))
    if isinstance(data, dict) and all(isinstance(item, dict) for item in data.values()):
        domain.database = data
        return source.noted("database", Note(what="what no expected lookup asks for", why="a fixture answers the calls it knows"))
    return source.noted("nothing", Note(what="the file", why="neither tasks, nor a policy, nor a database of tau2"))


def _actions(task: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The agent's expected actions; the user's own, where it has tools, are not among them."""
    for action in (task.get("evaluation_criteria") or {}).get("actions") or ():
        if isinstance(action, dict) and action.get("requestor", "assistant") == "assistant":
            yield action


def _readable(task: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Tool and arguments of each action; none of a task that is not in the layout, which its own line of the report says."""
    try:
        return [(str(action["name"]), dict(action.get("arguments") or {})) for action in _actions(task)]
    except OFF_LAYOUT:
        return []


def _make_agent(domain: _Domain, agents: dict[str, AgentDraft]) -> None:
    name = slug(domain.name)
    if not domain.policy:
        domain.fault = "no policy was given with it: give the .md file of its folder too"
        return
    lookups = sorted(tool for tool in domain.tools if tool.startswith(_LOOKUP))
    if lookups and not domain.database:
        domain.fault = f"{', '.join(lookups)} would have no answers: give db.json of its folder too"
        return
    found = make_agent(
        {
            "id": name,
            "name": f"{domain.name.replace('_', ' ').capitalize()} agent",
            "domain": domain.name,
            "direction": "inbound",
            "tools": [*(_tool(tool, calls) for tool, calls in domain.tools.items()), END_CALL],
        }
    )
    if isinstance(found, str):
        domain.fault = f"agent: {found}"
        return
    agents[name] = AgentDraft(found, f"{domain.policy.strip()}\n")


def _tool(name: str, calls: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    seen: dict[str, list[Any]] = {}
    for call in calls:
        for parameter, value in call.items():
            seen.setdefault(parameter, []).append(value)
    return {
        "name": name,
        "description": f"{name.replace('_', ' ').capitalize()}.",
        "parameters": {
            "type": "object",
            "properties": {parameter: _schema(values) for parameter, values in seen.items()},
            "required": [parameter for parameter in seen if all(parameter in call for call in calls)],
        },
    }


def _schema(values: Sequence[Any]) -> dict[str, Any]:
    kinds = sorted({next((name for kind, name in _TYPES if isinstance(value, kind)), "null") for value in values})
    return {"type": kinds[0] if len(kinds) == 1 else kinds}


def _draft(task: Mapping[str, Any], source: Source, domain: _Domain, agents: Mapping[str, AgentDraft]) -> Draft:
    draft = Draft(id=str(task.get("id", "?")), file=source.name, agent=slug(domain.name))
    try:
        _fill(draft, task, domain, agents)
    except OFF_LAYOUT as error:
        return Draft(draft.id, draft.file, left_out=[Note(what="the task", why=off_layout("tau2", error))])
    return draft


def _fill(draft: Draft, task: Mapping[str, Any], domain: _Domain, agents: Mapping[str, AgentDraft]) -> None:
    """Make the draft a scenario, or note why it is none; raises one of `OFF_LAYOUT`."""
    start = task.get("initial_state") or {}
    if domain.fault:
        draft.leave_out("the task", domain.fault)
    elif start.get("message_history"):
        draft.leave_out("the task", "it begins in the middle of a conversation, a call with the agent's greeting")
    elif (task.get("evaluation_criteria") or {}).get("actions") is None:
        draft.leave_out("the task", "it names no actions, so that every tool would refuse what its user asks for")
    if draft.left_out:
        return
    calls = [_call(action, domain, task) for action in _actions(task)]
    draft.data = _scenario(task, domain, draft)
    complete(draft, agents[draft.agent], calls)
    _note_rest(task, calls, draft)


def _call(action: Mapping[str, Any], domain: _Domain, task: Mapping[str, Any]) -> Call:
    """An expected action with its answer: the record it asks for, or that it is done."""
    tool, given = str(action["name"]), dict(action.get("arguments") or {})
    if not tool.startswith(_LOOKUP):
        return Call(tool, given, {"status": "done"}, counts=3)
    changed = ((task.get("initial_state") or {}).get("initialization_data") or {}).get("agent_data") or {}
    for database in (changed, domain.database):
        for collection in database.values():
            for value in given.values():
                if isinstance(value, str) and isinstance(collection, dict) and value in collection:
                    found = collection[value]
                    return Call(tool, given, found if isinstance(found, dict) else {"found": found})
    raise ValueError(f"the database has no answer to {tool} with {given}")


def _scenario(task: Mapping[str, Any], domain: _Domain, draft: Draft) -> dict[str, Any]:
    user = task["user_scenario"]
    told = user["instructions"]
    parts = told if isinstance(told, dict) else {"reason_for_call": told}
    if not isinstance(parts.get("reason_for_call"), str):
        raise ValueError("no reason_for_call")
    known = (user.get("persona"), parts.get("known_info"), parts.get("task_instructions"))
    moment = next(iter(_POLICY_NOW.findall(domain.policy)), None)
    if moment is None:
        draft.change("the moment of the call", f"the policy names none: {NOW} is written")
    draft.change("difficulty", "tau2 has none: medium is written")
    purpose = (task.get("description") or {}).get("purpose")
    return {
        "id": slug(f"tau2 {domain.name} {draft.id}"),
        "agent": draft.agent,
        "title": str(purpose or draft.id)[:100],
        "language": "en",
        "script": "Latn",
        "difficulty": "medium",
        "tags": ["tau2", domain.name],
        "goal": str(purpose or "What the user wants is settled as the policy has it."),
        "caller": {
            "context": " ".join(" ".join(str(part) for part in known if part).split()) or "You call a service line.",
            "reason": " ".join(str(parts["reason_for_call"]).split()),
            "now": "T".join(moment) if moment else NOW,
            "facts": {},
            "unknown": [line.strip() for line in str(parts.get("unknown_info") or "").splitlines() if line.strip()],
            "plan": [
                {"id": "open_call", "trigger": "The agent has greeted you.", "meaning": "Say why you call."},
                {
                    "id": "decide_2",
                    "trigger": "The agent asks you something, or offers something.",
                    "meaning": "Answer as your reason and your situation tell you.",
                },
                {"id": "close_3", "trigger": "Your matter is settled, or cannot be settled.", "meaning": "Say goodbye."},
            ],
        },
        "criteria": _criteria(task.get("evaluation_criteria") or {}),
    }


def _criteria(wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
    basis = wanted.get("reward_basis") or ()
    said = 2 if not basis or "COMMUNICATE" in basis else 1
    judged = 2 if not basis or "NL_ASSERTION" in basis else 1
    told = [
        criterion(
            f"communicate_{number}",
            f"The agent tells the caller this: {text}",
            said,
            {"met": {"said": {"role": "agent", "matcher": {"contains": literal(str(text)), "compare": "normalized"}}}},
        )
        for number, text in enumerate(wanted.get("communicate_info") or (), 1)
    ]
    asserted = [
        criterion(f"assertion_{number}", f"This is true of the call: {text}", judged)
        for number, text in enumerate(wanted.get("nl_assertions") or (), 1)
    ]
    return [*told, *asserted]


def _note_rest(task: Mapping[str, Any], calls: Sequence[Call], draft: Draft) -> None:
    wanted, start = task.get("evaluation_criteria") or {}, task.get("initial_state") or {}
    if any(not call.tool.startswith(_LOOKUP) for call in calls):
        draft.change("answers of changes", "tau2's programs are not in the files: a change is answered with status done")
    if wanted.get("nl_assertions"):
        draft.change("nl_assertions", "each is a criterion with plain anchors; a judge has to decide it")
    if start.get("initialization_data"):
        draft.change("initialization_data", "lookups are answered from it before the database")
    if start.get("initialization_actions"):
        draft.leave_out("initialization_actions", "programs that change the database before the call")
    if wanted.get("env_assertions"):
        draft.leave_out("env_assertions", "programs that look at the database after the call; the calls are graded instead")
    if "DB" in (wanted.get("reward_basis") or ()):
        draft.leave_out("reward_basis DB", "the database after the call; the calls that lead to it are graded instead")
    user_actions = [item for item in wanted.get("actions") or () if item.get("requestor", "assistant") != "assistant"]
    if user_actions:
        draft.leave_out("actions of the user", "callers have no tools here")
