"""The small bundle that tests read, and copies of it with parts replaced."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from core.bundle import Bundle, load_bundle
from core.schemas.bundle import Agent
from core.schemas.scenario import Scenario
from core.yamlfile import read_data

MINIMAL = Path(__file__).resolve().parents[1] / "bundles" / "minimal"
AGENT_FILE = "agents/corner-library/agent.yaml"
SCENARIO_FILE = "scenarios/corner-library/renew-loan.yaml"
NOISY_FILE = "scenarios/corner-library/noisy-renewal.yaml"
Edit = Callable[[Any], None]
"""Changes the data of one file in place."""


@cache
def minimal() -> Bundle:
    """The bundle under tests/bundles/minimal."""
    return load_bundle(MINIMAL)


def data_of(file: str) -> Any:
    """A fresh copy of the data of one of its files."""
    return read_data(MINIMAL / file)


def agent(*edits: Edit) -> Agent:
    """Its agent, changed."""
    return Agent.model_validate(_edited(data_of(AGENT_FILE), edits))


def scenario(*edits: Edit) -> Scenario:
    """Its scenario `renew-loan`, changed."""
    return Scenario.model_validate(_edited(data_of(SCENARIO_FILE), edits))


def put(path: str, value: Any) -> Edit:
    """An edit that sets the value at a dotted path (list positions as numbers), making objects on the way."""

    def edit(data: Any) -> None:
        *parents, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
        for part in parents:
            data = data.setdefault(part, {}) if isinstance(data, dict) else data[part]
        data[last] = value

    return edit


def copy_minimal(folder: Path, **edits: tuple[str, Edit]) -> Path:
    """A copy of the bundle as `folder`/minimal; each edit is a file of it and what to change there."""
    root = folder / "minimal"
    shutil.copytree(MINIMAL, root)
    for file, edit in edits.values():
        change(root / file, edit)
    return root


def change(path: Path, *edits: Edit) -> None:
    """Change the data of one YAML file; it is written back as JSON, which YAML contains."""
    data = read_data(path)
    path.write_text(json.dumps(_edited(data, edits), ensure_ascii=False, indent=1), encoding="utf-8")


def _edited(data: Any, edits: tuple[Edit, ...]) -> Any:
    for edit in edits:
        edit(data)
    return data
