"""Every relative link in a Markdown file leads to something that is there, headings included."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.repository.tree import ROOT

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def _pages() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted(name for name in listed if (ROOT / name).is_file())


def _anchors(page: Path) -> set[str]:
    """Headings as they are addressed: lower case, words joined by hyphens, punctuation dropped."""
    headings = HEADING.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _broken(page: str) -> list[str]:
    found = []
    for link in LINK.findall(FENCED.sub("", (ROOT / page).read_text(encoding="utf-8"))):
        target, _, anchor = link.partition("#")
        if ":" in target:
            continue
        there = (ROOT / page).parent / target if target else ROOT / page
        if not there.exists() or (anchor and anchor not in _anchors(there)):
            found.append(link)
    return found


@pytest.mark.parametrize("page", _pages())
def test_every_relative_link_resolves(page: str) -> None:
    """To a file or folder of this tree, and to a heading where it names one."""
    assert [] == _broken(page)


def test_the_pages_that_a_newcomer_needs_are_linked_from_the_readme() -> None:
    """README leads to every page under docs/."""
    links = set(LINK.findall((ROOT / "README.md").read_text(encoding="utf-8")))
    assert [] == [f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")) if f"docs/{path.name}" not in links]
