"""Writing YAML as people read it: fields in the order of their format, no anchors, every script as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from core.schemas.bundle import Agent
from core.schemas.scenario import Scenario


class _Dumper(yaml.SafeDumper):
    """Writes no anchors: each part stands where it is read."""

    def ignore_aliases(self, data: Any) -> bool:
        """Always."""
        return True


def write_yaml(path: Path, data: Any) -> None:
    """Write JSON values as a YAML file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110), encoding="utf-8")


def write_agent(root: Path, agent: Agent, instructions: str) -> None:
    """An agent's two files below a bundle's root."""
    folder = root / "agents" / agent.id
    own = agent.model_copy(update={"instructions": "instructions.md"})
    write_yaml(folder / "agent.yaml", own.model_dump(mode="json", by_alias=True, exclude_defaults=True))
    (folder / "instructions.md").write_text(instructions, encoding="utf-8")


def write_scenario(root: Path, scenario: Scenario) -> None:
    """A scenario's file below a bundle's root."""
    path = root / "scenarios" / scenario.agent / f"{scenario.id}.yaml"
    write_yaml(path, scenario.model_dump(mode="json", by_alias=True, exclude_defaults=True))
