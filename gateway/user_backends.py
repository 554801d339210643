"""`program: python:<module>:<object>`: tools that are code of a bundle, in `backends/<module>.py`.

The code is a part of the bundle, so the bundle's hash covers it. It runs in this process with the rights of whoever runs it, and
only where that was allowed.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from typing import Any

from core.backend import Backend
from core.bundle import Bundle
from core.call import code_refused
from core.errors import UsageError
from core.own_thread import LIMIT_S
from core.schemas.base import sha256
from core.schemas.scenario import Scenario
from core.tool_program import Program, ProgramBackend


class BundlePrograms:
    """The programs of one bundle, each read once."""

    def __init__(self, bundle: Bundle, *, allowed: bool, limit_s: float = LIMIT_S) -> None:
        """`limit_s` is how many seconds a program may take for an answer."""
        self._bundle = bundle
        self._allowed = allowed
        self._limit_s = limit_s
        self._programs: dict[str, Program] = {}

    def check(self, scenarios: Iterable[str]) -> None:
        """Raise UsageError for the first of these scenarios whose program is not allowed or cannot be made."""
        for name in dict.fromkeys(scenarios):
            self.backend(self._bundle.scenarios[name], 0)

    def backend(self, scenario: Scenario, seed: int) -> Backend | None:
        """A fresh backend where the scenario's tools are a program, else None; raises UsageError."""
        name = scenario.backend.program
        if name is None:
            return None
        if not self._allowed:
            raise UsageError(code_refused(scenario))
        if name not in self._programs:
            self._programs[name] = self._read(name)
        return ProgramBackend(self._bundle.agent_of(scenario), scenario, self._programs[name], seed, self._limit_s)

    def _read(self, name: str) -> Program:
        _scheme, module_name, attribute = name.split(":")
        path = self._bundle.root / "backends" / f"{module_name}.py"
        if not path.is_file():
            raise UsageError(f"{name!r}: no file {path}")
        # Two bundles may each have a module of this name.
        unique = f"ringback_backend_{sha256(str(path.resolve()))[:16]}"
        spec = importlib.util.spec_from_file_location(unique, path)
        if spec is None or spec.loader is None:
            raise UsageError(f"{name!r}: {path} is no Python module")
        module = importlib.util.module_from_spec(spec)
        module.__dict__["print"] = _print_aside
        sys.modules[unique] = module
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as fault:
            del sys.modules[unique]
            raise UsageError(f"{name!r}: cannot read {path}: {type(fault).__name__}: {' '.join(str(fault).split())}") from fault
        made = getattr(module, attribute, None)
        if not callable(made):
            raise UsageError(f"{name!r}: {path} has no {attribute!r} that can be called")
        program: Program = made
        return program


def _print_aside(*values: object, **options: Any) -> None:
    """`print` of a bundle's code: beside the results of the command, which other programs read."""
    print(*values, **{"file": sys.stderr, **options})  # noqa: T201
