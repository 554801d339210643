"""Loading a bundle: files to frozen objects, with every fault of every file collected and raised once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from core.audits.agent import audit_agent
from core.audits.scenario import audit_scenario
from core.errors import BundleError, Fault, FileError
from core.files import write_atomic
from core.prompt import render_prompt
from core.schemas.base import content_hash, pretty_json, sha256
from core.schemas.bundle import Agent, BundleFile, Manifest
from core.schemas.scenario import Scenario
from core.validation import Validated, validate
from core.yamlfile import read_data

MANIFEST = "manifest.json"
_SUFFIXES = (".yaml", ".yml", ".json")
_M = TypeVar("_M", bound=BaseModel)


@dataclass(frozen=True)
class Bundle:
    """A loaded, audited bundle."""

    root: Path
    """Folder it was read from."""
    file: BundleFile
    """`bundle.yaml`."""
    agents: Mapping[str, Agent]
    """Agent id to agent."""
    templates: Mapping[str, str]
    """Agent id to its instructions template."""
    scenarios: Mapping[str, Scenario]
    """Scenario id to scenario, sorted by id."""
    files: Mapping[str, str]
    """Relative path to sha256 of every file but the manifest."""
    bundle_hash: str
    """Hash over `files`."""
    locked: bool
    """Whether `manifest.json` agrees with the files."""

    def agent_of(self, scenario: Scenario) -> Agent:
        """The agent a scenario calls."""
        return self.agents[scenario.agent]

    def prompt(self, scenario: Scenario) -> str:
        """The agent's instructions rendered for a scenario."""
        return render_prompt(self.templates[scenario.agent], scenario.variables)


@dataclass
class _Reading:
    """What was found so far."""

    root: Path
    faults: list[Fault] = field(default_factory=list)
    agents: dict[str, Agent] = field(default_factory=dict)
    templates: dict[str, str] = field(default_factory=dict)
    scenarios: dict[str, Scenario] = field(default_factory=dict)
    scenario_files: dict[str, str] = field(default_factory=dict)
    validated: dict[str, Validated[Any]] = field(default_factory=dict)

    def fault(self, file: str, where: str, reason: str) -> None:
        """Note what an audit found in a file; nothing is said of a stand-in for a part that is faulty itself."""
        place = self.validated[file].in_file(where) if file in self.validated else where
        if place is not None:
            self.faults.append(Fault(file, place, reason))


def load_bundle(root: Path, *, spoken: Collection[str] | None = None, audited: str | None = None) -> Bundle:
    """Read and audit the bundle at `root`.

    `spoken`, where given, holds the language codes a voice exists for; scenarios in others are faults. `audited` is the hash
    of a bundle that was audited before, so that the same files are not audited again. Raises FileError where there is no
    bundle, BundleError with every fault otherwise.
    """
    if not (root / "bundle.yaml").is_file():
        raise FileError(f"{root}: no bundle here: a bundle is a folder with bundle.yaml, agents/ and scenarios/")
    reading = _Reading(root)
    _refuse_links(reading)
    file = _read(reading, root / "bundle.yaml", BundleFile)
    _read_agents(reading)
    _read_scenarios(reading)
    files = hash_files(root)
    bundle_hash = content_hash(files)
    if bundle_hash != audited:
        _audit(reading, file, spoken)
    if file is None or reading.faults:
        raise BundleError(str(root), reading.faults)
    return Bundle(
        root=root,
        file=file,
        agents=reading.agents,
        templates=reading.templates,
        scenarios=dict(sorted(reading.scenarios.items())),
        files=files,
        bundle_hash=bundle_hash,
        locked=_is_locked(root, bundle_hash),
    )


def _refuse_links(reading: _Reading) -> None:
    """Stop at once where a path could lead out of the folder, or to something that cannot be read to its end."""
    for path in sorted(reading.root.rglob("*")):
        if _belongs(reading.root, path) and (path.is_symlink() or not (path.is_file() or path.is_dir())):
            reading.fault(path.relative_to(reading.root).as_posix(), "", "neither a file nor a folder: a bundle holds no links")
    if reading.faults:
        raise BundleError(str(reading.root), reading.faults)


def demo_scenarios(root: Path) -> tuple[str, ...]:
    """Scenarios a demonstration of the bundle plays; empty for all. Only `bundle.yaml` is read."""
    return BundleFile.model_validate(read_data(root / "bundle.yaml")).demo


def hash_files(root: Path) -> dict[str, str]:
    """Relative path to sha256 of every file of a bundle but its manifest and hidden files."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and name != MANIFEST and _belongs(root, path):
            found[name] = sha256(path.read_bytes())
    return found


def _belongs(root: Path, path: Path) -> bool:
    """Whether a path is part of the bundle: hidden files and caches are not."""
    return not any(part.startswith((".", "__")) for part in path.relative_to(root).parts)


def lock_bundle(bundle: Bundle) -> Path:
    """Write `manifest.json` for an audited bundle."""
    manifest = Manifest(id=bundle.file.id, version=bundle.file.version, files=dict(bundle.files), bundle_hash=bundle.bundle_hash)
    path = bundle.root / MANIFEST
    write_atomic(path, pretty_json(manifest.to_json()))
    return path


def shipped_bundle(name: str) -> Path:
    """Folder of a bundle that comes with Ringback; the one place that knows where they are."""
    return Path(__file__).resolve().parent.parent / "bundles" / name


def _is_locked(root: Path, bundle_hash: str) -> bool:
    path = root / MANIFEST
    if not path.is_file():
        return False
    try:
        return Manifest.model_validate(read_data(path)).bundle_hash == bundle_hash
    except (ValidationError, FileError):
        return False


def _read(reading: _Reading, path: Path, model: type[_M]) -> _M | None:
    """Validate a file; on faults, note them all and return what is left of it, for the audits."""
    name = path.relative_to(reading.root).as_posix()
    try:
        validated = validate(model, read_data(path))
    except FileError as error:
        reading.fault(name, "", str(error).removeprefix(f"{path}: "))
        return None
    reading.faults.extend(Fault(name, where, reason) for where, reason in validated.faults)
    reading.validated[name] = validated
    return validated.value


def _read_agents(reading: _Reading) -> None:
    root = reading.root
    folders = sorted(path for path in (root / "agents").glob("*") if path.is_dir() and _belongs(root, path))
    if not folders:
        reading.fault("agents", "", "no agent: add agents/<agent>/agent.yaml")
    for folder in folders:
        paths = [folder / f"agent{suffix}" for suffix in _SUFFIXES if (folder / f"agent{suffix}").is_file()]
        name = folder.relative_to(root).as_posix()
        if len(paths) != 1:
            reading.fault(name, "", f"{', '.join(path.name for path in paths) or 'no agent.yaml'} in this folder: one is needed")
            continue
        agent = _read(reading, paths[0], Agent)
        if agent is None:
            continue
        where = paths[0].relative_to(root).as_posix()
        if agent.id != folder.name:
            reading.fault(where, "id", f"{agent.id!r} differs from the folder's name {folder.name!r}")
        reading.templates[folder.name] = _read_instructions(reading, folder / agent.instructions, where)
        reading.agents[folder.name] = agent
        for field_path, reason in audit_agent(agent, reading.templates[folder.name]):
            reading.fault(where, field_path, reason)


def _read_instructions(reading: _Reading, path: Path, agent_file: str) -> str:
    folder = (reading.root / agent_file).parent
    try:
        if path.parent == folder and _belongs(reading.root, path):
            return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        pass
    reading.fault(agent_file, "instructions", f"{str(path.relative_to(folder))!r} is not a readable text file beside agent.yaml")
    return ""


def _read_scenarios(reading: _Reading) -> None:
    root = reading.root
    files = sorted(path for path in (root / "scenarios").rglob("*") if path.suffix in _SUFFIXES and _belongs(root, path))
    if not files:
        reading.fault("scenarios", "", "no scenario: add scenarios/<agent>/<scenario>.yaml")
    for path in files:
        scenario = _read(reading, path, Scenario)
        if scenario is None:
            continue
        name = path.relative_to(root).as_posix()
        if scenario.id != path.stem:
            reading.fault(name, "id", f"{scenario.id!r} differs from the file's name {path.stem!r}")
        if scenario.agent != path.parent.name:
            reading.fault(name, "agent", f"{scenario.agent!r} differs from the folder's name {path.parent.name!r}")
        if scenario.id in reading.scenarios:
            reading.fault(name, "id", f"{scenario.id!r} is also the id of {reading.scenario_files[scenario.id]}")
            continue
        reading.scenarios[scenario.id] = scenario
        reading.scenario_files[scenario.id] = name


def _audit(reading: _Reading, file: BundleFile | None, spoken: Collection[str] | None) -> None:
    if file is not None and file.id != reading.root.resolve().name:
        reading.fault("bundle.yaml", "id", f"{file.id!r} differs from the folder's name {reading.root.resolve().name!r}")
    for number, scenario_id in enumerate(file.demo if file is not None else ()):
        if scenario_id not in reading.scenarios:
            reading.fault("bundle.yaml", f"demo[{number}]", f"no scenario {scenario_id!r}")
    for scenario_id, scenario in reading.scenarios.items():
        name = reading.scenario_files[scenario_id]
        if file is not None and scenario.language not in file.languages:
            reading.fault(name, "language", f"{scenario.language!r} is not among the bundle's languages {list(file.languages)}")
        if spoken is not None and scenario.language.split("-")[0] not in spoken:
            reading.fault(
                name, "language", f"no voice speaks {scenario.language!r}; voices exist for {', '.join(sorted(spoken))}"
            )
        agent = reading.agents.get(scenario.agent)
        if agent is None:
            if not (reading.root / "agents" / scenario.agent).is_dir():
                reading.fault(
                    name, "agent", f"no agent {scenario.agent!r}; agents: {', '.join(sorted(reading.agents)) or 'none'}"
                )
            continue
        if scenario.backend.program is not None:
            module = f"backends/{scenario.backend.program.split(':')[1]}.py"
            if not (reading.root / module).is_file():
                reading.fault(name, "backend.program", f"no file {module} in the bundle")
        for where, reason in audit_scenario(scenario, agent, reading.templates[scenario.agent]):
            reading.fault(name, where, reason)
