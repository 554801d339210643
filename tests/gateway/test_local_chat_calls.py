"""A real chat model, served from this machine by another process, as candidate, judge and caller over HTTP."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.repository.tree import ROOT
from tests.support.command import Command

MODEL = "qwen-coder-500m"
BUNDLE = ROOT / "tests" / "bundles" / "minimal"
"""Scenarios of two and three plan steps."""
WEAK = "timeout=300&temperature=0&max_tokens="

pytestmark = [pytest.mark.engine, pytest.mark.slow]


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory, engine_cache: Path) -> Command:
    """The command, in a folder of its own."""
    return Command(tmp_path_factory.mktemp("local"), engine_cache, patience_s=900)


@pytest.fixture(scope="module")
def party(door: Command) -> Iterator[str]:
    """How the model that another process serves is named as a party; the process ends well when it is interrupted."""
    process = door.start("models", "serve", MODEL)
    assert process.stdout is not None
    told = [process.stdout.readline() for _line in range(2)]
    found = re.search(r"as a party: (litellm:\S+)", told[1])
    assert found is not None, f"{told} {process.stderr and process.stderr.read()}"
    yield f"{found[1]}&{WEAK}"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert 0 == process.returncode


def _cases(run: Path) -> list[Any]:
    return [json.loads(path.read_bytes()) for path in sorted(run.glob("cases/*/trace.json"))]


@pytest.fixture(scope="module")
def answered(door: Command, party: str) -> Path:
    """Calls that the model answers and judges; the scripted caller always comes to an end."""
    run = ("run", BUNDLE, "--scenarios", "noisy-renewal", "--concurrency", "1", "--candidate", f"{party}45&tools=schema")
    door.passes(*run, "--condition", "text", "--judge", f"{party}60&protocol=decomposed", "--out", "judged", "-q")
    door.passes(*run, "--condition", "authored", "--repeats", "2", "--out", "played", "-q")
    return door.cwd


def test_a_small_model_answers_whole_calls(answered: Path) -> None:
    """Three calls come to an end with words of the model in them, and say what was asked of it; none is dropped."""
    calls = [*_cases(answered / "judged"), *_cases(answered / "played")]
    assert 3 == len(calls)
    assert {"caller_done", "tool_end", "turn_limit", "agent_idle"} >= {call["end"] for call in calls}
    assert all(any(message["role"] == "agent" and message["content"] for message in call["messages"]) for call in calls)
    timing = json.loads(next((answered / "judged").glob("cases/*/timing.json")).read_bytes())
    assert timing["usage"]["candidate"]["requests"] > 0
    assert timing["usage"]["candidate"]["completion_tokens"] > 0


def test_a_small_model_judges(answered: Path) -> None:
    """Every item is judged or left open with a reason, its raw replies are kept, and the call has a score between 0 and 100."""
    (path,) = (answered / "judged").glob("grades/*/*.json")
    grade = json.loads(path.read_bytes())
    assert MODEL in grade["judge"]["party"]
    assert {"scored", "not_applicable", "unjudged"} >= {item["status"] for item in grade["items"]}
    assert all(item["reason"] for item in grade["items"])
    assert 1 <= len(grade["replies"])
    assert 0 <= grade["pillars"]["task"]["score"] <= 100
    assert grade["overall"] is None or 0 <= grade["overall"] <= 100


def test_a_small_model_in_all_three_roles_is_rejected_or_dropped_and_never_crashes(door: Command, party: str) -> None:
    """It calls itself and judges that: a wrong turn is rejected with a reason, and a call that it cannot make is dropped."""
    roles = ("--caller", f"{party}40", "--candidate", f"{party}25&tools=schema", "--judge", f"{party}60")
    run = ("run", BUNDLE, "--scenarios", "noisy-renewal", "--condition", "text", "--concurrency", "1", "--out", "called", "-q")
    done = door(*run, *roles)
    assert 0 == done.returncode, done.stderr
    summary = json.loads((door.cwd / "called" / "summary.json").read_bytes())
    text = summary["conditions"]["text"]
    assert 1 == text["n"] + text["ungraded"] + sum(text["dropped"].get("simulation", {}).values())
    assert {} == text["dropped"].get("infrastructure", {})
    assert {"caller", "candidate", "judge"} == summary["usage"].keys()
    assert all(used["completion_tokens"] > 0 for used in summary["usage"].values())
    for trace in _cases(door.cwd / "called"):
        assert all(turn["intended"].strip() for turn in trace["caller_turns"])
        assert all(attempt["reasons"] for turn in trace["caller_turns"] for attempt in turn["rejected"])
    lines = map(json.loads, (door.cwd / "called" / "journal.jsonl").read_text(encoding="utf-8").splitlines())
    assert [] == [line for line in lines if line["state"] == "dropped" and not line["reason"].startswith("caller_invalid: ")]
