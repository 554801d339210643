"""`ringback bundle new` and `bundle show`: a first bundle that plays at once, and one part of a bundle as a person reads it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.authoring.starter import starter_languages, write_starter
from core.bundle import load_bundle
from core.errors import EXIT_INPUT, EXIT_OK, FileError, UsageError
from gateway.cli.main import main
from tests.support.scenes import MINIMAL


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    """Runs a command that must succeed and returns what it printed."""
    return Printed(capsys)


class Printed:
    """A command that must exit 0."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> str:
        assert EXIT_OK == main(arguments)
        return self._capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "candidate"), [("en", "offline:baseline"), ("en", "offline:reference"), ("hi", "offline:reference")]
)
def test_a_new_bundle_checks_clean_and_plays_offline_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Printed, language: str, candidate: str
) -> None:
    """Written, checked and played without a change; the author's own solution loses no point on either line."""
    monkeypatch.setenv("RINGBACK_CACHE", str(tmp_path / "cache"))
    bundle, run = str(tmp_path / "mydesk"), str(tmp_path / "run")
    assert f"next: ringback bundle check {bundle}" in printed(
        "bundle", "new", bundle, "--agent", "repair-line", "--language", language
    )
    assert "1 agents, 1 scenarios, no faults" in printed("bundle", "check", bundle)
    printed("run", bundle, "--candidate", candidate, "--condition", "text,authored", "--out", run, "--concurrency", "1")
    conditions = json.loads(printed("report", run, "--json"))["conditions"]
    assert {"text", "authored"} == conditions.keys()
    for found in conditions.values():
        task, conversation = found["task"], found["conversation"]
        assert (task["max_points"], 1.0) == (8.0, task["coverage"])
        assert task["points"] >= (8.0 if candidate == "offline:reference" else 6.0)
        assert conversation["points"] == conversation["max_points"] > 0


@pytest.mark.parametrize("language", starter_languages())
def test_a_new_bundle_explains_each_of_its_parts(tmp_path: Path, language: str) -> None:
    """Every YAML file of it carries comments, and the names given to it stand where they belong."""
    files = write_starter(tmp_path / "mydesk", agent="repair-line", language=language)
    bundle = load_bundle(tmp_path / "mydesk")
    assert ("mydesk", ["repair-line"], (language,)) == (bundle.file.id, list(bundle.agents), bundle.file.languages)
    assert {Path(name) for name in bundle.files} == set(files)
    for file in files:
        text = (tmp_path / "mydesk" / file).read_text("utf-8")
        assert file.suffix != ".yaml" or text.count("  # ") + text.count("\n# ") >= 4


def test_a_new_bundle_takes_an_empty_folder_and_no_other(tmp_path: Path) -> None:
    """An empty folder becomes the bundle; one that holds anything is refused and stays as it was."""
    empty, full = tmp_path / "empty-one", tmp_path / "full-one"
    empty.mkdir()
    full.mkdir()
    (full / "mine.txt").write_text("keep me")
    write_starter(empty, agent="desk", language="en")
    assert (empty / "bundle.yaml").is_file()
    with pytest.raises(FileError, match="something here already"):
        write_starter(full, agent="desk", language="en")
    assert ["mine.txt"] == [path.name for path in full.iterdir()]


@pytest.mark.parametrize(
    ("folder", "agent", "language", "reason"),
    [("My Desk", "desk", "en", "'My Desk'"), ("desk", "Front Desk", "en", "'Front Desk'"), ("desk", "a", "tlh", "'tlh'")],
)
def test_a_name_that_no_bundle_can_have_is_refused(tmp_path: Path, folder: str, agent: str, language: str, reason: str) -> None:
    """The one line repeats what was given, and nothing is written."""
    with pytest.raises(UsageError, match=reason):
        write_starter(tmp_path / folder, agent=agent, language=language)
    assert [] == list(tmp_path.iterdir())


def test_show_prints_a_scenario_whole_and_readable(printed: Printed) -> None:
    """Brief, plan, fixtures with resolved values, expected actions and criteria with their anchors, without YAML."""
    bundle = load_bundle(MINIMAL)
    scenario = bundle.scenarios["renew-loan"]
    text = " ".join(printed("bundle", "show", str(MINIMAL), "renew-loan").split())
    expected = [
        scenario.goal,
        scenario.caller.context,
        scenario.caller.reason,
        *(f"{step.id}: when: {step.trigger} then: {step.meaning}" for step in scenario.caller.plan),
        *(f"knows {key} = " for key in scenario.caller.facts),
        *scenario.backend.fixtures,
        *(f"{action.id}: {action.tool}" for action in scenario.expected),
        *(f"{item.id}: {item.statement}" for item in scenario.criteria),
        *(f"not met: {item.anchors.not_met}" for item in scenario.criteria),
    ]
    assert [] == [part for part in expected if " ".join(part.split()) not in text]
    assert "$caller.facts" not in text.split("tools answer")[1].split(" line ")[0].split("->")[0]


def test_show_prints_an_agent_with_its_tools_and_calls(printed: Printed) -> None:
    """Each tool with its parameters, what ends the call, and the scenarios of the agent."""
    bundle = load_bundle(MINIMAL)
    agent = bundle.agents["corner-library"]
    text = printed("bundle", "show", str(MINIMAL), "corner-library")
    assert [] == [tool.name for tool in agent.tools if f"  {tool.name}" not in text]
    assert [] == [name for name in bundle.scenarios if f"  {name}  " not in text]
    assert "[ends the call: " in text
    shown = json.loads(printed("bundle", "show", str(MINIMAL), "corner-library", "--json"))
    assert (agent.to_json(), None) == (shown["agent"], shown["scenario"])


def test_show_of_an_unknown_name_lists_the_valid_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2, one line."""
    assert EXIT_INPUT == main(("bundle", "show", str(MINIMAL), "nobody"))
    error = capsys.readouterr().err
    assert "'nobody'" in error
    assert "corner-library" in error
    assert "renew-loan" in error
