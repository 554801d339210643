"""The laws of the house that no linter knows."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repository.tree import RINGS, ROOT, imported_roots, modules, output, tracked

AT_ROOT = {
    ".ci", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "NOTICE", "README.md", "SECURITY.md",
    "bundles", "constraints-chat.txt", "constraints-coqui.txt", "constraints.txt", "core", "docs", "gateway", "models",
    "pyproject.toml", "speech",
    "tests",
}  # fmt: skip
# Built from halves, so that this file does not contain what it looks for.
HOSTS_AND_PATHS = re.compile(
    "/(?:wor" + r"k|roo" + r"t|far" + r"m|tm" + r"p)/|/opt/(?:whee" + r"ls|py" + r"pi)|py" + r"pi\.org|pythonhos" + r"ted|"
    "registry" + r"\.npm|deb" + r"ian\.org|/hom" + r"e/[a-z]"
)
# Cheap enough to be imported with any module; everything else is imported by the function that needs it.
LIGHT = sys.stdlib_module_names | set(RINGS) | {"annotated_types", "jiwer", "numpy", "pydantic", "pydantic_core", "yaml"}
HEAVY = [
    "TTS", "faster_whisper", "fastapi", "hibari", "librosa", "litellm", "matplotlib", "onnxruntime", "piper", "scipy", "torch",
]  # fmt: skip


def _texts() -> Iterator[tuple[Path, str]]:
    for path in tracked():
        try:
            yield path, (ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def _functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path, module in modules().items():
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def test_nothing_unexpected_lies_at_the_root() -> None:
    """The root holds the fixed list of files and folders, so that a newcomer learns it once."""
    assert set() == {path.parts[0] for path in tracked()} - AT_ROOT


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    """Tracked files hold no address of a package registry and no path that exists on one machine only."""
    found = [
        f"{path}:{number}: {line.strip()[:80]}"
        for path, text in _texts()
        for number, line in enumerate(text.splitlines(), 1)
        if HOSTS_AND_PATHS.search(line)
    ]
    assert [] == found


def test_no_work_is_left_as_a_note() -> None:
    """No file of the rings says that something is still to be done."""
    note = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
    assert [] == [str(path) for path, text in _texts() if path.suffix == ".py" and note.search(text)]


def test_functions_and_files_stay_small() -> None:
    """In the rings a function has at most 60 lines and a file at most 500."""
    long_functions = [
        f"{path}:{node.lineno}: {node.name}" for path, node in _functions() if (node.end_lineno or 0) - node.lineno + 1 > 60
    ]
    long_files = [str(path) for path, text in _texts() if path in modules() and text.count("\n") > 500]
    assert [] == long_functions + long_files


def test_no_module_is_named_like_the_standard_library() -> None:
    """A module named like one of Python's would be confused with it in a traceback and in an import."""
    assert [] == [str(path) for path in modules() if path.stem in sys.stdlib_module_names]


def test_every_folder_of_the_rings_is_a_package_that_says_what_it_holds() -> None:
    """Each folder with Python files has an `__init__.py` with a docstring; `tests/` has none at all."""
    missing = {path.parent / "__init__.py" for path in modules()} - set(modules())
    silent = {path for path, module in modules().items() if path.name == "__init__.py" and ast.get_docstring(module) is None}
    in_tests = {path for path in tracked() if path.parts[0] == "tests" and path.name == "__init__.py"}
    assert set() == missing | silent | in_tests


def test_loggers_carry_the_brand() -> None:
    """A logger is named ringback.<ring>..., since the import roots are generic words."""
    wrong = []
    for path, module in modules().items():
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "logging.getLogger":
                name = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
                if not (isinstance(name, str) and (name == "ringback" or name.startswith(f"ringback.{path.parts[0]}"))):
                    wrong.append(f"{path}:{node.lineno}: {ast.unparse(node)}")
    assert [] == wrong


def test_nothing_depends_on_a_process_dependent_hash() -> None:
    """The builtin hash() of text differs from process to process, so it may decide nothing."""
    calls = [
        f"{path}:{node.lineno}"
        for path, module in modules().items()
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hash"
    ]
    assert [] == calls


def test_modules_import_nothing_heavy_when_they_are_imported() -> None:
    """Outside the web doors, a module-level import is from the standard library, the rings or the light base."""
    heavy = [
        f"{path}:{node.lineno}: {root}"
        for path, module in modules().items()
        if path.parts[0] != "gateway" or path.parts[1] == "cli"
        for node in module.body
        for root in imported_roots(node)
        if root not in LIGHT
    ]
    assert [] == heavy


def test_piper_is_imported_in_its_factory_alone() -> None:
    """Piper is GPL-3: only speech/tts/piper.py names it, inside a function, so that nothing else is linked to it."""
    importers = {path for path, module in modules().items() for node in ast.walk(module) if "piper" in imported_roots(node)}
    assert {Path("speech/tts/piper.py")} == importers


def test_the_command_line_starts_light() -> None:
    """Importing the command line brings in no engine, no vendor, no web framework and no plotting library."""
    probe = f"import json, sys, gateway.cli.main; print(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    assert [] == json.loads(output([sys.executable, "-c", probe]))


def test_an_import_by_name_keeps_the_order_too() -> None:
    """What import-linter forbids a ring to import, no call brings in by its name either."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    forbidden = {ring: set(RINGS[RINGS.index(ring) + 1 :]) for ring in RINGS}
    for contract in contracts:
        for ring in contract.get("source_modules", []):
            forbidden[ring] |= set(contract["forbidden_modules"])
    found = [
        f"{path}:{node.lineno}: {ast.unparse(node)}"
        for path, module in modules().items()
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and forbidden[path.parts[0]] & set(imported_roots(node))
    ]
    assert [] == found


def _lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    # The command, not `python -m importlinter.cli`, which exits 0 whatever it finds.
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def test_the_rings_keep_their_order() -> None:
    """gateway -> speech -> models -> core holds for the tree as it is."""
    done = _lint_imports(ROOT)
    assert 0 == done.returncode, done.stdout


@pytest.mark.parametrize(
    ("ring", "line"),
    [
        ("core", "import models.registry"),
        ("models", "import speech.clip"),
        ("speech", "import gateway.cli"),
        ("core", "import scipy.signal"),
        ("models", "import soundfile"),
        ("models", "import litellm"),
        ("speech", "import litellm"),
        ("gateway", "import faster_whisper"),
    ],
)
def test_a_planted_import_against_the_order_is_found(tmp_path: Path, ring: str, line: str) -> None:
    """One forbidden import, even inside a function, breaks a contract and the command's exit code."""
    for name in RINGS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / ring / "planted.py").write_text(f"def late() -> None:\n    {line}\n", encoding="utf-8")
    done = _lint_imports(tmp_path)
    assert 1 == done.returncode, done.stdout
    assert f"{ring}.planted" in done.stdout
