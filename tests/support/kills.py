"""Killing a run in the middle of its work, and what is left of it."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

from pydantic import JsonValue

from core.runs.store import RunStore
from core.schemas.run import JournalState
from tests.support.command import Command

Finished = dict[str, tuple[int, int, bytes]]
"""Case to inode, time of change and bytes of its trace."""


def lines_of(folder: Path) -> int:
    """Whole lines of a run's journal."""
    journal = folder / "journal.jsonl"
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def wait_for_lines(process: subprocess.Popen[str], folder: Path, lines: int) -> None:
    """Return once the journal has that many lines; the process must still be at work."""
    while lines_of(folder) < lines:
        assert process.poll() is None, f"over before journal line {lines}: {process.communicate()}"
        time.sleep(0.005)


def finished(folder: Path) -> Finished:
    """Every finished case."""
    found = {}
    for path in sorted(folder.glob("cases/*/trace.json")):
        found[path.parent.name] = (path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes())
    return found


def kill_after(command: Command, arguments: tuple[str, ...], folder: Path, lines: int) -> Finished:
    """Run a command, kill -9 it at that line of its journal, and see its worker processes go; returns what was finished."""
    with command.start(*arguments) as process:
        wait_for_lines(process, folder, lines)
        process.kill()
        process.communicate()
    assert -signal.SIGKILL == process.returncode
    assert_gone(process.pid)
    return finished(folder)


def assert_gone(group: int) -> None:
    """No process of a group, which the caller started, is at work any more within some seconds."""
    for _ in range(400):
        if not _at_work(group):
            return
        time.sleep(0.02)
    raise AssertionError("worker processes outlived the command")


def _at_work(group: int) -> list[str]:
    """Names of a group's processes; what is dead and waits for its parent to notice does not count."""
    names = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = file.read_text(encoding="utf-8", errors="replace").rpartition(")")
        except OSError:
            continue  # gone while we looked
        state, _parent, its_group = rest.split()[:3]
        if int(its_group) == group and state not in "ZX":
            names.append(name)
    return names


def assert_same_but_cost(whole: Path, folder: Path) -> None:
    """The same traces and the same summary but for what was used; each case finished and graded once."""
    assert {case: entry[2] for case, entry in finished(whole).items()} == {c: entry[2] for c, entry in finished(folder).items()}
    assert _without_usage(whole) == _without_usage(folder)
    states = Counter((line.case, line.state) for line in RunStore(folder).journal())
    assert 1 == max(count for (_case, state), count in states.items() if state is JournalState.FINISHED)
    assert 1 >= max((count for (_case, state), count in states.items() if state is JournalState.GRADED), default=0)


def _without_usage(folder: Path) -> dict[str, JsonValue]:
    summary: dict[str, JsonValue] = json.loads((folder / "summary.json").read_bytes())
    del summary["usage"], summary["cuts"]
    return summary


def assert_resumed(kept: Finished, after: Finished) -> None:
    """What was finished before is still the same file."""
    assert kept == {case: after[case] for case in kept}
