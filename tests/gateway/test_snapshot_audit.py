"""`ringback snapshot audit` and `import`: tables, JSON, exit codes, and one line for everything that cannot be read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from core.errors import EXIT_GATE, EXIT_INPUT, EXIT_OK
from core.schemas.audits import MonthAudit, Verdict
from core.schemas.imported_calls import CallImportReport
from core.schemas.snapshots import Label, SnapshotCall
from core.schemas.trees import BuildConfig
from core.snapshots.building.build import build_calls
from core.snapshots.building.library import load_cases
from core.snapshots.importing.collecting import read_calls
from core.yamlfile import read_data
from models.snapshots.offline import offline_agents
from tests.support.shell import Shell
from tests.support.text_months import change_month, text_build, text_month

TURNS = [{"role": "assistant", "text": "您好，这里是订餐台。"}, {"role": "user", "text": "我想订一份炒饭。"}]


def _calls(language: str, trees: int, each: int) -> list[SnapshotCall]:
    """So many calls of each label from each of so many trees, by the offline agents."""
    library = load_cases(language)
    config = BuildConfig(namespace="2026-11-test", seed=7, language=language, trees=trees)
    made = []
    for built in build_calls(config, library, offline_agents(library), ()):
        for label in Label:
            made += [call for call in built.calls if call.label == label][:each]
    return made


def _array(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    return path


def _row(name: str, fraud: bool, place: int = 0) -> dict[str, object]:
    turns = [{**TURNS[0], "text": f"您好，第{place}台。" + ("请转账。" if fraud else "")}, TURNS[1]]
    return {"sample_id": f"taf2_{name}", "is_fraud": fraud, "tree_id": f"tree_{place}", "turns": turns}


@pytest.fixture(scope="module")
def calls() -> list[SnapshotCall]:
    """Sixteen Chinese calls of eight trees."""
    return _calls("zh", 8, 1)


@pytest.mark.slow
def test_a_small_month_is_audited_with_every_tier_and_set_of_words(
    tmp_path: Path, shell: Shell, calls: list[SnapshotCall]
) -> None:
    """A build with transcripts, and imported calls: three tiers, four rows of separability, no leak, exit 0 (checks 54 to 59)."""
    heard = {call.sample_id: "".join(turn.text for turn in call.turns) for call in calls}
    build = text_build(tmp_path / "build", calls, heard)
    rows = [_row(f"{fraud}_{place}", fraud, place) for place in range(12) for fraud in (True, False)]
    assert EXIT_OK == shell("snapshot", "import", str(_array(tmp_path / "rows.json", *rows)), "--out", "outside")
    assert "24 rows in, 24 calls out: 12 FRAUD, 12 NONFRAUD" in shell.words
    arguments = ("snapshot", "audit", str(build), "--ordinary", "outside/calls.jsonl", "--json", "audit.json")
    assert EXIT_OK == shell(*arguments), shell.words
    found = MonthAudit.model_validate(read_data(Path("audit.json")))
    assert (None, "2026-11-test") == (found.root_sha256, found.snapshot_id)
    assert ("nothing on voices, neither a probe nor what they say of the label: this month's calls have none",) == found.notes
    assert found.report.oracle is not None
    assert 1.0 == found.report.oracle.macro_f1
    probes = {probe.name for probe in found.report.probes}
    assert {"whole", "caller", "receiver", "evidence", "opening", "first-turn", "length", "delivery", "metadata"} == probes
    assert found.difficulty is not None
    tiers = {tier.name: [score.learner for score in tier.scores] for tier in found.difficulty.tiers}
    assert {name: ["tfidf-lr", "tfidf-svm", "frozen-encoder"] for name in ("unrelated", "ordinary", "siblings")} == tiers
    assert ["words as written", "transcripts", "transcripts", "calls of taf2"] == [row.name for row in found.separability]
    assert [] == [check.name for check in found.checks if check.verdict == Verdict.BROKEN]
    assert "0 BROKEN" in shell.words
    assert "2026-11-test (a build, not frozen): 16 calls of 8 trees: 8 FRAUD, 8 NONFRAUD" in shell.words


@pytest.mark.slow
def test_a_planted_leak_exits_1_and_is_named(tmp_path: Path, shell: Shell) -> None:
    """First turns that name the label: both side doors that see them are broken; JSON alone is printed."""
    planted = [
        call.model_copy(
            update={"turns": (call.turns[0].model_copy(update={"text": f"It is {call.label.value}."}), *call.turns[1:])}
        )
        for call in _calls("en", 12, 1)
    ]
    assert EXIT_GATE == shell("snapshot", "audit", str(text_month(tmp_path / "month", planted)), "--json")
    found = MonthAudit.model_validate(json.loads(shell.words))
    broken = {check.name.split(",")[0] for check in found.checks if check.verdict == Verdict.BROKEN}
    assert {"opening", "first-turn"} <= broken
    assert found.root_sha256 is not None
    assert found.difficulty is None
    assert "no unrelated tier: there are no everyday dialogues in 'en'" in found.notes


def test_what_cannot_be_audited_is_one_line(tmp_path: Path, shell: Shell, calls: list[SnapshotCall]) -> None:
    """No month, an unfinished build, too few trees, and files of ordinary calls that are none: exit 2, nothing half done."""
    few = str(text_month(tmp_path / "few", calls[:6]))
    unfinished = text_build(tmp_path / "unfinished", calls)
    (unfinished / "candidates.jsonl").unlink()
    damaged = text_build(tmp_path / "damaged", calls, {calls[0].sample_id: "喂"})
    (damaged / "heard" / f"{calls[0].sample_id}.json").write_text("{}")
    Path("none.jsonl").write_text("")
    Path("bad.jsonl").write_text('{"sample_id": "x"}\n')
    shell("snapshot", "import", str(_array(tmp_path / "rows.json", _row("one", False))), "--out", "outside")
    english = _row("two", False) | {"turns": [{"role": "user", "text": "Hello"}, {"role": "assistant", "text": "Lamp desk"}]}
    shell("snapshot", "import", str(_array(tmp_path / "english.json", english)), "--out", "english")
    refused: dict[tuple[str, ...], str] = {
        ("nowhere",): "'nowhere': no frozen month here",
        (str(unfinished),): "this build is not finished",
        (str(damaged),): f"{calls[0].sample_id}.json: ",
        (few,): "2026-11-test: these 6 calls cannot be audited: 3 trees or groups cannot be split into 5 parts",
        (few, "--ordinary", "gone.jsonl"): "gone.jsonl: no imported calls here",
        (few, "--ordinary", "none.jsonl"): "none.jsonl: no imported call is in it",
        (few, "--ordinary", "bad.jsonl"): "bad.jsonl, line 1: no imported call",
        (few, "--ordinary", "outside", "--ordinary", "outside/calls.jsonl"): "was read before: name each file once",
        (few, "--ordinary", "english"): "an ordinary call in 'en', and 2026-11-test is in 'zh'",
    }
    for arguments, words in refused.items():
        assert EXIT_INPUT == shell("snapshot", "audit", *arguments)
        assert words in shell.err
        assert 1 == shell.err.count("\n")


@pytest.mark.parametrize("name", ["manifest.jsonl", "recipe.json", "SNAPSHOT.json", "SHA256SUMS"])
def test_a_month_that_was_changed_is_not_audited(tmp_path: Path, shell: Shell, calls: list[SnapshotCall], name: str) -> None:
    """A row, recipe, head or hash says something else than was frozen: no audit that names the frozen root hash."""
    change_month(text_month(tmp_path / "month", calls), name)
    assert EXIT_INPUT == shell("snapshot", "audit", str(tmp_path / "month"), "--json", "audit.json")
    assert "changed since the freeze: see `ringback snapshot verify`" in shell.err
    assert 1 == shell.err.count("\n")
    assert not Path("audit.json").exists()


def test_an_array_is_imported_whole_and_counted(tmp_path: Path, shell: Shell) -> None:
    """Rows in are calls out and rows left out; the same as JSON; a folder that is there is never touched (check 39)."""
    source = _array(
        tmp_path / "rows.txt", _row("one", True), _row("two", False, 1), {**_row("three", False, 2), "label": "FRAUD"}
    )
    assert EXIT_OK == shell("snapshot", "import", str(source), "--out", "outside")
    assert "left out: 1 labels_disagree 3 rows in, 2 calls out: 1 FRAUD, 1 NONFRAUD" in shell.words
    assert ["calls.jsonl", "import-report.json"] == sorted(path.name for path in Path("outside").iterdir())
    assert 2 == len(read_calls(Path("outside")))
    before = (Path("outside") / "calls.jsonl").read_bytes()
    assert EXIT_INPUT == shell("snapshot", "import", str(source), "--out", "outside")
    assert "outside: is there already" in shell.err
    assert before == (Path("outside") / "calls.jsonl").read_bytes()
    assert EXIT_OK == shell("snapshot", "import", str(source), "--out", "again", "--json")
    assert {"labels_disagree": 1} == CallImportReport.model_validate(json.loads(shell.words)).dropped


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("gone.json", None, "no file or folder here"),
        ("empty.json", b"", r"begins with b'': a JSON array of dialogues, or a folder or tar archive"),
        ("words.tar.xz", b"just words", "begins with b'just words'"),
        ("object.json", b"\xef\xbb\xbf {}", "an array of dialogues is expected"),
        ("torn.json", b"[{", "not a JSON file"),
        ("none.json", b"[]", "the array is empty"),
        ("folder", b"", "no file is named fraud_dialogues"),
    ],
)
def test_a_source_that_is_none_is_one_line(shell: Shell, name: str, content: bytes | None, words: str) -> None:
    """What is read is found by content, not by name; nothing is left behind."""
    path = Path(name)
    if name == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    assert EXIT_INPUT == shell("snapshot", "import", name, "--out", "outside")
    assert words in shell.err
    assert 1 == shell.err.count("\n")
    assert not Path("outside").exists()


@pytest.mark.data
def test_the_text_release_is_imported_with_its_documented_counts(shell: Shell) -> None:
    """The part at hand: 5,295 rows in, 4,770 calls out; the counts of `docs/snapshot-audits.md` (check 39)."""
    archive = Path(os.environ["RINGBACK_TEST_DATA"]) / "teleantifraud-28k-text.tar.xz"
    assert EXIT_OK == shell("snapshot", "import", str(archive), "--out", "outside")
    assert "5295 rows in, 4770 calls out: 3326 FRAUD, 1444 NONFRAUD source taf28k, licence Apache-2.0" in shell.words
    assert "left out: 328 bracketed_remark" in shell.words
    assert 4770 == len(read_calls(Path("outside")))
