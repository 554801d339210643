"""Tiny files in the layouts of other benchmarks, written for these tests: nothing of theirs is in them."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

MIT = """MIT License

Copyright (c) 2026 The Lamp Desk Authors

Permission is hereby granted, free of charge, to any person obtaining a copy of this software.
"""

EVA_AGENT: dict[str, Any] = {
    "id": "agent_lamps",
    "name": "Lamp Desk",
    "role": "You are the voice agent of a lamp shop.",
    "tool_module_path": "shop.tools",
    "instructions": "Ask for the order code. Change nothing before the caller agrees.",
    "tools": [
        {
            "id": "get_order",
            "name": "get_order",
            "description": "Look up an order.",
            "tool_type": "read",
            "required_parameters": [
                {"name": "order_code", "type": "string", "description": "order code"},
                {"name": "last_name", "type": "string", "description": "surname"},
            ],
        },
        {
            "id": "move_delivery",
            "name": "move_delivery",
            "description": "Move a delivery.",
            "tool_type": "write",
            "required_parameters": [
                {"name": "order_code", "type": "string", "description": "order code"},
                {"name": "fee", "type": "float", "description": "fee"},
            ],
            "optional_parameters": [{"name": "slot", "type": "string", "enum": ["am", "pm"], "description": "part of the day"}],
        },
    ],
}

_TRACE = [
    {"event_type": "agent_utterance", "utterance": "Hello."},
    {"event_type": "tool_call", "tool_name": "get_order", "params": {"order_code": "LQ7741", "last_name": "<LAST_NAME>"}},
    {
        "event_type": "tool_response",
        "tool_name": "get_order",
        "status": "success",
        "response": {"status": "success", "price": "$80", "item_id": "ITM-55120", "owner": "<FIRST_NAME> <LAST_NAME>"},
    },
    {"event_type": "tool_call", "tool_name": "move_delivery", "params": {"order_code": "LQ7741", "fee": 12.5, "slot": "pm"}},
    {"event_type": "tool_response", "tool_name": "move_delivery", "status": "success", "response": {"status": "success"}},
]

EVA_RECORD: dict[str, Any] = {
    "id": "2.4",
    "current_date_time": "2026-04-02 14:20 EST",
    "user_goal": {
        "high_level_user_goal": "You want your lamp delivered on Friday afternoon.",
        "decision_tree": {
            "must_have_criteria": ["The delivery is on Friday afternoon. The fee is below $20."],
            "nice_to_have_criteria": ["The driver rings first."],
            "negotiation_behavior": ["Refuse a fee of $20 or more."],
            "resolution_condition": "The delivery is moved.",
            "failure_condition": "The agent cannot move it.",
            "escalation_behavior": "Never ask for a supervisor.",
            "edge_cases": ["Decline a refund."],
        },
        "information_required": {
            "Order code": "LQ7741",
            "last_name": "<LAST_NAME>",
            "pin": "0417",
            "wishes": {"first": "afternoon", "second": None},
        },
    },
    "user_config": {"name": "<FIRST_NAME> <LAST_NAME>", "gender": "woman", "user_persona": "You are in a hurry."},
    "scenario_context": {"premise": "A customer moves a delivery.", "user_priorities": [{"rank": 1}]},
    "ground_truth": {"expected_scenario_db": {"orders": {}}, "expected_trace": {"trace": _TRACE}},
    "starting_utterances": {"en": "Hi, it is about my lamp.", "de": "Hallo."},
    "culture_overrides": {"en": {"first_name": "Ada", "last_name": "Quill"}, "de": {"first_name": "Ida", "last_name": "Kiel"}},
}


def eva_record(number: str, **changes: Any) -> dict[str, Any]:
    """A copy of the record under another id, with parts replaced."""
    return {**copy.deepcopy(EVA_RECORD), "id": number, **changes}


TAU2_POLICY = "# Lamp shop\n\nThe current time is 2026-05-15 15:00:00 EST.\n\nNever move a delivery twice.\n"
TAU2_DATABASE: dict[str, Any] = {
    "orders": {"LQ7741": {"order_id": "LQ7741", "state": "packed", "note": "$rush", "shelf": "SHELF-88213"}},
    "users": {"ada_quill_12": {"name": "Ada Quill"}},
}
TAU2_TASK: dict[str, Any] = {
    "id": "7",
    "description": {"purpose": "Moving a delivery that is not shipped.", "notes": None},
    "user_scenario": {
        "persona": "Curt.",
        "instructions": {
            "domain": "lamps",
            "reason_for_call": "You want order LQ7741 on Friday.",
            "known_info": "You are Ada Quill.",
            "task_instructions": "Refuse a refund.",
            "unknown_info": "You do not know the fee.",
        },
    },
    "initial_state": None,
    "evaluation_criteria": {
        "actions": [
            {"action_id": "7_0", "name": "get_order", "arguments": {"order_id": "LQ7741"}},
            {"action_id": "7_1", "name": "move_delivery", "arguments": {"order_id": "LQ7741", "day": "2026-05-22", "fee": 5}},
        ],
        "communicate_info": ["5"],
        "nl_assertions": ["Agent moves the delivery."],
        "reward_basis": ["DB", "COMMUNICATE"],
    },
}


def tau2_task(number: str, **changes: Any) -> dict[str, Any]:
    """A copy of the task under another id, with parts replaced."""
    return {**copy.deepcopy(TAU2_TASK), "id": number, **changes}


def write_files(folder: Path, **files: Any) -> list[Path]:
    """Files named `a__json` and so on as `folder`/source/a.json, with a licence beside them."""
    source = folder / "source"
    source.mkdir(parents=True, exist_ok=True)
    (source / "LICENSE").write_text(MIT, encoding="utf-8")
    paths = []
    for name, content in files.items():
        path = source / name.replace("__", ".")
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        paths.append(path)
    return paths
