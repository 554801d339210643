"""SPEC 2, audits at load: every fault of every file, each at its file and field path, all in one error."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from core.bundle import load_bundle
from core.errors import EXIT_INPUT, BundleError, Fault
from gateway.cli.main import main
from tests.support.scenes import AGENT_FILE, NOISY_FILE, SCENARIO_FILE, Edit, change, copy_minimal, put


class Planted(NamedTuple):
    """One fault: what is changed in which file, where it is reported and what is said."""

    file: str
    edit: Edit
    field: str
    reason: str


def _without(path: str) -> Edit:
    parent, _, last = path.rpartition(".")

    def edit(data: Any) -> None:
        for part in parent.split("."):
            data = data[int(part) if part.isdecimal() else part]
        del data[last]

    return edit


CARD_ARGS = "backend.fixtures.find_card.queue"
TWELVE = {
    "unknown field": Planted(SCENARIO_FILE, put("caller.voice.loudness", "soft"), "caller.voice.loudness", "unknown field"),
    "dangling reference": Planted(
        SCENARIO_FILE, put(f"{CARD_ARGS}.0.args.card_number.equals", "$caller.facts.cart_number"),
        "backend.fixtures.find_card.queue[0].args.card_number", "'$caller.facts.cart_number' names no known fact",
    ),
    "matcher type against the tool's schema": Planted(
        SCENARIO_FILE, put("backend.fixtures.renew_loan.queue.0.args.weeks", {"regex": "3|three"}),
        "backend.fixtures.renew_loan.queue[0].args.weeks", "a regex needs text, but the tool's schema says integer",
    ),
    "call-ending tool without success": Planted(
        AGENT_FILE, _without("tools.2.success"), "tools[2]", "'end_call' ends the call but declares no success condition",
    ),
    "excerpt not in the rendered prompt": Planted(
        SCENARIO_FILE, put("criteria.0.excerpts.0.text", "Ask for the card twice."), "criteria[0].excerpts[0].text",
        "not in the rendered prompt: 'Ask for the card twice.'",
    ),
    "wrong prompt hash": Planted(
        SCENARIO_FILE, put("criteria.0.excerpts.0.prompt_sha256", "0" * 64), "criteria[0].excerpts[0].prompt_sha256",
        "the rendered prompt's hash is ",
    ),
    "cyclic action order": Planted(
        SCENARIO_FILE, put("expected.0.after", ["hang_up"]), "expected",
        "the order of actions goes in a circle: look_up after hang_up after renew_it after look_up",
    ),
    "unknown tool in an action": Planted(
        SCENARIO_FILE, put("expected.2.tool", "hang_up_now"), "expected[2].tool",
        "agent 'corner-library' has no tool 'hang_up_now'; tools: find_card, renew_loan, end_call",
    ),
    "hidden-state value in the brief": Planted(
        SCENARIO_FILE, put("caller.context", "You want the book from shelf kx-7714 for longer."), "caller.context",
        "'KX-7714' (backend state) is in the caller's brief but is no known fact",
    ),
    "fixture no argument can match": Planted(
        SCENARIO_FILE, put(f"{CARD_ARGS}.1.args.card_number", {"all": [{"equals": "1"}, {"equals": "2"}]}),
        "backend.fixtures.find_card.queue[1].args.card_number", "no argument can match",
    ),
    "importance 9": Planted(
        SCENARIO_FILE, put("expected.1.importance", 9), "expected[1].importance",
        "input should be less than or equal to 3, found 9",
    ),
    "script that contradicts the language": Planted(
        SCENARIO_FILE, put("script", "Deva"), "script", "'Deva' contradicts language 'en', written in Latn",
    ),
}  # fmt: skip


def _faults(root: Path, **options: Any) -> tuple[Fault, ...]:
    with pytest.raises(BundleError) as caught:
        load_bundle(root, **options)
    return caught.value.faults


def _plant(folder: Path, *faults: Planted) -> Path:
    root = copy_minimal(folder)
    for fault in faults:
        change(root / fault.file, fault.edit)
    return root


def _assert_found(planted: list[Planted], faults: tuple[Fault, ...]) -> None:
    assert sorted((fault.file, fault.field) for fault in planted) == [(fault.file, fault.field) for fault in faults]
    for fault in planted:
        (found,) = [item for item in faults if (item.file, item.field) == (fault.file, fault.field)]
        assert fault.reason in found.reason


@pytest.mark.parametrize("name", TWELVE)
def test_each_fault_alone_is_reported_at_its_place_and_nothing_else(tmp_path: Path, name: str) -> None:
    """One planted fault gives one fault: file, field path and what to do."""
    _assert_found([TWELVE[name]], _faults(_plant(tmp_path, TWELVE[name])))


def test_all_twelve_are_reported_at_once(tmp_path: Path) -> None:
    """Faults of one kind hide none of another kind, nor does a file's schema hide its audits."""
    _assert_found(list(TWELVE.values()), _faults(_plant(tmp_path, *TWELVE.values())))


def test_bundle_check_prints_all_twelve_in_one_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command line prints each with file and field, and exits 2."""
    root = _plant(tmp_path, *TWELVE.values())
    assert EXIT_INPUT == main(["bundle", "check", str(root)])
    printed = capsys.readouterr().err
    assert f"bundle {root} has 12 faults:" in printed
    assert 12 == printed.count("\n  ")
    for fault in TWELVE.values():
        assert f"  {fault.file}: {fault.field}: " in printed
        assert fault.reason in printed
    assert "Traceback" not in printed


def test_a_faulty_bundle_is_not_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Validation comes before any scoring: `run` says the same as the check, exits 2 and makes no folder."""
    root = _plant(tmp_path, TWELVE["wrong prompt hash"])
    assert EXIT_INPUT == main(["run", str(root), "--out", str(tmp_path / "run")])
    assert TWELVE["wrong prompt hash"].reason in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_sound_bundle_passes_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    """The bundle the faults are planted in has none itself."""
    from tests.support.scenes import MINIMAL

    assert 0 == main(["bundle", "check", str(MINIMAL)])
    assert "1 agents, 2 scenarios, no faults" in capsys.readouterr().out


# -- the reading after a fault ------------------------------------------------------------------------------------------------

OTHER_FAULTS: dict[str, Planted] = {
    "missing in a list": Planted(SCENARIO_FILE, _without("caller.plan.1.meaning"), "caller.plan[1].meaning", "is missing"),
    "an anchor that nobody wrote": Planted(
        SCENARIO_FILE, _without("criteria.0.anchors.partial"), "criteria[0].anchors.partial", "is missing",
    ),
    "wrong word": Planted(SCENARIO_FILE, put("difficulty", "extreme"), "difficulty", "'easy', 'medium' or 'hard', found 'ext"),
    "wrong type": Planted(SCENARIO_FILE, put("goal", 5), "goal", "input should be a valid string, found 5"),
    "wrong form": Planted(SCENARIO_FILE, put("caller.now", "yesterday"), "caller.now", "string should match pattern"),
    "no such day": Planted(SCENARIO_FILE, put("caller.now", "2026-02-30T10:00"), "caller.now", "day"),
    "unknown matcher": Planted(SCENARIO_FILE, put("expected.1.args.weeks", {"like": 3}), "expected[1].args.weeks", "exactly one"),
    "wrong comparison": Planted(
        SCENARIO_FILE, put("expected.0.args.card_number.compare", "sound"), "expected[0].args.card_number.compare", "'digits'",
    ),
    "inside a check": Planted(
        SCENARIO_FILE, put("criteria.0.check.met.said.role", "robot"), "criteria[0].check.met.said.role", "'agent' or 'caller'",
    ),
    "an empty range": Planted(
        SCENARIO_FILE, put("expected.1.args.weeks", {"range": {}}), "expected[1].args.weeks.range", "a range needs min or max",
    ),
    "a plain key": Planted(
        SCENARIO_FILE, put("caller.facts.title", {"value": "x"}), "caller.facts.title", "'title' could be said by accident",
    ),
    "a plain step id": Planted(NOISY_FILE, put("caller.plan.1.id", "greet"), "caller.plan[1].id", "'greet' could be said by"),
    "a bad key": Planted(SCENARIO_FILE, put("caller.facts.The Title", {"value": "x"}), "caller.facts.The Title", "match pattern"),
    "several types": Planted(
        SCENARIO_FILE, put("caller.facts.book_title.value", [1]), "caller.facts.book_title.value", "string or input should be",
    ),
    "an action id twice": Planted(SCENARIO_FILE, put("expected.2.id", "look_up"), "expected[2].id", "taken by expected[0].id"),
    "a criterion id twice": Planted(SCENARIO_FILE, put("criteria.1.id", "card_first"), "criteria[1].id", "by criteria[0].id"),
    "a step id twice": Planted(
        NOISY_FILE, put("caller.plan.0.id", "give_card"), "caller.plan[1].id", "'give_card' is taken by caller.plan[0].id",
    ),
    "an event id twice": Planted(
        NOISY_FILE, put("channel.asr_events.1.id", "card_lost"), "channel.asr_events[1].id", "taken by channel.asr_events[0].id",
    ),
    "a rating of the task": Planted(SCENARIO_FILE, put("ratings", {"rules": {}}), "ratings.rules", "not 'rules'"),
    "rules without excerpt": Planted(SCENARIO_FILE, put("criteria.0.excerpts", []), "criteria[0].excerpts", "needs an excerpt"),
    "an action of talk": Planted(
        SCENARIO_FILE, put("expected.1.diagnostic", "closing"), "expected[1].diagnostic", "a task diagnostic, not 'closing'",
    ),
    "a bad place": Planted(
        NOISY_FILE, put("channel.splits.0.at", {"turn": 1, "step": "ask_card"}), "channel.splits[0].at", "either `turn: <n>` or",
    ),
    "with on a drop": Planted(NOISY_FILE, put("channel.asr_events.0.with", "x"), "channel.asr_events[0]", "to, a `substitute`"),
    "seeded with events": Planted(NOISY_FILE, put("channel.seeded_word", True), "channel.seeded_word", "only for scenarios"),
    "three splits": Planted(
        NOISY_FILE, put("channel.splits", [{"at": {"turn": 1}, "after": word} for word in ("a", "b", "c")]), "channel.splits[2]",
        "at most two splits at one place",
    ),
    "a tool twice": Planted(AGENT_FILE, put("tools.1.name", "find_card"), "tools[1].name", "is taken by tools[0].name"),
    "a version": Planted("bundle.yaml", put("version", "one"), "version", "string should match pattern"),
    "a format": Planted("bundle.yaml", put("format", "ringback-bundle-9"), "format", "'ringback-bundle-1'"),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER_FAULTS)
def test_a_fault_of_the_schema_does_not_hide_the_audits(tmp_path: Path, name: str) -> None:
    """Behind every fault of form, the twelve's audits of other parts of the same file are still made."""
    fault = OTHER_FAULTS[name]
    audit = Planted(
        SCENARIO_FILE, put("variables", {"today": "Tuesday", "mood": "calm"}), "variables", "'mood' is no variable of agent"
    )
    root = _plant(tmp_path, fault, audit)
    found = [(item.file, item.field) for item in _faults(root)]
    assert (audit.file, audit.field) in found
    assert (fault.file, fault.field) in found
    (reported,) = [item.reason for item in _faults(root) if (item.file, item.field) == (fault.file, fault.field)]
    assert fault.reason in reported


# A renamed step, action or tool rightly leaves dangling what referred to it.
QUIET = [
    name for name in OTHER_FAULTS if name not in {"a step id twice", "a plain step id", "a tool twice", "an action id twice"}
]


@pytest.mark.parametrize("name", QUIET)
def test_a_fault_of_the_schema_is_reported_once_without_echoes(tmp_path: Path, name: str) -> None:
    """What stands in for a faulty part gives rise to no fault of its own."""
    _assert_found([OTHER_FAULTS[name]], _faults(_plant(tmp_path, OTHER_FAULTS[name])))


def test_places_behind_a_removed_list_item_keep_their_numbers(tmp_path: Path) -> None:
    """A broken first action does not move the path of a fault in the third."""
    root = _plant(
        tmp_path,
        Planted(SCENARIO_FILE, put("expected.0", "look it up"), "", ""),
        Planted(SCENARIO_FILE, put("expected.1", ["renew"]), "", ""),
        TWELVE["unknown tool in an action"],
    )
    found = [(item.file, item.field) for item in _faults(root)]
    assert {"expected[0]", "expected[1]", "expected[2].tool"} <= {field for _, field in found}


def test_an_argument_may_be_named_like_a_matcher(tmp_path: Path) -> None:
    """Field paths stay right where a parameter is called `language` or `range`."""

    def rename(data: Any) -> None:
        data["tools"][1]["parameters"]["properties"] |= {"language": {"type": "string"}, "range": {"type": "integer"}}

    def match(data: Any) -> None:
        data["expected"][1]["args"] = {"language": {"equals": "en", "compare": "sound"}, "range": {"range": {"min": 3, "max": 1}}}

    root = copy_minimal(tmp_path, agent=(AGENT_FILE, rename), scenario=(SCENARIO_FILE, match))
    assert ["expected[1].args.language.compare", "expected[1].args.range.range"] == [item.field for item in _faults(root)]


# -- files and folders -----------------------------------------------------------------------------------------------------------


def _move(old: str, new: str) -> Callable[[Path], None]:
    def apply(root: Path) -> None:
        (root / new).parent.mkdir(parents=True, exist_ok=True)
        (root / old).rename(root / new)

    return apply


def _write(file: str, text: str) -> Callable[[Path], None]:
    def apply(root: Path) -> None:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text, encoding="utf-8")

    return apply


def _edit(file: str, path: str, value: Any) -> Callable[[Path], None]:
    return lambda root: change(root / file, put(path, value))


@pytest.mark.parametrize(
    ("spoil", "file", "field", "reason"),
    [
        (_edit("bundle.yaml", "id", "minimum"), "bundle.yaml", "id", "'minimum' differs from the folder's name 'minimal'"),
        (_edit("bundle.yaml", "demo", ["renew-loan", "renew"]), "bundle.yaml", "demo[1]", "no scenario 'renew'"),
        (_edit("bundle.yaml", "languages", ["hi"]), SCENARIO_FILE, "language", "'en' is not among the bundle's languages ['hi']"),
        (_edit(AGENT_FILE, "id", "corner"), AGENT_FILE, "id", "'corner' differs from the folder's name 'corner-library'"),
        (_edit(AGENT_FILE, "instructions", "orders.md"), AGENT_FILE, "instructions", "'orders.md' is not a readable text file"),
        (_edit(AGENT_FILE, "instructions", "../../bundle.yaml"), AGENT_FILE, "instructions", "'../../bundle.yaml' is"),
        (_write("agents/corner-library/agent.json", "{}"), "agents/corner-library", "", "agent.yaml, agent.json in this folder"),
        (_write("agents/empty/notes.md", "-"), "agents/empty", "", "no agent.yaml in this folder"),
        (_edit(SCENARIO_FILE, "id", "renew"), SCENARIO_FILE, "id", "'renew' differs from the file's name 'renew-loan'"),
        (_edit(SCENARIO_FILE, "agent", "city"), SCENARIO_FILE, "agent", "no agent 'city'; agents: corner-library"),
        (_write(SCENARIO_FILE, "id: [x"), SCENARIO_FILE, "", "not valid YAML at line 2"),
        (_write(SCENARIO_FILE, ""), SCENARIO_FILE, "", "valid dictionary"),
        (_write("bundle.yaml", "- a list"), "bundle.yaml", "", "valid dictionary"),
        (lambda root: (root / "scenarios" / "more").symlink_to(root.parent), "scenarios/more", "", "a bundle holds no links"),
        (lambda root: (root / "agents" / "orders.md").symlink_to(root / AGENT_FILE), "agents/orders.md", "", "a bundle holds no"),
        (lambda root: os.mkfifo(root / "scenarios" / "pipe.yaml"), "scenarios/pipe.yaml", "", "neither a file nor a folder"),
    ],
)  # fmt: skip
def test_faults_of_files_and_folders(tmp_path: Path, spoil: Callable[[Path], None], file: str, field: str, reason: str) -> None:
    """Names, folders and unreadable files are faults like any other: collected, with the file they concern."""
    root = copy_minimal(tmp_path)
    spoil(root)
    found = [item.reason for item in _faults(root) if (item.file, item.field) == (file, field)]
    assert any(reason in text for text in found), found


def test_a_scenario_id_is_unique_in_the_bundle(tmp_path: Path) -> None:
    """The same id under two agents is a fault of the second file, which names the first."""
    root = copy_minimal(tmp_path)
    _write("agents/city-library/agent.yaml", (root / AGENT_FILE).read_text())(root)
    _write("agents/city-library/instructions.md", (root / "agents/corner-library/instructions.md").read_text())(root)
    _edit("agents/city-library/agent.yaml", "id", "city-library")(root)
    _write("scenarios/city-library/renew-loan.yaml", (root / SCENARIO_FILE).read_text())(root)
    _edit("scenarios/city-library/renew-loan.yaml", "agent", "city-library")(root)
    (fault,) = _faults(root)
    assert (SCENARIO_FILE, "id") == (fault.file, fault.field)
    assert "'renew-loan' is also the id of scenarios/city-library/renew-loan.yaml" == fault.reason


@pytest.mark.parametrize("bad", ["Renew", "renew--loan", "renew_loan", "-renew", "renew ", ""])
def test_a_scenario_id_is_lower_case_words_with_single_hyphens(tmp_path: Path, bad: str) -> None:
    """`--` separates the parts of a case's folder name, so no id may hold it."""
    root = copy_minimal(tmp_path, spoil=(SCENARIO_FILE, put("id", bad)))
    assert [(SCENARIO_FILE, "id")] == sorted({(item.file, item.field) for item in _faults(root)} - {("bundle.yaml", "demo[0]")})


def test_a_language_without_a_voice_is_a_fault_where_calls_are_spoken(tmp_path: Path) -> None:
    """The loader is told which languages voices exist for; without spoken lines it does not ask."""
    root = copy_minimal(tmp_path)
    assert 2 == len(load_bundle(root).scenarios)
    assert 2 == len(load_bundle(root, spoken={"en"}).scenarios)
    faults = _faults(root, spoken={"de", "hi"})
    assert [(NOISY_FILE, "language"), (SCENARIO_FILE, "language")] == [(item.file, item.field) for item in faults]
    assert {"no voice speaks 'en'; voices exist for de, hi"} == {item.reason for item in faults}


def test_faults_are_sorted_and_each_is_one_line(tmp_path: Path) -> None:
    """The message of the error lists `file: field: reason`, one per line, in a fixed order."""
    root = _plant(tmp_path, *TWELVE.values())
    with pytest.raises(BundleError) as caught:
        load_bundle(root)
    head, *lines = str(caught.value).splitlines()
    assert f"bundle {root} has 12 faults:" == head
    assert [f"  {fault}" for fault in sorted(caught.value.faults)] == lines
