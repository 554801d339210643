"""A finished build becomes a month whole, read-only and under one root hash, or stays a build and every reason is told."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from core.errors import BusyError, FileError, InputError, UsageError
from core.runs.store import sole_worker
from core.schemas.base import canonical_json
from core.schemas.months import Sameness
from core.schemas.snapshots import AgentReply, CallVoices, ManifestRow, SnapshotCall, SnapshotHead
from core.schemas.trees import BuiltTree, RejectCode, Rejected
from core.snapshots.building.ids import normalised
from core.snapshots.building.labelling import facts_of
from core.snapshots.freezing import layout
from core.snapshots.freezing.freeze import freeze
from core.snapshots.freezing.reading import (
    find_snapshot,
    read_build,
    read_file,
    read_lines,
    read_snapshot,
    read_transcripts,
    refuse_frozen,
)
from core.snapshots.freezing.verify import verify
from models.snapshots.offline import offline_agents
from tests.core.snapshot_months import GENERATOR, LIBRARY, NOW, make_build, wav, write_rows


def _freeze(build: Path, out: Path, now: str = NOW) -> SnapshotHead:
    return freeze(build, out, now, GENERATOR)


def _rows(build: Path) -> list[ManifestRow]:
    return list(read_lines(build / layout.CANDIDATES, ManifestRow))


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _left(parent: Path) -> list[str]:
    return sorted(path.name for path in parent.iterdir())


def test_a_month_holds_its_contract_and_nothing_that_hints(tmp_path: Path) -> None:
    """Counts are the contract's; paths are relative and hold hashes alone; rows are shuffled by ids, which know no label."""
    build = make_build(tmp_path / "build")
    head = _freeze(build, tmp_path / "months" / "a")
    month = read_snapshot(tmp_path / "months" / "a")
    assert {"FRAUD": 4, "NONFRAUD": 2} == {label.value: count for label, count in head.counts.items()}
    assert head == month.head
    names = [row.audio.path for row in month.rows if row.audio]
    assert [f"audio/{row.call.sample_id}.wav" for row in month.rows] == names
    for name in _files(month.root):
        assert "fraud" not in name.lower()
        assert not name.startswith("/")
    flipped = [row.call.sample_id for row in month.rows]
    assert sorted(flipped) != flipped
    assert [row.call.sample_id for row in _rows(build)] != flipped
    assert set(flipped) == set(read_transcripts(month.root))


def test_sums_are_read_by_sha256sum_and_the_root_follows_from_them(tmp_path: Path) -> None:
    """`sha256sum -c` passes, every file but the head has a line, and the root is what the docs say it is."""
    head = _freeze(make_build(tmp_path / "build"), tmp_path / "a")
    done = subprocess.run(["sha256sum", "-c", "--quiet", layout.SUMS], cwd=tmp_path / "a", check=False, capture_output=True)
    assert (0, b"") == (done.returncode, done.stdout)
    lines = (tmp_path / "a" / layout.SUMS).read_text(encoding="utf-8").splitlines()
    listed = {line.split("  ", 1)[1] for line in lines}
    assert set(_files(tmp_path / "a")) == listed | {layout.SUMS, layout.HEAD}
    said = json.loads((tmp_path / "a" / layout.HEAD).read_text(encoding="utf-8"))
    told = {name: value for name, value in said.items() if name not in ("created_at", "root_sha256")}
    digest = hashlib.sha256(json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    text = "".join(f"{line}\n" for line in sorted([*lines, f"{digest}  {layout.HEAD}"]))
    assert hashlib.sha256(text.encode()).hexdigest() == head.root_sha256


def test_only_the_time_depends_on_the_clock(tmp_path: Path) -> None:
    """The same build frozen at another time differs in `created_at` alone."""
    first = _freeze(make_build(tmp_path / "one"), tmp_path / "a" / "month")
    second = _freeze(make_build(tmp_path / "two"), tmp_path / "b" / "month", "2031-01-01T00:00:00+00:00")
    assert first.root_sha256 == second.root_sha256
    one, two = _files(tmp_path / "a" / "month"), _files(tmp_path / "b" / "month")
    assert [layout.HEAD] == [name for name in one if one[name] != two[name]]


def test_another_seed_shares_no_id(tmp_path: Path) -> None:
    """Sample ids and tree ids of another seed, and of another name, are all others."""
    months = []
    for name, seed in (("2026-11-en-test", 1), ("2026-11-en-test", 2), ("2026-12-en-test", 1)):
        build = make_build(tmp_path / f"{name}-{seed}", name=name, seed=seed, audio=False)
        months.append({key for row in _rows(build) for key in (row.call.sample_id, row.call.tree_id)})
    for place, one in enumerate(months):
        for other in months[place + 1 :]:
            assert set() == one & other


def test_a_frozen_month_is_read_only(tmp_path: Path) -> None:
    """No file and no folder may be written, and the build's files are as fixed as the month's."""
    build = make_build(tmp_path / "build")
    _freeze(build, tmp_path / "a")
    for path in (tmp_path / "a", *(tmp_path / "a").rglob("*")):
        assert 0 == path.stat().st_mode & 0o222, path
    assert all(path.stat().st_mode & 0o222 == 0 for path in build.rglob("*") if path.is_file() and path.name != layout.FROZEN)
    with pytest.raises(UsageError, match=r"frozen as '2026-11-en-test' .* never changed again: to amend it"):
        refuse_frozen(build)


def test_a_second_freeze_is_refused_wherever_it_is_tried(tmp_path: Path) -> None:
    """The same folder, the same name beside it, the same build elsewhere: all refused, and nothing is changed or left behind."""
    build = make_build(tmp_path / "build")
    _freeze(build, tmp_path / "months" / "a")
    before = _files(tmp_path / "months")
    again = make_build(tmp_path / "again")
    with pytest.raises(UsageError, match="something is here already"):
        _freeze(make_build(tmp_path / "another", seed=2), tmp_path / "months" / "a")
    with pytest.raises(UsageError, match=r"a month named '2026-11-en-test' is frozen here.*--parent"):
        _freeze(again, tmp_path / "months" / "b")
    with pytest.raises(UsageError, match="never changed again"):
        _freeze(build, tmp_path / "elsewhere" / "a")
    assert before == _files(tmp_path / "months")
    assert ["a"] == _left(tmp_path / "months")


def test_an_amended_month_has_another_name_and_a_parent(tmp_path: Path) -> None:
    """The root of what it amends stands in its head, once, and in its own root."""
    first = _freeze(make_build(tmp_path / "one"), tmp_path / "months" / "a")
    build = make_build(tmp_path / "two", name="2026-11-en-amended")
    head = freeze(build, tmp_path / "months" / "b", NOW, GENERATOR, [first.root_sha256, first.root_sha256])
    assert (first.root_sha256,) == head.parents
    alone = _freeze(make_build(tmp_path / "three", name="2026-11-en-amended"), tmp_path / "c")
    assert alone.root_sha256 != head.root_sha256


def test_an_id_of_a_month_beside_it_is_a_collision(tmp_path: Path) -> None:
    """Ids are unique over all snapshots that lie together."""
    _freeze(make_build(tmp_path / "one"), tmp_path / "months" / "a")
    build = make_build(tmp_path / "two")
    recipe = json.loads((build / layout.RECIPE).read_text(encoding="utf-8"))
    (build / layout.RECIPE).write_text(json.dumps({**recipe, "snapshot_id": "2026-12-en-test"}), encoding="utf-8")
    with pytest.raises(InputError, match=r"6 reasons:\n  [0-9a-f]{24}: .*months/a holds the same id"):
        _freeze(build, tmp_path / "months" / "b")


def _drop_one(rows: list[ManifestRow]) -> list[ManifestRow]:
    return rows[:-1]


def _twice(rows: list[ManifestRow]) -> list[ManifestRow]:
    alike = next(row for row in rows[1:] if row.call.label is rows[0].call.label)
    return [rows[0] if row is alike else row for row in rows]


def _failed_check(rows: list[ManifestRow]) -> list[ManifestRow]:
    return [rows[0].model_copy(update={"checks": {**rows[0].checks, "safety": False}}), *rows[1:]]


def _no_check(rows: list[ManifestRow]) -> list[ManifestRow]:
    return [rows[0].model_copy(update={"checks": {}}), *rows[1:]]


def _failed_signal(rows: list[ManifestRow]) -> list[ManifestRow]:
    audio = rows[0].audio
    assert audio is not None
    failed = audio.checks[0].model_copy(update={"passed": False, "value": 0})
    return [rows[0].model_copy(update={"audio": audio.model_copy(update={"checks": (failed,)})}), *rows[1:]]


def _no_audio(rows: list[ManifestRow]) -> list[ManifestRow]:
    return [rows[0].model_copy(update={"audio": None, "voices": None}), *rows[1:]]


def _other_rate(rows: list[ManifestRow]) -> list[ManifestRow]:
    audio = rows[0].audio
    assert audio is not None
    return [rows[0].model_copy(update={"audio": audio.model_copy(update={"sample_rate": 24_000})}), *rows[1:]]


def _other_path(rows: list[ManifestRow]) -> list[ManifestRow]:
    audio = rows[0].audio
    assert audio is not None
    return [rows[0].model_copy(update={"audio": audio.model_copy(update={"path": "audio/fraud-1.wav"})}), *rows[1:]]


def _lost_span(rows: list[ManifestRow]) -> list[ManifestRow]:
    audio = rows[0].audio
    assert audio is not None
    return [rows[0].model_copy(update={"audio": audio.model_copy(update={"spans": audio.spans[1:]})}), *rows[1:]]


def _one_voice(rows: list[ManifestRow]) -> list[ManifestRow]:
    voices = rows[0].voices
    assert voices is not None
    return [rows[0].model_copy(update={"voices": CallVoices(caller=voices.caller, receiver=voices.caller)}), *rows[1:]]


def _unsafe(rows: list[ManifestRow]) -> list[ManifestRow]:
    call = rows[0].call
    last = call.turns[-1].model_copy(update={"text": "Ring 0171 234 567 now."})
    return [rows[0].model_copy(update={"call": call.model_copy(update={"turns": (*call.turns[:-1], last)})}), *rows[1:]]


def _unsafe_reason(rows: list[ManifestRow]) -> list[ManifestRow]:
    call = rows[0].call
    stop = call.stop.model_copy(update={"reason": "They were told to ring 0171 234 567."})
    return [rows[0].model_copy(update={"call": call.model_copy(update={"stop": stop})}), *rows[1:]]


def _unsafe_reply(rows: list[ManifestRow]) -> list[ManifestRow]:
    call = rows[0].call
    replies = (AgentReply(agent="caller", raw="Ring 0171 234 567."),)
    made = call.generation.model_copy(update={"replies": replies})
    return [rows[0].model_copy(update={"call": call.model_copy(update={"generation": made})}), *rows[1:]]


def _other_language(rows: list[ManifestRow]) -> list[ManifestRow]:
    return [rows[0].model_copy(update={"call": rows[0].call.model_copy(update={"language": "zh"})}), *rows[1:]]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_drop_one, r"the contract asks for \d (FRAUD|NONFRAUD) calls, and there are \d"),
        (_twice, "the id stands twice"),
        (_failed_check, "the check 'safety' failed"),
        (_no_check, "the check 'signal' is missing"),
        (_failed_signal, "quality control of its recording: pcm16 is 0"),
        (_no_audio, "it has no recording or no voices, and the contract asks for them"),
        (_other_rate, "its rate is 24000 Hz, the contract's is 8000 Hz"),
        (_other_path, r"its recording is 'audio/fraud-1\.wav': another call's"),
        (_lost_span, "the spans of its recording are not those of its turns"),
        (_one_voice, "caller and receiver have the same voice 'voice-a'"),
        (_unsafe, r"says '0171 234 567', which no call may say \(phone_number\)"),
        (_unsafe_reason, r"stop\.reason says '0171 234 567', which no call may say \(phone_number\)"),
        (_unsafe_reply, r"generation\.replies\[0\]\.raw says '0171 234 567', which no call may say"),
        (_unsafe, "its turns are not those of its leaf"),
        (_other_language, "its language is 'zh', the contract's is 'en'"),
    ],
)
def test_a_row_that_fails_is_refused(tmp_path: Path, change: object, reason: str) -> None:
    """Counts, ids, checks, safety, language and recordings: each is a reason of its own, and no month appears."""
    build = make_build(tmp_path / "build")
    assert callable(change)
    write_rows(build / layout.CANDIDATES, change(_rows(build)))
    with pytest.raises(InputError, match=reason):
        _freeze(build, tmp_path / "months" / "a")
    assert [] == _left(tmp_path / "months")
    assert not (build / layout.FROZEN).exists()


def test_unsafe_words_in_a_tree_or_of_what_was_left_out_are_refused(tmp_path: Path) -> None:
    """Trees and rejected.jsonl are frozen too, with words that are in no call."""
    build = make_build(tmp_path / "build")
    tree_id = _rows(build)[0].call.tree_id
    path = build / layout.tree_path(tree_id)
    built = BuiltTree.model_validate_json(path.read_bytes())
    assert built.tree is not None
    first, *others = built.tree.nodes
    nodes = (first.model_copy(update={"stop": "Ring 0171 234 567."}), *others)
    again = built.model_copy(update={"tree": built.tree.model_copy(update={"nodes": nodes})})
    path.write_bytes(canonical_json(again.to_json()))
    reason = "It says 0171 234 567."
    left_out = Rejected(tree_id=tree_id, abstract_id=built.abstract_id, path=(), code=RejectCode.UNSAFE, reason=reason)
    (build / layout.REJECTED).write_bytes(canonical_json(left_out.to_json()) + b"\n")
    with pytest.raises(InputError) as refused:
        _freeze(build, tmp_path / "months" / "a")
    assert f"trees/{tree_id}.json: nodes[0].stop says '0171 234 567', which no call may say" in str(refused.value)
    assert "rejected.jsonl: line 1: reason says '0171 234 567', which no call may say" in str(refused.value)


def test_every_field_of_a_call_is_recomputed(tmp_path: Path) -> None:
    """What a tree gives, with label and rationale, is all that a call holds: no field is left to anybody's word."""
    folder = make_build(tmp_path / "build", audio=False)
    row = _rows(folder)[0]
    tree = read_file(folder / layout.tree_path(row.call.tree_id), BuiltTree).tree
    assert tree is not None
    leaf = next(node for node in tree.nodes if node.path == row.call.leaf_path)
    facts = facts_of(tree, leaf, offline_agents(LIBRARY), "2026-11-en-test", 1)
    assert set(SnapshotCall.model_fields) == {*facts, "label", "rationale"}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"rationale": {"evidence": "Because."}}, r"its rationale\.evidence is 'Because\.', but tree and recipe give '\["),
        ({"rationale": {"separating_action": "block"}}, r"its rationale\.separating_action is 'block', but"),
        ({"rationale": {"separating_turn": -1}}, r"its rationale\.separating_turn is \d+, but"),
        ({"rationale": {"shared_context": "A talk."}}, r"its rationale\.shared_context is 'A talk\.', but"),
        ({"family_id": "invented"}, "its family_id is 'invented', but"),
        ({"abstract_id": "invented"}, "its abstract_id is 'invented', but"),
        ({"caller": {"age": 19}}, r"its caller\.age is 19, but"),
        ({"receiver": {"role": "nobody"}}, r"its receiver\.role is 'nobody', but"),
        ({"generation": {"seed": 3}}, r"its generation\.seed is 3, but"),
        ({"generation": {"agents": {"caller": "me"}}}, r"its generation\.agents is \{'caller': 'me'\}, but"),
        ({"generation": {"profile_sha256": "0" * 64}}, r"its generation\.profile_sha256 is '0000"),
        ({"stop": {"reason": "tired"}}, r"its stop\.reason is 'tired', but"),
        ({"sample_id": "fraud-1"}, "fraud-1: its sample_id is 'fraud-1', but tree and recipe give '[0-9a-f]{24}'"),
    ],
)
def test_a_row_that_contradicts_its_tree_is_named_by_its_field(tmp_path: Path, changes: dict[str, Any], named: str) -> None:
    """Every field follows from tree and recipe; freezing names the one that does not."""
    build = make_build(tmp_path / "build", audio=False)
    rows = [json.loads(line) for line in (build / layout.CANDIDATES).read_text(encoding="utf-8").splitlines()]
    call = next(row["call"] for row in rows if row["call"]["rationale"]["separating_turn"] > row["call"]["opening_turns"])
    for name, value in changes.items():
        if value == {"separating_turn": -1}:
            call[name]["separating_turn"] = call["opening_turns"]
        elif isinstance(value, dict):
            call[name] = {**call[name], **value}
        else:
            call[name] = value
    write_rows(build / layout.CANDIDATES, [ManifestRow.model_validate(row) for row in rows])
    with pytest.raises(InputError, match=named):
        _freeze(build, tmp_path / "a")


def test_words_changed_in_tree_and_row_leave_the_old_id(tmp_path: Path) -> None:
    """The id follows from the words, wherever they were changed."""
    build = make_build(tmp_path / "build", audio=False)
    row = _rows(build)[0]
    last = row.call.turns[-1]
    for path in (build / layout.tree_path(row.call.tree_id), build / layout.CANDIDATES):
        text = path.read_text(encoding="utf-8")
        old, new = (json.dumps(words, ensure_ascii=False) for words in (last.text, f"Well, {last.text}"))
        path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(
        InputError, match=f"{row.call.sample_id}: its sample_id is '{row.call.sample_id}', but tree and recipe give"
    ):
        _freeze(build, tmp_path / "a")


@pytest.mark.parametrize("lost", [0, 1])
def test_a_tree_without_an_inner_node_is_a_reason_and_no_crash(tmp_path: Path, lost: int) -> None:
    """The root, or a node that others follow on."""
    build = make_build(tmp_path / "build", audio=False)
    path = build / layout.tree_path(_rows(build)[0].call.tree_id)
    built = json.loads(path.read_text(encoding="utf-8"))
    nodes = built["tree"]["nodes"]
    del nodes[0 if lost == 0 else next(place for place, node in enumerate(nodes) if place and node["open"])]
    path.write_text(json.dumps(built), encoding="utf-8")
    with pytest.raises(InputError, match=r"the first node, and it alone, is the root|has no node before it that it follows on"):
        _freeze(build, tmp_path / "a")


def test_a_flipped_label_never_reaches_a_freeze(tmp_path: Path) -> None:
    """A row whose label contradicts its actions is no row at all."""
    build = make_build(tmp_path / "build", audio=False)
    lines = (build / layout.CANDIDATES).read_text(encoding="utf-8").splitlines(keepends=True)
    flipped = lines[0].replace('"label":"FRAUD"', '"label":"x"').replace('"label":"NONFRAUD"', '"label":"FRAUD"')
    (build / layout.CANDIDATES).write_text("".join([flipped.replace('"x"', '"NONFRAUD"'), *lines[1:]]), encoding="utf-8")
    with pytest.raises(FileError, match=r"candidates\.jsonl: line 1: call: the label is (NON)?FRAUD, but the last turn ends"):
        _freeze(build, tmp_path / "a")


def test_recordings_are_read_from_their_own_headers(tmp_path: Path) -> None:
    """Gone, cut, of another rate, in stereo, no WAV, or simply others: each is named with its call, all at once."""
    build = make_build(tmp_path / "build")
    rows = _rows(build)
    paths = [build / layout.audio_path(row.call.sample_id) for row in rows]
    good = [path.read_bytes() for path in paths]
    paths[0].unlink()
    paths[1].write_bytes(good[1][:-200])
    paths[2].write_bytes(wav(400, 1, rate=24_000))
    paths[3].write_bytes(wav(400, 1, channels=2))
    paths[4].write_bytes(b"ID3" + good[4])
    paths[5].write_bytes(good[5][:-2] + b"\x01\x01")
    with pytest.raises(InputError) as caught:
        _freeze(build, tmp_path / "a")
    told = {
        line.strip().partition(": ")[0]: line
        for line in str(caught.value).splitlines()[1:]
        if "its recording has other" not in line
    }
    assert "no recording here" in told[rows[0].call.sample_id]
    assert "announces" in told[rows[1].call.sample_id]
    assert "400 samples at 24000 Hz" in told[rows[2].call.sample_id]
    assert "2 channels of 16 bits" in told[rows[3].call.sample_id]
    assert "is no WAV file: it begins with b'ID3R'" in told[rows[4].call.sample_id]
    assert f"{rows[5].call.sample_id}: its recording has other bytes than its row says" in str(caught.value)


def test_a_transcript_of_something_else_is_refused(tmp_path: Path) -> None:
    """Its id must follow from recogniser, recording and words; a lost one is named by its file."""
    build = make_build(tmp_path / "build")
    heard = sorted((build / layout.HEARD).glob("*.json"))
    heard[0].write_text(heard[0].read_text(encoding="utf-8").replace('"text": "', '"text": "Well, '), encoding="utf-8")
    heard[1].unlink()
    with pytest.raises(InputError) as caught:
        _freeze(build, tmp_path / "a")
    assert f"{heard[0].stem}: the id of its transcript does not follow" in str(caught.value)
    assert f"{heard[1].name}: no such file" in str(caught.value)


def test_a_half_made_build_is_told_apart_from_none(tmp_path: Path) -> None:
    """No build, an unfinished build, a damaged tree: one line each, with what to do."""
    with pytest.raises(FileError, match=r"no build here \(no recipe\.json\): make one"):
        _freeze(tmp_path / "nothing", tmp_path / "a")
    assert [] == _left(tmp_path)
    build = make_build(tmp_path / "build")
    tree = build / layout.tree_path(_rows(build)[0].call.tree_id)
    kept = tree.read_bytes()
    tree.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"trees/[0-9a-f]+\.json: tree_id: Field required"):
        _freeze(build, tmp_path / "a")
    tree.write_bytes(kept)
    (build / layout.CANDIDATES).unlink()
    with pytest.raises(FileError, match="this build is not finished"):
        read_build(build)
    with pytest.raises(FileError, match="a build, not yet frozen: freeze it with"):
        find_snapshot(build)
    with pytest.raises(FileError, match="none that ships has this name"):
        find_snapshot("2026-11-nowhere")


def test_a_build_that_somebody_holds_is_left_alone(tmp_path: Path) -> None:
    """Two freezes of one build cannot run at once."""
    build = make_build(tmp_path / "build", audio=False)
    with sole_worker(build), pytest.raises(BusyError):
        _freeze(build, tmp_path / "a")


def test_no_month_holds_the_same_words_twice(tmp_path: Path) -> None:
    """Normalised texts are all different."""
    build = make_build(tmp_path / "build", audio=False)
    texts = [normalised(row.call.text) for row in _rows(build)]
    assert len(texts) == len(set(texts))


_KILLED = """
import json
import sys
from pathlib import Path
from core.snapshots.freezing.freeze import freeze
freeze(Path(sys.argv[1]), Path(sys.argv[2]), "2026-11-30T12:00:00+00:00", json.loads(sys.argv[3]))
"""


_KILLS_ITSELF = """
import json
import os
import signal
import sys
from pathlib import Path
from core.snapshots.freezing import freeze as freezing

def stop(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[4] == "rename":
    Path.rename = stop
else:
    freezing.mark_frozen = stop
freezing.freeze(Path(sys.argv[1]), Path(sys.argv[2]), "2026-11-30T12:00:00+00:00", json.loads(sys.argv[3]))
"""


@pytest.mark.parametrize("moment", ["rename", "mark"])
def test_a_freeze_killed_at_its_last_steps_is_ended_by_the_same_command(tmp_path: Path, moment: str) -> None:
    """A whole month without its name blocks nobody; one with its name is noted in its build, and is not written again."""
    build, out = make_build(tmp_path / "build"), tmp_path / "months" / "a"
    arguments = [sys.executable, "-c", _KILLS_ITSELF, str(build), str(out), json.dumps(GENERATOR), moment]
    assert -signal.SIGKILL == subprocess.run(arguments, check=False).returncode
    assert (moment == "mark") is out.exists()
    assert not (build / layout.FROZEN).exists()
    before = _files(out) if out.exists() else {}
    head = _freeze(build, out, "2031-01-01T00:00:00+00:00")
    assert ["a"] == _left(out.parent)
    assert read_file(out / layout.HEAD, SnapshotHead) == head == read_file(build / layout.FROZEN, SnapshotHead)
    assert before in ({}, _files(out))
    assert Sameness.IDENTICAL is verify(out).sameness


def test_what_a_killed_freeze_of_another_build_left_is_no_month(tmp_path: Path) -> None:
    """A hidden folder beside the place is neither a month of this name nor one that holds the same ids."""
    _freeze(make_build(tmp_path / "one"), tmp_path / "months" / ".a.0123456789ab.freezing")
    _freeze(make_build(tmp_path / "two"), tmp_path / "months" / "a")
    assert Sameness.IDENTICAL is verify(tmp_path / "months" / "a").sameness


def test_nothing_is_frozen_into_a_month(tmp_path: Path) -> None:
    """Below a frozen month, at any depth, no other one appears; a month is no build either."""
    month = tmp_path / "months" / "a"
    _freeze(make_build(tmp_path / "build"), month)
    other = make_build(tmp_path / "other", name="2026-11-en-other")
    for inner in (month / "inner", month / "deep" / "er"):
        with pytest.raises(UsageError, match=r"lies in the frozen month .*, which never changes"):
            _freeze(other, inner)
    assert Sameness.IDENTICAL is verify(month).sameness
    with pytest.raises(FileError, match="a frozen month, no build: it is frozen for good"):
        _freeze(month, tmp_path / "again")


def test_words_of_other_cases_are_not_frozen(tmp_path: Path) -> None:
    """Rows are checked against the cases that ship, so those must be the ones they were written from."""
    build = make_build(tmp_path / "build", audio=False)
    recipe = json.loads((build / layout.RECIPE).read_text(encoding="utf-8"))
    recipe["words"]["cases_sha256"] = "0" * 64
    (build / layout.RECIPE).write_text(json.dumps(recipe), encoding="utf-8")
    with pytest.raises(InputError, match=r"written from other cases \(000000000000\) than those that ship here"):
        _freeze(build, tmp_path / "a")


def _staged(parent: Path) -> int:
    """Files that a freeze has written so far; more than any number where their folder got its name while they were counted."""
    try:
        return sum(path.is_file() for path in parent.glob(".a.*/**/*"))
    except FileNotFoundError:
        return sys.maxsize


def test_a_killed_freeze_leaves_nothing_half(tmp_path: Path) -> None:
    """Killed at its first file, half-way, and near its end: the month is whole or not there, and the next freeze is the same."""
    expected = _freeze(make_build(tmp_path / "whole"), tmp_path / "whole-month").root_sha256
    build = make_build(tmp_path / "build")
    out = tmp_path / "months" / "a"
    killed = 0
    for files in (1, 8, 14):
        if out.exists():
            break
        arguments = [sys.executable, "-c", _KILLED, str(build), str(out), json.dumps(GENERATOR)]
        with subprocess.Popen(arguments) as child:
            while child.poll() is None and _staged(out.parent) < files:
                time.sleep(0.001)
            child.send_signal(signal.SIGKILL)
            killed += child.wait() == -signal.SIGKILL
        assert not out.exists() or verify(out).sameness is Sameness.IDENTICAL
    assert killed > 0
    if not out.exists():
        _freeze(build, out)
    assert expected == read_file(out / layout.HEAD, SnapshotHead).root_sha256
    assert ["a"] == _left(out.parent)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """One line, and the build can still be frozen elsewhere."""
    build = make_build(tmp_path / "build", audio=False)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(FileError, match="cannot create this folder"):
        _freeze(build, tmp_path / "file" / "a")
    assert not (build / layout.FROZEN).exists()


def test_the_month_says_what_it_is_for(tmp_path: Path) -> None:
    """Licence and datasheet name the use, the limits and the recogniser, under every heading, and no time."""
    _freeze(make_build(tmp_path / "build"), tmp_path / "a")
    sheet = (tmp_path / "a" / layout.DATASHEET).read_text(encoding="utf-8")
    headings = [line.removeprefix("## ") for line in sheet.splitlines() if line.startswith("## ")]
    assert [
        "Motivation",
        "Composition",
        "Collection process",
        "Preprocessing, cleaning, labelling",
        "Sound",
        "Uses",
        "Distribution",
        "Maintenance",
    ] == headings
    for words in ("defensive only", "synthetic", "Whisper medium", "4 fraud and 2 lawful", "2 synthetic voices"):
        assert words in " ".join(sheet.split())
    assert "CC-BY-4.0" in (tmp_path / "a" / layout.LICENCE).read_text(encoding="utf-8")
    for name, data in _files(tmp_path / "a").items():
        assert name == layout.HEAD or b"2026-11-30" not in data
