"""Reading what calls are built from: the actions, the cases of one language and their wordings, audited as one whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from core.bundle import shipped_bundle
from core.errors import BundleError, Fault, FileError, UsageError
from core.schemas.base import content_hash, sha256
from core.schemas.casefile import AbstractFile, ActionCatalogue, CaseAbstract, DeniedNames, FamilyWords, Manner
from core.snapshots.building.wording_rules import audit_abstract, audit_case, audit_family, audit_manner
from core.validation import validate
from core.yamlfile import read_data

SNAPSHOTS = "snapshots"
"""Folder of the cases, beside the bundles."""
_M = TypeVar("_M", bound=BaseModel)


@dataclass(frozen=True)
class CaseLibrary:
    """Everything that calls of one language are built from."""

    root: Path
    """Folder it was read from."""
    language: str
    """Primary language code."""
    catalogue: ActionCatalogue
    """The plot actions."""
    denied: DeniedNames
    """Names that no call may say."""
    manner: Manner
    """Wordings of the language."""
    abstracts: Mapping[str, CaseAbstract]
    """Cases by id, sorted."""
    families: Mapping[str, FamilyWords]
    """Wordings by family, sorted."""
    sha256: str
    """Hash over all files."""


@dataclass
class _Reading:
    root: Path
    faults: list[Fault] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)

    def read(self, name: str, model: type[_M]) -> _M | None:
        """A file of the library; what is wrong with it is noted."""
        path = self.root / name
        try:
            found = validate(model, read_data(path))
            self.files[name] = sha256(path.read_bytes())
        except FileError as error:
            self.faults.append(Fault(name, "", str(error).removeprefix(f"{path}: ")))
            return None
        self.faults.extend(Fault(name, where, reason) for where, reason in found.faults)
        return None if found.faults else found.value


def case_folder() -> Path:
    """Where the cases that ship with Ringback lie."""
    return shipped_bundle(SNAPSHOTS)


def case_languages(root: Path | None = None) -> tuple[str, ...]:
    """Primary language codes that have cases, sorted."""
    return tuple(sorted(path.parent.name for path in (root or case_folder()).glob("*/manner.yaml")))


def load_cases(language: str, root: Path | None = None) -> CaseLibrary:
    """The cases and wordings for the primary language of a BCP 47 tag, from `root` or from those that ship.

    Raises:
        UsageError: the language has none; those that have are listed.
        BundleError: files are faulty; every fault is listed with its file and field.
    """
    root = root or case_folder()
    primary = language.split("-")[0].lower()
    if primary not in case_languages(root):
        raise UsageError(f"no cases for language {language!r}: there are {', '.join(case_languages(root)) or 'none'}")
    reading = _Reading(root)
    catalogue = reading.read("actions.yaml", ActionCatalogue)
    denied = reading.read("denied.yaml", DeniedNames)
    manner = reading.read(f"{primary}/manner.yaml", Manner)
    if catalogue is None or denied is None or manner is None:
        raise BundleError(str(root), reading.faults)
    reading.faults.extend(
        Fault(f"{primary}/manner.yaml", where, reason) for where, reason in audit_manner(manner, catalogue, denied)
    )
    abstracts = _abstracts(reading, primary)
    families = _families(reading, primary, abstracts, denied)
    if reading.faults:
        raise BundleError(str(root), reading.faults)
    return CaseLibrary(
        root=root,
        language=primary,
        catalogue=catalogue,
        denied=denied,
        manner=manner,
        abstracts=dict(sorted(abstracts.items())),
        families=dict(sorted(families.items())),
        sha256=content_hash(reading.files),
    )


def _abstracts(reading: _Reading, language: str) -> dict[str, CaseAbstract]:
    found: dict[str, CaseAbstract] = {}
    for path in sorted((reading.root / language / "abstracts").glob("*.yaml")):
        name = path.relative_to(reading.root).as_posix()
        file = reading.read(name, AbstractFile)
        for place, abstract in enumerate(file.abstracts if file else ()):
            where = f"abstracts[{place}]"
            if abstract.family != path.stem:
                reading.faults.append(Fault(name, f"{where}.family", f"{abstract.family!r} differs from the file's name"))
            if abstract.id in found:
                reading.faults.append(Fault(name, f"{where}.id", f"{abstract.id!r} stands twice: give each case its own id"))
            if abstract.language.split("-")[0] != language:
                reading.faults.append(Fault(name, f"{where}.language", f"{abstract.language!r} is not {language!r}"))
            found[abstract.id] = abstract
    if not found:
        reading.faults.append(Fault(f"{language}/abstracts", "", "no case: add <family>.yaml"))
    return found


def _families(
    reading: _Reading, language: str, abstracts: Mapping[str, CaseAbstract], denied: DeniedNames
) -> dict[str, FamilyWords]:
    found: dict[str, FamilyWords] = {}
    for family in sorted({abstract.family for abstract in abstracts.values()}):
        name = f"{language}/wordings/{family}.yaml"
        words = reading.read(name, FamilyWords)
        if words is None:
            continue
        found[family] = words
        if words.family != family:
            reading.faults.append(Fault(name, "family", f"{words.family!r} differs from the file's name {family!r}"))
        reading.faults.extend(Fault(name, where, reason) for where, reason in audit_family(words, denied))
        for abstract in (abstract for abstract in abstracts.values() if abstract.family == family):
            reading.faults.extend(Fault(name, where, reason) for where, reason in audit_case(abstract, words, denied))
            reading.faults.extend(
                Fault(f"{language}/abstracts/{family}.yaml", f"{abstract.id}.{where}", reason)
                for where, reason in audit_abstract(abstract, words, denied)
            )
    return found
