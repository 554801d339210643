"""A real chat model of this machine in every role over HTTP: how its calls end, what is rejected, and how it judges.

Not a contest of models: it shows that weak replies become rejections, drops and low scores, and never a crash.
"""

from __future__ import annotations

import json
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.bundle import shipped_bundle
from tests.bench.figures import Figure
from tests.repository.tree import ROOT
from tests.support.command import Command

SHORT = ROOT / "tests" / "bundles" / "minimal"
"""Scenarios of two and three plan steps."""
DAIRY = "mastitis-zero-supply"
"""The dairy call of the seed: Gujarati, eighteen tools, a prompt of 38,000 characters."""
CONTEXT = 32_768
"""Tokens of one conversation: the prompt of the dairy call takes most of them."""
SETTINGS = "max_tokens=120&timeout=1800&temperature=0.7"
"""At temperature 0 a rerun would say the same again."""


def calls(command: Command, model: str) -> Iterator[Figure]:
    """Three calls with the model in all three roles, the same judged twice more, and the dairy call with it as candidate."""
    with _served(command, model) as party:
        began = time.monotonic()
        roles = ("--caller", party, "--candidate", f"{party}&tools=schema", "--judge", f"{party}&protocol=decomposed")
        folder = _run(command, SHORT, *roles, "--repeats", "2", out="all-roles")
        yield from _figures(f"{model} in all roles", folder)
        yield Figure(
            f"{model}: seconds a call", f"{(time.monotonic() - began) / 4:.0f} s", "of a clock, caller and judge included"
        )
        sound = _run(command, SHORT, "--judge", f"{party}&protocol=decomposed", out="sound")
        for protocol in ("decomposed", "holistic"):
            command("grade", sound, "--judge", f"{party}&protocol={protocol}", "-q")
        yield from _judgements(model, sound)
        dairy = ("--scenarios", DAIRY, "--candidate", f"{party}&tools=schema")
        yield from _figures(f"{model} as the dairy's agent", _run(command, shipped_bundle("lines"), *dairy, out="dairy"))


@contextmanager
def _served(command: Command, model: str) -> Iterator[str]:
    process = command.start("models", "serve", model, "--threads", "2", "--context", str(CONTEXT))
    assert process.stdout is not None
    told = [process.stdout.readline() for _line in range(2)]
    found = re.search(r"as a party: (litellm:\S+)", told[1])
    assert found is not None, f"{told} {process.stderr and process.stderr.read()}"
    try:
        yield f"{found[1]}&{SETTINGS}"
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def _run(command: Command, bundle: Path, *options: str, out: str) -> Path:
    """A run that may drop calls, which is exit 0 or 3, and never anything else."""
    done = command("run", bundle, "--condition", "text", "--concurrency", "1", *options, "--out", out, "-q")
    assert done.returncode in (0, 3), f"{done.stdout}\n{done.stderr}"
    return command.cwd / out


def _figures(name: str, folder: Path) -> Iterator[Figure]:
    text = json.loads((folder / "summary.json").read_bytes())["conditions"]["text"]
    traces = [json.loads(path.read_bytes()) for path in sorted(folder.glob("cases/*/trace.json"))]
    ends = Counter(trace["end"] for trace in traces)
    yield Figure(name, f"{len(traces)} played", f"ends {dict(ends)}, dropped {text['dropped']}, ungraded {text['ungraded']}")
    rejected = [
        reason for trace in traces for turn in trace["caller_turns"] for bad in turn["rejected"] for reason in bad["reasons"]
    ]
    faults = Counter(event["outcome"] for trace in traces for event in trace["tool_events"])
    scores = {pillar: text[pillar] and text[pillar]["score"] for pillar in ("task", "conversation")}
    yield Figure("  its replies", f"{len(rejected)} rejected", f"tool calls {dict(faults)}, scores {scores}")


def _judgements(model: str, folder: Path) -> Iterator[Figure]:
    for key in sorted(folder.glob("grades/*")):
        grades: list[dict[str, Any]] = [json.loads(path.read_bytes()) for path in sorted(key.glob("*.json"))]
        protocol = grades[0]["judge"]["settings"].get("protocol", "program")
        states = Counter(item["status"] for grade in grades for item in grade["items"])
        task = [grade["pillars"]["task"]["score"] for grade in grades]
        yield Figure(f"{model} judges, {protocol}", str(task), f"task scores of the scripted calls; items {dict(states)}")
