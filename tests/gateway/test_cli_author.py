"""`ringback bundle author`: drafts of a scripted provider over HTTP, audited, sent back with their faults, and recorded."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.authoring.drafts import plan_slots
from core.bundle import load_bundle
from core.errors import EXIT_INFRASTRUCTURE, EXIT_INPUT, EXIT_OK, UsageError
from core.schemas.base import content_hash, sha256
from core.schemas.generation import Generation, Slot
from core.seeds import derive
from core.yamlfile import read_data
from gateway.cli.main import main
from models.chat.author import DRAFT, REPAIR, SYSTEM
from models.chat.prompts import hashes
from models.chat.request import SEEDS
from tests.support.chat_server import Item, broken, chat_server, fenced, refused_key, say, truncated
from tests.support.scenes import MINIMAL, SCENARIO_FILE, data_of, minimal

AGENT = "corner-library"
PROBE = say("ready")
"""The answer to the first request, which only asks whether anybody is there."""


def draft(scenario_id: str = "late-book", **changes: Any) -> dict[str, Any]:
    """A sound draft as a model would send it: without what a program fills in."""
    data: dict[str, Any] = copy.deepcopy(data_of(SCENARIO_FILE))
    for name in ("format", "agent", "language", "script", "difficulty"):
        del data[name]
    for criterion in data["criteria"]:
        for excerpt in criterion.get("excerpts", ()):
            del excerpt["prompt_sha256"]
    return {**data, "id": scenario_id, **changes}


class Author:
    """The command, with a provider that answers as told."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.out = folder / "drafts"
        self._capsys = capsys
        self.bodies: list[dict[str, Any]] = []

    def __call__(self, items: list[Item], *more: str, code: int = EXIT_OK) -> str:
        """What it printed: results, or the error."""
        with chat_server({"writer": items}) as server:
            model = server.party("writer", "attempts=2&timeout=10")
            named = ("--bundle", str(MINIMAL), "--agent", AGENT, "--model", model, "--out", str(self.out))
            assert code == main(("bundle", "author", *named, *more))
            self.bodies = server.bodies("writer")[1:]
        printed = self._capsys.readouterr()
        return printed.out if code == EXIT_OK else printed.err

    @property
    def record(self) -> Generation:
        """What the command wrote about its work."""
        return Generation.model_validate(read_data(self.out / "generation.json"))


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Author:
    """The command with an empty cache."""
    monkeypatch.setenv("RINGBACK_CACHE", str(tmp_path / "cache"))
    return Author(tmp_path, capsys)


def test_a_sound_draft_becomes_a_scenario_of_a_bundle_that_checks_clean(author: Author) -> None:
    """What a program knows is filled in: agent, language, script, difficulty and the prompt's hash."""
    printed = author([PROBE, fenced(draft())], "--scenarios", "1")
    assert "1 of 1 scenarios written, 0 drafts rejected" in printed
    bundle = load_bundle(author.out)
    scenario = bundle.scenarios["late-book"]
    assert (AGENT, "en", "Latn", "easy") == (scenario.agent, scenario.language, scenario.script, scenario.difficulty.value)
    assert minimal().agents[AGENT] == bundle.agents[AGENT]
    assert minimal().templates[AGENT] == bundle.templates[AGENT]
    excerpts = [excerpt for criterion in scenario.criteria for excerpt in criterion.excerpts]
    assert {sha256(bundle.prompt(scenario))} == {excerpt.prompt_sha256 for excerpt in excerpts}


def test_the_model_is_shown_the_full_instructions_and_tools(author: Author) -> None:
    """The whole template word for word, each tool, the language and difficulty asked for, and a JSON Schema for the reply."""
    author([PROBE, say(json.dumps(draft()))], "--scenarios", "1")
    (body,) = author.bodies
    system, user = (message["content"] for message in body["messages"])
    assert minimal().templates[AGENT] in system
    assert [] == [tool.name for tool in minimal().agents[AGENT].tools if f'"{tool.name}"' not in system]
    assert "English (en) in Latin script (Latn). Difficulty: easy." in user
    assert "caller" in body["response_format"]["json_schema"]["schema"]["properties"]
    assert derive(7, AGENT, 1, 0, "author") % SEEDS == body["seed"]


def test_a_faulty_draft_goes_back_with_every_fault_and_is_repaired(author: Author) -> None:
    """The conversation goes on with the draft and its faults; the record keeps what was rejected and why."""
    faulty = draft(goal="", expected=[{"id": "call_it", "tool": "fly"}])
    author([PROBE, truncated(draft()), say(json.dumps(faulty)), say(json.dumps(draft()))], "--scenarios", "1")
    (slot,) = author.record.slots
    broken_json, audited = slot.rejections
    assert ("late-book", 0, 1) == (slot.scenario, broken_json.round, audited.round)
    assert "not valid JSON" in broken_json.reasons[0]
    assert any(reason.startswith("goal: ") for reason in audited.reasons)
    assert any("has no tool 'fly'" in reason for reason in audited.reasons)
    given_back = author.bodies[-1]["messages"]
    assert ["system", "user", "assistant", "user", "assistant", "user"] == [message["role"] for message in given_back]
    assert [] == [reason for reason in audited.reasons if f"- {reason}" not in given_back[-1]["content"]]


def test_a_hopeless_slot_ends_after_its_rounds_and_the_next_goes_on(author: Author) -> None:
    """A first draft and as many repairs as allowed; what was taken stays taken, so that an id is given once."""
    hopeless = say(json.dumps(draft(criteria=[])))
    again = say(json.dumps(draft()))
    items: list[Item] = [PROBE, say(json.dumps(draft())), hopeless, again, say(json.dumps(draft("other-book")))]
    printed = author(items, "--scenarios", "3", "--rounds", "1")
    assert "2 of 3 scenarios written, 2 drafts rejected" in printed
    assert ["late-book", None, "other-book"] == [slot.scenario for slot in author.record.slots]
    reasons = [reason for rejection in author.record.slots[1].rejections for reason in rejection.reasons]
    assert "criteria: none: add what the expected actions cannot say" in reasons
    assert any(reason.startswith("id: 'late-book' is taken") for reason in reasons)
    assert [] == [reason for reason in reasons if reason not in printed]
    assert "Situations that are taken already: late-book (" in author.bodies[1]["messages"][-1]["content"]
    assert ["late-book", "other-book"] == list(load_bundle(author.out).scenarios)


def test_a_draft_that_brings_code_is_rejected(author: Author) -> None:
    """A program of the bundle would have to be written too: the draft goes back, and no bundle is left that cannot be read."""
    coded = draft(backend={"program": "python:desk:Desk", "state": draft()["backend"]["state"]})
    author([PROBE, say(json.dumps(coded)), say(json.dumps(draft()))], "--scenarios", "1")
    (rejection,) = author.record.slots[0].rejections
    assert ["backend.program: a draft comes without code: answer every tool by backend.fixtures"] == list(rejection.reasons)
    assert None is load_bundle(author.out).scenarios["late-book"].backend.program


def test_nothing_is_written_where_every_draft_is_rejected(author: Author) -> None:
    """Exit 2 with the reasons."""
    error = author([PROBE, say("no"), say("never")], "--scenarios", "1", "--rounds", "1", code=EXIT_INPUT)
    assert "all 2 drafts were rejected" in error
    assert not author.out.exists()


def test_a_provider_that_fails_costs_one_slot(author: Author) -> None:
    """Two attempts, then the next scenario; where nothing came of it all, the provider is to blame: exit 3."""
    author([PROBE, broken(), broken(), say(json.dumps(draft()))], "--scenarios", "2")
    lost, written = author.record.slots
    assert (None, "late-book") == (lost.scenario, written.scenario)
    assert "500" in lost.failure


def test_a_provider_that_never_answers_is_an_error_of_infrastructure(author: Author) -> None:
    """Whether from the first request or from the first draft on; nothing is written."""
    assert "no scenario was written" in author([PROBE, broken(), broken()], "--scenarios", "1", code=EXIT_INFRASTRUCTURE)
    assert "check" in author([refused_key()], "--scenarios", "1", code=EXIT_INFRASTRUCTURE)
    assert not author.out.exists()


def test_the_record_holds_all_that_decided_what_was_written(author: Author, monkeypatch: pytest.MonkeyPatch) -> None:
    """Model, settings, prompt hashes, agent hashes, seeds and usage; the bundle's own file points to it; no file holds a key."""
    monkeypatch.setenv("RINGBACK_CHAT_KEY", "sk-planted-5519")
    author([PROBE, say(json.dumps(draft()))], "--scenarios", "1", "--seed", "11")
    record = author.record
    agent, template = minimal().agents[AGENT], minimal().templates[AGENT]
    assert {"agent": content_hash(agent.to_json()), "instructions": sha256(template)} == record.agent_files
    assert hashes(SYSTEM, DRAFT, REPAIR) == record.author.settings["prompts"]
    assert (11, 2, (derive(11, AGENT, 1, 0, "author"),)) == (record.seed, record.rounds, record.slots[0].seeds)
    assert (2, 220) == (record.usage.requests, record.usage.prompt_tokens + record.usage.completion_tokens)
    generation = load_bundle(author.out).file.generation
    assert ("generation.json", record.author.party, 1, 0) == (
        generation["record"], generation["model"], generation["accepted"], generation["rejected_drafts"],
    )  # fmt: skip
    assert [] == [path for path in author.out.rglob("*.*") if b"sk-planted" in path.read_bytes()]


def test_each_language_is_written_in_itself(author: Author) -> None:
    """Languages take turns; a draft for Hindi in Latin letters is rejected with the share of letters that are not."""
    english = say(json.dumps(draft("english-book")))
    printed = author([PROBE, english, english], "--scenarios", "2", "--languages", "hi,en", "--rounds", "0")
    hindi, written = author.record.slots
    assert (("hi", None), ("en", "english-book")) == ((hindi.language, hindi.scenario), (written.language, written.scenario))
    assert "are in the script Deva: write all of the brief, the plan and the lines in 'hi' itself" in printed


def test_slots_take_languages_and_difficulties_in_turn() -> None:
    """Every language gets every difficulty before one comes again."""
    slots = plan_slots(6, ["hi", "en"])
    expected = [("hi", "easy"), ("en", "easy"), ("hi", "medium"), ("en", "medium"), ("hi", "hard"), ("en", "hard")]
    assert expected == [(slot.language, slot.difficulty.value) for slot in slots]
    with pytest.raises(UsageError, match="'tlh'"):
        plan_slots(1, ["tlh"])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda named: named.update({"--agent": "nobody"}), "no agent 'nobody'"),
        (lambda named: named.update({"--model": "offline:baseline"}), "no author 'offline:baseline'"),
        (lambda named: named.update({"--languages": "tlh"}), "no voice speaks tlh"),
        (lambda named: named.update({"--languages": ","}), "--languages names none"),
        (lambda named: named.update({"--out": "My Drafts"}), "'My Drafts' cannot name a bundle"),
    ],
)
def test_what_cannot_be_followed_is_refused_before_any_request(
    author: Author, capsys: pytest.CaptureFixture[str], change: Callable[[dict[str, str]], None], reason: str
) -> None:
    """Exit 2 in one line, and nobody was asked."""
    with chat_server({"writer": []}) as server:
        named = {"--bundle": str(MINIMAL), "--agent": AGENT, "--model": server.party("writer"), "--out": str(author.out)}
        change(named)
        assert EXIT_INPUT == main(("bundle", "author", *(word for pair in named.items() for word in pair)))
        assert [] == server.bodies()
    assert reason in capsys.readouterr().err


def test_an_agent_of_no_bundle_is_read_from_its_folder(author: Author, capsys: pytest.CaptureFixture[str]) -> None:
    """Its agent.yaml and instructions are enough."""
    with chat_server({"writer": [PROBE, say(json.dumps(draft()))]}) as server:
        folder = str(MINIMAL / "agents" / AGENT)
        options = ("--model", server.party("writer"), "--out", str(author.out), "--scenarios", "1", "--json")
        assert EXIT_OK == main(("bundle", "author", "--agent", folder, *options))
    assert author.record.to_json() == json.loads(capsys.readouterr().out)
    assert isinstance(author.record.slots[0], Slot)
    assert ["late-book"] == list(load_bundle(author.out).scenarios)
