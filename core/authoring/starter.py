"""The first bundle: a small one that plays at once, with a word on each part, to be changed into the author's own."""

from __future__ import annotations

import re
from pathlib import Path

from core.errors import FileError, UsageError
from core.files import new_folder
from core.prompt import render_prompt
from core.schemas.base import sha256
from core.yamlfile import read_data

_FOLDER = Path(__file__).with_suffix("")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SCENARIO = "first-call"
"""Id of the one scenario."""


def starter_languages() -> tuple[str, ...]:
    """Languages that a first bundle is written in."""
    return tuple(sorted(path.name for path in _FOLDER.iterdir() if path.is_dir()))


def write_starter(folder: Path, *, agent: str, language: str) -> list[Path]:
    """Write a bundle of one agent and one call as `folder`, named by it; returns its files, relative to it.

    Raises:
        UsageError: a name that no bundle or agent can have, or a language without a first bundle.
        FileError: the folder holds something, or cannot be written.
    """
    bundle = folder.resolve().name
    for what, name in (("bundle, named by its folder,", bundle), ("agent", agent)):
        if not _SLUG.fullmatch(name) or len(name) > 80:
            raise UsageError(f"{name!r} cannot name a {what}: use lower-case words joined by hyphens, such as front-desk")
    if language not in starter_languages():
        raise UsageError(f"no first bundle in {language!r}; there is one in {', '.join(starter_languages())}")
    refuse_full(folder)
    with new_folder(folder) as work:
        return _written(work, _FOLDER / language, bundle, agent)


def refuse_full(folder: Path) -> None:
    """Raise FileError where a new bundle would fall among other files."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if folder.exists() or folder.is_symlink():
        raise FileError(f"{folder}: there is something here already: choose a new or an empty folder")


def _written(work: Path, source: Path, bundle: str, agent: str) -> list[Path]:
    instructions = (source / "instructions.md").read_text("utf-8")
    prompt = render_prompt(instructions, read_data(source / f"{SCENARIO}.yaml")["variables"])
    places = {"BUNDLE": bundle, "AGENT": agent, "PROMPT_SHA256": sha256(prompt)}
    targets = {
        "bundle.yaml": Path("bundle.yaml"),
        "agent.yaml": Path("agents", agent, "agent.yaml"),
        "instructions.md": Path("agents", agent, "instructions.md"),
        f"{SCENARIO}.yaml": Path("scenarios", agent, f"{SCENARIO}.yaml"),
    }
    for name, target in targets.items():
        text = (source / name).read_text("utf-8")
        for place, value in places.items():
            text = re.sub(rf"\b{place}\b", value, text)
        path = work / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(targets.values())
