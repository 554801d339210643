"""The cases and wordings that ship keep every rule, in every language; broken ones are refused with file and field."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.errors import BundleError, UsageError
from core.snapshots.building.library import case_folder, case_languages, load_cases


@pytest.mark.parametrize("language", case_languages())
def test_shipped_cases_keep_every_rule(language: str) -> None:
    """Loading audits everything: a fault would be listed here."""
    library = load_cases(language)
    assert {abstract.family for abstract in library.abstracts.values()} == set(library.families)


def test_a_language_without_cases_is_refused_by_name() -> None:
    """The languages that have cases are listed."""
    with pytest.raises(UsageError, match="no cases for language 'sw': there are en"):
        load_cases("sw")


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "wordings/bank-security.yaml",
            "and keep the message open.",
            "and keep the message open",
            "does not end like a sentence",
        ),
        ("wordings/bank-security.yaml", "Please keep the six digits", "Do keep the six digits", "begin both alike"),
        ("wordings/bank-security.yaml", "the account that I name to you.", "it.", "keep both halves nearly equal"),
        ("wordings/bank-security.yaml", "from {town}, with", "from {city}, with", "unknown slot {city}"),
        ("wordings/bank-security.yaml", "  bank-new-device:", "  bank-old-device:", "no words for the case 'bank-new-device'"),
        ("wordings/bank-security.yaml", "The first phone was added", "Ring 555 0199 2, it was added", "(phone_number)"),
        ("abstracts/bank-security.yaml", "[code, holding, callback, secrecy]", "[code, gold, callback]", "no topic 'gold'"),
        ("abstracts/bank-security.yaml", "a camera shop]", "the HSBC branch]", "(denied_name)"),
        ("manner.yaml", "hanging up or verification.", "hanging up or so.", "risk words 'check'"),
        ("manner.yaml", 'says: \\"{say}\\" So much', "says a lot. So much", "no {say} in it"),
        ("manner.yaml", "  acknowledge:", "  acknowledgement:", "no wordings for the act 'acknowledge'"),
    ],
)
def test_a_broken_rule_is_named_with_its_file(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    """One change of a shipped file, one fault that says what and where."""
    root = tmp_path / "snapshots"
    shutil.copytree(case_folder(), root)
    path = root / "en" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BundleError) as caught:
        load_cases("en", root)
    faults = [fault for fault in caught.value.faults if said in fault.reason]
    assert [f"en/{file}"] == sorted({fault.file for fault in faults})
