"""The tree under test: its root, its tracked files, the parsed modules of its rings."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RINGS = ("core", "models", "speech", "gateway")
# Calls that import the module their first argument names; import-linter does not see through them.
IMPORTERS = {"__import__", "extras.load", "import_module", "importlib.import_module"}


@cache
def tracked() -> tuple[Path, ...]:
    """Return every tracked file that exists, relative to the root, sorted."""
    names = output(["git", "ls-files", "-z"]).split("\0")
    return tuple(sorted(Path(name) for name in names if name and (ROOT / name).is_file()))


@cache
def modules() -> dict[Path, ast.Module]:
    """Return the syntax tree of every tracked Python file of the four rings, by path relative to the root."""
    return {
        path: ast.parse((ROOT / path).read_text(encoding="utf-8"))
        for path in tracked()
        if path.suffix == ".py" and path.parts[0] in RINGS
    }


def output(command: Sequence[str | Path], folder: Path = ROOT) -> str:
    """Return what the command prints when run in the folder; what it complained of, as an assertion, if it fails."""
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, f"{' '.join(map(str, command))} exited {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def imported_roots(node: ast.AST) -> list[str]:
    """Return the top-level names that an import statement, or a call that imports by name, brings in; else nothing."""
    if isinstance(node, ast.Import):
        return [alias.name.split(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module is not None:
        return [node.module.split(".")[0]]
    if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in IMPORTERS:
        name = node.args[0]
        return [name.value.split(".")[0]] if isinstance(name, ast.Constant) and isinstance(name.value, str) else []
    return []
