"""What is installed, from where, and why."""

from __future__ import annotations

import re
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.repository.tree import RINGS, ROOT, output, tracked

PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PROJECT: dict[str, Any] = tomllib.loads(PYPROJECT)["project"]
# coqui-tts brings torch, whose builds differ by machine: it stays out of the lock that everybody installs.
UNLOCKED_EXTRAS = {"coqui", "local-chat-large"}


def _declared(*, with_unlocked: bool) -> list[str]:
    extras: dict[str, list[str]] = PROJECT["optional-dependencies"]
    chosen = [lines for extra, lines in extras.items() if with_unlocked or extra not in UNLOCKED_EXTRAS]
    return [*PROJECT["dependencies"], *(line for lines in chosen for line in lines)]


def _locked(lock: str = "constraints.txt") -> dict[str, str]:
    text = (ROOT / lock).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9][a-z0-9._-]*)==(\S+) \\$", text, re.MULTILINE))


def test_version_is_the_changelog_top() -> None:
    """The version of the distribution is the newest heading of the changelog."""
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == PROJECT["version"]


@pytest.mark.parametrize("requirement", _declared(with_unlocked=True))
def test_every_dependency_says_why(requirement: str) -> None:
    """The line that declares a dependency ends in a comment with the reason."""
    lines = [line for line in PYPROJECT.splitlines() if f'"{requirement}"' in line]
    assert 1 == len(lines)
    assert re.search(r"# .{10,}$", lines[0]) is not None, f"give a reason: {lines[0]}"


@pytest.mark.parametrize("requirement", _declared(with_unlocked=False))
def test_the_lock_satisfies_every_declaration(requirement: str) -> None:
    """Whatever pyproject.toml asks for is pinned by constraints.txt to a version that satisfies it."""
    asked = Requirement(requirement)
    pinned = _locked().get(canonicalize_name(asked.name))
    assert pinned is not None, f"{asked.name} is not in constraints.txt: regenerate it"
    assert asked.specifier.contains(Version(pinned)), f"{requirement} is locked to {pinned}: regenerate constraints.txt"


@pytest.mark.parametrize("lock", ["constraints.txt", "constraints-chat.txt", "constraints-coqui.txt"])
def test_every_lock_line_is_a_pin_or_a_hash(lock: str) -> None:
    """A lock holds pins with hashes and nothing else: no index, no link, no local version."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    blocks = re.split(r"(?<!\\)\n", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).strip())
    shape = re.compile(r"[a-z0-9][a-z0-9._-]*==[0-9][^\s+]*( \\\n    --hash=sha256:[0-9a-f]{64})+")
    assert [] == [block for block in blocks if shape.fullmatch(block) is None]
    assert len(blocks) == len(_locked(lock)) > 20


def test_the_large_chat_model_has_a_lock_of_its_own() -> None:
    """Its 1.1 GB of weights are in their own lock alone, at the versions that the extra asks for."""
    large = _locked("constraints-chat.txt")
    assert PROJECT["optional-dependencies"]["local-chat-large"] == [f"{name}=={version}" for name, version in large.items()]
    assert set() == large.keys() & _locked().keys()


def test_coqui_has_a_lock_of_its_own() -> None:
    """torch is in the lock of Coqui alone, which satisfies what the extra asks for and agrees with the other lock."""
    everybody, coqui = _locked(), _locked("constraints-coqui.txt")

    assert "torch" not in everybody
    for line in PROJECT["optional-dependencies"]["coqui"]:
        asked = Requirement(line)
        assert asked.specifier.contains(Version(coqui[canonicalize_name(asked.name)])), line
    shared = everybody.keys() & coqui.keys()
    assert {name: everybody[name] for name in shared} == {name: coqui[name] for name in shared}


def test_console_script_and_module_are_the_same_door() -> None:
    """The command `ringback` calls the same main as `python -m gateway.cli`."""
    assert {"ringback": "gateway.cli.main:main"} == PROJECT["scripts"]
    script = output([Path(sys.executable).parent / "ringback", "--help"])
    assert "usage: ringback" in script
    assert script == output([sys.executable, "-m", "gateway.cli", "--help"])


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_rings_and_bundles(tmp_path: Path) -> None:
    """A wheel built without network or isolation holds all code, types, pages, catalogues and bundles, and runs from there."""
    output([sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path])
    (wheel,) = tmp_path.glob("*.whl")
    assert f"ringback-{PROJECT['version']}-py3-none-any.whl" == wheel.name
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    shipped = {path.as_posix() for path in tracked() if path.parts[0] in (*RINGS, "bundles")}
    assert set() == shipped - names
    assert {*RINGS, "bundles", f"ringback-{PROJECT['version']}.dist-info"} == {name.split("/")[0] for name in names}
    assert {f"{ring}/py.typed" for ring in RINGS} <= names
    assert {"LICENSE", "NOTICE"} <= {name.rsplit("/", 1)[1] for name in names if "/licenses/" in name}

    site = tmp_path / "site"
    loaded = output([sys.executable, "-c", "import gateway.cli.main as door; print(door.__file__)"], folder=site)
    assert site / "gateway" / "cli" / "main.py" == Path(loaded.strip())
