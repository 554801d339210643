"""The agent that docs/own-agent.md shows plays its call to the end, as a user would run it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.repository.tree import ROOT
from tests.support.command import Command

SOURCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_example_works_from_the_folder_it_is_saved_in(tmp_path: Path) -> None:
    """The installed command finds it without a path, also in worker processes; it verifies, records and hangs up."""
    (example,) = SOURCE.findall((ROOT / "docs" / "own-agent.md").read_text(encoding="utf-8"))
    (tmp_path / "my_agent.py").write_text(example, encoding="utf-8")
    ringback = Command(tmp_path, tmp_path / "cache")
    party = "python:my_agent:MyAgent?name=Ada"
    ringback.passes("run", "frontdesk", "--scenarios", "outage-*", "--repeats", "2", "--candidate", party, "--out", "run")
    for repeat in range(2):
        case = tmp_path / "run" / "cases" / f"outage-whole-house--text--r{repeat}"
        trace = json.loads((case / "trace.json").read_bytes())
        assert {"name": "Ada", "version": 1} == trace["header"]["candidate"]["settings"]
        assert ["find_account", "report_outage", "end_call"] == [event["tool"] for event in trace["tool_events"]]
        assert "tool_end" == trace["end"]
    ringback.passes("gate", "run", "--min", "arguments=100", "--min", "outcome=100")
