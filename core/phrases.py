"""Reading the phrase sets that ship beside the bundles: what callers say, language by language."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from core.bundle import shipped_bundle
from core.errors import FileError, UsageError
from core.schemas.phrases import PhraseSet
from core.spoken import find_value
from core.yamlfile import read_data

PHRASES = "phrases"
"""Folder of the phrase sets, beside the bundles."""
TABLE = "table.json"
"""The table of hearing, in the same folder."""


def phrase_folder() -> Path:
    """Where the phrase sets and the table of hearing lie."""
    return shipped_bundle(PHRASES)


def phrase_languages() -> tuple[str, ...]:
    """Primary language codes that have a phrase set, sorted."""
    return tuple(sorted(path.stem for path in phrase_folder().glob("*.yaml")))


def load_phrases(language: str) -> PhraseSet:
    """The phrase set that ships for the primary language of a BCP 47 tag.

    Raises:
        UsageError: the language has none; those that have are listed.
        FileError: the file is not a phrase set, or a phrase does not carry a value it claims.
    """
    primary = language.split("-")[0].lower()
    if primary not in phrase_languages():
        raise UsageError(f"no phrases for language {language!r}: there are {', '.join(phrase_languages())}")
    return read_phrases(phrase_folder() / f"{primary}.yaml")


def read_phrases(path: Path) -> PhraseSet:
    """A phrase set from a file, with every claimed value found in its phrase.

    Raises:
        FileError: the file is not a phrase set, or a phrase does not carry a value it claims.
    """
    try:
        found = PhraseSet.model_validate(read_data(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise FileError(f"{str(path)!r} is no phrase set: {where}: {first['msg']}") from error
    now = datetime.fromisoformat(found.now)
    for phrase in found.phrases:
        for value in phrase.values:
            if find_value(value.value, value.kind, phrase.text, language=found.language, now=now) is None:
                raise FileError(
                    f"{str(path)!r}, phrase {phrase.id!r}: the {value.kind.value} {value.value!r} is not said in {phrase.text!r}:"
                    " correct the value or the words"
                )
    return found
