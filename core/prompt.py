"""Rendering an agent's instructions: `{{ name }}` becomes the scenario's value, nothing else changes."""

from __future__ import annotations

import re
from collections.abc import Mapping

_VARIABLE = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")


def variables_in(template: str) -> set[str]:
    """Names of the template variables used."""
    return set(_VARIABLE.findall(template))


def render_prompt(template: str, variables: Mapping[str, str]) -> str:
    """The instructions with every variable replaced; an unknown one stays as written (the audits report it)."""
    return _VARIABLE.sub(lambda found: variables.get(found.group(1), found.group(0)), template)
