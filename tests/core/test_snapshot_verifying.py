"""A check of a month names whatever differs from what was frozen, each with its file, and tells apart what may differ."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import FileError
from core.schemas.base import Json, canonical_json, pretty_json, sha256
from core.schemas.months import Difference, Finding, Rebuilt, Remade, Sameness, Verification
from core.schemas.snapshots import ManifestRow, SnapshotHead
from core.schemas.trees import MixedTree
from core.snapshots.freezing import layout
from core.snapshots.freezing.freeze import freeze
from core.snapshots.freezing.reading import read_file, read_lines, read_snapshot
from core.snapshots.freezing.remade import DURATION_BOUND, TRANSCRIPT_BOUND
from core.snapshots.freezing.sums import read_sums, root_of, sums_text
from core.snapshots.freezing.verify import verify
from tests.core.snapshot_months import (
    GENERATOR,
    MACHINE,
    NOW,
    TURN,
    Hears,
    make_build,
    rebuilt_elsewhere,
    wav,
    writable_copy,
    write_rows,
)

_ELSEWHERE: dict[str, Json] = {"cpu_features": ["neon"], "packages": {"engine": "1.0"}}


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A month with recordings, never changed by a test."""
    root = tmp_path_factory.mktemp("frozen")
    freeze(make_build(root / "build"), root / "month", NOW, GENERATOR)
    return root / "month"


@pytest.fixture
def month(frozen: Path, tmp_path: Path) -> Path:
    """A copy that may be written."""
    return writable_copy(frozen, tmp_path / "month")


def _faults(found: Verification) -> list[tuple[Difference, str]]:
    return [(item.kind, item.where) for item in found.findings if item.kind is not Difference.WRITABLE]


def _of(found: Verification, kind: Difference) -> list[Finding]:
    return [item for item in found.findings if item.kind is kind]


def _rows(month: Path) -> list[ManifestRow]:
    return list(read_lines(month / layout.MANIFEST, ManifestRow))


def _reseal(month: Path) -> None:
    """Write sums and root again, as somebody would who wants a change to pass."""
    names = read_sums(month)
    hashes = {name: sha256((month / name).read_bytes()) for name in names if (month / name).exists()}
    (month / layout.SUMS).write_bytes(sums_text(hashes))
    head = read_file(month / layout.HEAD, SnapshotHead)
    head = head.model_copy(update={"root_sha256": root_of(hashes, head)})
    (month / layout.HEAD).write_bytes(pretty_json(head.to_json()))


def test_a_month_as_it_was_frozen_is_identical(frozen: Path) -> None:
    """No finding, no note; the root is that of its head."""
    found = verify(frozen)
    assert (Sameness.IDENTICAL, (), (), 6) == (found.sameness, found.findings, found.notes, found.calls)
    assert read_snapshot(frozen).head.root_sha256 == found.root_sha256


def test_one_flipped_byte_of_a_recording_is_named(month: Path) -> None:
    """The file, and nothing else."""
    path = sorted((month / layout.AUDIO).iterdir())[2]
    data = bytearray(path.read_bytes())
    data[-7] ^= 1
    path.write_bytes(data)
    found = verify(month)
    assert (Sameness.BROKEN, [(Difference.CHANGED, f"audio/{path.name}")]) == (found.sameness, _faults(found))


def test_a_missing_file_is_named(month: Path) -> None:
    """One recording of six, a tree, the licence: each by its path."""
    names = [sorted((month / layout.AUDIO).iterdir())[0], next((month / layout.TREES).iterdir()), month / layout.LICENCE]
    for path in names:
        path.unlink()
    found = verify(month)
    expected = sorted((Difference.MISSING, path.relative_to(month).as_posix()) for path in names)
    assert (Sameness.BROKEN, expected) == (found.sameness, sorted(_faults(found)))


def test_an_added_file_is_named(month: Path) -> None:
    """Hidden ones and links too."""
    (month / ".note").write_text("x", encoding="utf-8")
    (month / "audio" / "more.wav").write_bytes(wav(10, 1))
    (month / "link").symlink_to(month / layout.LICENCE)
    found = verify(month)
    expected = [(Difference.EXTRA, ".note"), (Difference.EXTRA, "audio/more.wav"), (Difference.EXTRA, "link")]
    assert (Sameness.BROKEN, expected) == (found.sameness, sorted(_faults(found)))


def test_an_added_folder_is_named_though_it_is_empty(month: Path) -> None:
    """A month has no folder that nothing frozen lies in; one whose recordings are not here may keep theirs."""
    (month / "more" / "inner").mkdir(parents=True)
    found = verify(month)
    assert (Sameness.BROKEN, [(Difference.EXTRA, "more"), (Difference.EXTRA, "more/inner")]) == (found.sameness, _faults(found))
    shutil.rmtree(month / "more")
    shutil.rmtree(month / layout.AUDIO)
    (month / layout.AUDIO).mkdir()
    assert Sameness.TEXT_ONLY is verify(month).sameness


def test_a_field_that_its_tree_does_not_give_is_named_in_a_sealed_month(month: Path) -> None:
    """Sums and root were written again; the age of a person and the words of a reason were not in the tree."""
    rows = _rows(month)
    call = rows[0].call
    why = call.rationale.model_copy(update={"evidence": "Because."})
    rows[0] = rows[0].model_copy(
        update={"call": call.model_copy(update={"rationale": why, "caller": call.caller.model_copy(update={"age": 94})})}
    )
    write_rows(month / layout.MANIFEST, rows)
    _reseal(month)
    told = [item.what for item in verify(month).findings if item.where == f"manifest.jsonl: {call.sample_id}"]
    assert any(f"its caller.age is 94, but tree and recipe give {call.caller.age}" in what for what in told)
    assert any("its rationale.evidence is 'Because.', but tree and recipe give" in what for what in told)


@pytest.mark.parametrize("lost", ["root", "inner"])
def test_a_tree_without_a_node_that_others_need_is_named(month: Path, lost: str) -> None:
    """A finding, in a sealed month too, and no crash."""
    path = month / layout.tree_path(_rows(month)[0].call.tree_id)
    tree = json.loads(path.read_text(encoding="utf-8"))
    place = 0 if lost == "root" else next(place for place, node in enumerate(tree["nodes"]) if place and node["open"])
    del tree["nodes"][place]
    path.write_bytes(pretty_json(tree))
    _reseal(month)
    found = verify(month)
    assert Sameness.BROKEN is found.sameness
    assert any(item.where.startswith("trees/") and "nodes" not in item.where for item in found.findings)


def test_a_renamed_file_is_named_with_both_names(month: Path) -> None:
    """The same bytes under another name are neither missing nor added."""
    path = sorted((month / layout.AUDIO).iterdir())[0]
    path.rename(month / "audio" / "fraud.wav")
    found = verify(month)
    assert (Sameness.BROKEN, [(Difference.RENAMED, "audio/fraud.wav")]) == (found.sameness, _faults(found))
    assert f"has the bytes of audio/{path.name}, which is gone" == found.findings[0].what


def test_a_file_replaced_by_a_link_is_named(month: Path, tmp_path: Path) -> None:
    """Though the bytes behind it are the same."""
    (month / layout.LICENCE).rename(tmp_path / "elsewhere")
    (month / layout.LICENCE).symlink_to(tmp_path / "elsewhere")
    assert [Finding(kind=Difference.CHANGED, where="LICENSE", what="is a link now")] == _of(verify(month), Difference.CHANGED)


def _flip(month: Path, place: int, *, wholly: bool) -> str:
    lines = (month / layout.MANIFEST).read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[place])
    old = row["call"]["label"]
    new = {"FRAUD": "NONFRAUD", "NONFRAUD": "FRAUD"}[old]
    row["call"]["label"] = new
    if wholly:
        row["call"]["rationale"]["final_label"] = new
        for turn in row["call"]["turns"]:
            for field in ("before", "after"):
                turn[field] = {"F": "N", "N": "F"}.get(turn[field], turn[field])
    lines[place] = canonical_json(row).decode()
    (month / layout.MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(row["call"]["sample_id"])


def test_one_flipped_label_is_named_with_its_call(month: Path) -> None:
    """By the hash of the manifest, and by the row's own actions."""
    name = _flip(month, 3, wholly=False)
    found = verify(month)
    assert [(Difference.CHANGED, "manifest.jsonl"), (Difference.ROW, f"manifest.jsonl: {name}")] == _faults(found)
    assert "but the last turn ends in state" in _of(found, Difference.ROW)[0].what


def test_an_unsafe_word_in_a_tree_is_named(month: Path) -> None:
    """Sums and root agree; a reason that no call holds may say no more than a call."""
    path = sorted((month / "trees").glob("*.json"))[0]
    tree = MixedTree.model_validate_json(path.read_bytes())
    first, *others = tree.nodes
    nodes = (first.model_copy(update={"stop": "Ring 0171 234 567."}), *others)
    path.chmod(0o644)
    path.write_bytes(canonical_json(tree.model_copy(update={"nodes": nodes}).to_json()))
    _reseal(month)
    told = [item.what for item in verify(month).findings if item.where == f"trees/{path.name}"]
    assert ["nodes[0].stop says '0171 234 567', which no call may say (phone_number)"] == told


def test_a_label_flipped_with_all_that_follows_is_named_too(month: Path) -> None:
    """Label, rationale, states, sums and root agree, but not the table of actions, nor the tree, nor the counts."""
    name = _flip(month, 3, wholly=True)
    _reseal(month)
    found = verify(month)
    told = [item.what for item in found.findings if item.where == f"manifest.jsonl: {name}"]
    assert any("its actions lead to" in what for what in told)
    assert any("but its leaf ends in state" in what for what in told)
    assert Difference.CONTRACT in {item.kind for item in found.findings}
    assert Sameness.BROKEN is found.sameness


def _change_head(folder: Path, **changes: object) -> None:
    head = json.loads((folder / layout.HEAD).read_text(encoding="utf-8"))
    (folder / layout.HEAD).write_bytes(pretty_json({**head, **changes}))


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"month": "2026-12"}, "month is '2026-12', but recipe and rows say '2026-11'"),
        ({"snapshot_id": "other"}, "snapshot_id is 'other', but recipe and rows say '2026-11-en-test'"),
        ({"trees": 9}, "trees is 9, but recipe and rows say"),
        ({"counts": {"FRAUD": 5, "NONFRAUD": 1}}, "counts is"),
        ({"parents": ["a" * 64]}, "this file and SHA256SUMS give"),
        ({"generator": {"tool": "another"}}, "this file and SHA256SUMS give"),
        ({"root_sha256": "0" * 64}, "the root hash is 000000000000..., but"),
        ({"month": "13"}, "month: String should match pattern"),
    ],
)
def test_a_changed_head_is_named(month: Path, changes: dict[str, object], what: str) -> None:
    """Every field but the time is covered by the root; what recipe and rows contradict is said."""
    _change_head(month, **changes)
    found = verify(month)
    assert Sameness.BROKEN is found.sameness
    assert {Difference.HEAD} == {kind for kind, _where in _faults(found)}
    assert any(what in item.what for item in found.findings)


def test_the_time_of_a_freeze_decides_nothing(month: Path) -> None:
    """`created_at` alone may be changed unseen, as the docs say."""
    _change_head(month, created_at="2031-01-01T00:00:00+00:00")
    assert Sameness.IDENTICAL is verify(month).sameness


def test_the_order_of_rows_is_part_of_a_month(month: Path) -> None:
    """Rows sorted by label are named even where sums and root were written again."""
    write_rows(month / layout.MANIFEST, sorted(_rows(month), key=lambda row: row.call.label))
    _reseal(month)
    found = verify(month)
    assert (Difference.CONTRACT, "manifest.jsonl") in _faults(found)
    assert "the rows are not in the order of the month's seed" in {item.what for item in found.findings}


def test_a_row_that_was_taken_out_breaks_the_contract(month: Path) -> None:
    """Counts are held against the contract, whatever the hashes say."""
    write_rows(month / layout.MANIFEST, _rows(month)[1:])
    _reseal(month)
    told = {item.what for item in _of(verify(month), Difference.CONTRACT)}
    assert any("calls, and there are" in what for what in told)


def test_a_transcript_that_was_mended_is_named(month: Path) -> None:
    """The id of a transcript follows from its words."""
    path = next((month / layout.TRANSCRIPTS).iterdir())
    name = json.loads(path.read_text(encoding="utf-8").splitlines()[0])["sample_id"]
    path.write_text(path.read_text(encoding="utf-8").replace('"text":"', '"text":"Well, ', 1), encoding="utf-8")
    _reseal(month)
    where = f"transcripts/{path.name}: {name}"
    assert [(Difference.ROW, where)] == _faults(verify(month))


def test_a_recording_is_held_against_its_row(month: Path) -> None:
    """A shorter one is named by the header, even where its hash was written again everywhere but in its row."""
    row = _rows(month)[0]
    (month / layout.audio_path(row.call.sample_id)).write_bytes(wav(TURN, 9))
    _reseal(month)
    told = [item.what for item in verify(month).findings if row.call.sample_id in item.where]
    assert any(f"is {TURN} samples at 8000 Hz" in what for what in told)
    assert any("is not that of SHA256SUMS" in what for what in told)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (None, Difference.MISSING),
        (b"no sums\n", Difference.CHANGED),
        (b"", Difference.HEAD),
        (b"a" * 64 + b"  ../x\n", Difference.CHANGED),
    ],
)
def test_a_month_without_its_sums_is_broken(month: Path, data: bytes | None, kind: Difference) -> None:
    """No list, no list of hashes, an empty one, one that leads elsewhere: never taken for a month with nothing to check."""
    (month / layout.SUMS).unlink()
    if data is not None:
        (month / layout.SUMS).write_bytes(data)
    found = verify(month)
    assert Sameness.BROKEN is found.sameness
    assert kind in {finding for finding, _where in _faults(found)}


@pytest.mark.parametrize("name", [layout.MANIFEST, layout.RECIPE, layout.TRANSCRIPT_SET, layout.HEAD])
def test_a_file_of_garbage_is_a_finding_and_no_crash(month: Path, name: str) -> None:
    """Each file that is read, with bytes that are no text."""
    (month / name).write_bytes(b"\xff\xfe{")
    found = verify(month)
    assert Sameness.BROKEN is found.sameness
    assert any(where.startswith(name) for _kind, where in _faults(found))


def test_a_month_that_ships_is_text_only(month: Path) -> None:
    """Without any recording it is all there is of words and recipe; a changed word still breaks it."""
    shutil.rmtree(month / layout.AUDIO)
    found = verify(month)
    assert (Sameness.TEXT_ONLY, []) == (found.sameness, _faults(found))
    assert ("6 recordings are not here: ringback snapshot rebuild makes them again",) == found.notes
    _flip(month, 0, wholly=False)
    assert Sameness.BROKEN is verify(month).sameness


def test_a_month_of_text_alone_is_identical(tmp_path: Path) -> None:
    """Where nothing was ever recorded, nothing is missing."""
    freeze(make_build(tmp_path / "build", audio=False), tmp_path / "month", NOW, GENERATOR)
    assert Sameness.IDENTICAL is verify(tmp_path / "month").sameness


@pytest.mark.parametrize("change", [DURATION_BOUND * 0.9, -DURATION_BOUND * 0.9, 0.0])
@pytest.mark.parametrize("lost", [0.0, TRANSCRIPT_BOUND * 0.9])
def test_recordings_made_elsewhere_are_equivalent_within_bounds(month: Path, change: float, lost: float) -> None:
    """Other bytes, but alike in length and in what is heard of them here; the note says how that was held."""
    row = rebuilt_elsewhere(month, change)
    hearer = Hears(month, lost)
    found = verify(month, _ELSEWHERE, hearer)
    assert (Sameness.EQUIVALENT, []) == (found.sameness, _faults(found))
    assert "1 of 6 recordings were made again with other bytes" in found.notes[0]
    assert [sha256((month / layout.audio_path(row.call.sample_id)).read_bytes())] == hearer.heard


@pytest.mark.parametrize(
    ("change", "lost", "what"),
    [
        (DURATION_BOUND * 1.2, 0.0, "its length differs by +1.2%, more than 1%"),
        (-DURATION_BOUND * 1.2, 0.0, "its length differs by -1.2%, more than 1%"),
        (0.0, TRANSCRIPT_BOUND * 1.2, "its transcript differs by 0.1"),
        (0.0, 1.0, "its transcript differs by 1.000, more than 0.1"),
    ],
)
def test_recordings_beyond_a_bound_are_broken(month: Path, change: float, lost: float, what: str) -> None:
    """And the call is named with what is beyond it, whatever the note beside the month says of it."""
    row = rebuilt_elsewhere(month, change, 0.0)
    found = verify(month, _ELSEWHERE, Hears(month, lost))
    assert Sameness.BROKEN is found.sameness
    told = [item for item in found.findings if item.kind is not Difference.WRITABLE]
    assert [True] == [what in item.what and row.call.sample_id in item.where for item in told]


def test_a_note_beside_a_month_vouches_for_nothing(month: Path) -> None:
    """Noise in place of a call, with its hash and a change of 0 in REBUILT.json, is changed until somebody hears it."""
    row = rebuilt_elsewhere(month, 0.0, 0.0)
    where = layout.audio_path(row.call.sample_id)
    for here in (None, _ELSEWHERE):
        found = verify(month, here)
        assert (Sameness.BROKEN, [(Difference.CHANGED, where)]) == (found.sameness, _faults(found))
        assert "as REBUILT.json says, and was not heard here: ringback snapshot verify --hear" in found.findings[0].what


def test_the_frozen_machine_makes_no_other_bytes(month: Path) -> None:
    """Where this machine, or the one that the note names, is that of the freeze, other bytes are not made again but changed."""
    row = rebuilt_elsewhere(month)
    hearer = Hears(month)
    found = verify(month, MACHINE, hearer)
    where = layout.audio_path(row.call.sample_id)
    assert (Sameness.BROKEN, [(Difference.CHANGED, where)]) == (found.sameness, _faults(found))
    assert "though this machine has the frozen CPU features and packages" in found.findings[0].what
    note = read_file(month / layout.REBUILT, Rebuilt).model_copy(update={"cpu_features": ("avx2",)})
    (month / layout.REBUILT).write_bytes(pretty_json(note.to_json()))
    found = verify(month, _ELSEWHERE, hearer)
    assert [(Difference.CHANGED, where)] == _faults(found)
    assert "though REBUILT.json names the frozen CPU features and packages" in found.findings[0].what
    assert [] == hearer.heard


def _sounding_month(folder: Path, render: Json) -> Path:
    build = make_build(folder / "build")
    (build / layout.SPEECH).write_bytes(pretty_json({"render": render, **MACHINE}))
    freeze(build, folder / "frozen", NOW, GENERATOR)
    return writable_copy(folder / "frozen", folder / "month")


_RENDER: dict[str, Json] = {
    "render": "render-1",
    "assignment": "a-1",
    "synthesizers": {"v": {"model_sha256": "a" * 64, "packages": {"onnxruntime": "1"}}},
}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"render": "render-2"}, "render (there 'render-1', here 'render-2')"),
        (
            {"synthesizers": {"v": {"model_sha256": "b" * 64, "packages": {"onnxruntime": "1"}}}},
            "synthesizers.v.model_sha256 (there",
        ),
        ({"delivery_table": {"version": 2}}, "delivery_table.version (there nothing, here 2)"),
    ],
)
def test_sound_that_is_made_in_another_way_is_named(tmp_path: Path, changes: dict[str, Json], told: str) -> None:
    """Other weights, tables or code are no other hardware: each difference is named, and none stands for the frozen one."""
    month = _sounding_month(tmp_path, _RENDER)
    here: dict[str, Json] = {**_ELSEWHERE, "render": {**_RENDER, **changes}}
    found = verify(month, here)
    assert Sameness.IDENTICAL is found.sameness
    assert any(f"recordings cannot be made again: {told}" in note for note in found.notes)
    rebuilt_elsewhere(month)
    found = verify(month, here, Hears(month))
    assert Sameness.BROKEN is found.sameness
    assert f"was made again where sound is made in another way: {told}" in found.findings[0].what


def test_packages_of_engines_and_who_chose_the_voices_are_known_apart(tmp_path: Path) -> None:
    """Another version of a package that an engine names is another machine; another rule for choosing voices changes no sound."""
    month = _sounding_month(tmp_path, _RENDER)
    engine: Json = {"v": {"model_sha256": "a" * 64, "packages": {"onnxruntime": "2"}}}
    render: Json = {**_RENDER, "assignment": "a-2", "synthesizers": engine}
    rebuilt_elsewhere(month)
    found = verify(month, {**MACHINE, "render": render}, Hears(month))
    assert Sameness.EQUIVALENT is found.sameness
    assert any("package versions (there onnxruntime 1; here onnxruntime 2)" in note for note in found.notes)
    same = verify(month, {**MACHINE, "render": _RENDER}, Hears(month))
    assert Sameness.BROKEN is same.sameness


def test_another_recogniser_tells_nothing_of_a_recording_made_again(month: Path) -> None:
    """What it hears cannot be held against the frozen transcripts; the setting is named."""
    rebuilt_elsewhere(month)
    found = verify(month, _ELSEWHERE, Hears(month, settings={"recogniser": "test", "beam": 1}))
    assert Sameness.BROKEN is found.sameness
    assert "is heard in another way than the frozen one: beam (there 5, here 1)" in found.findings[0].what


def test_a_rebuilt_month_with_the_same_bytes_is_identical(month: Path) -> None:
    """The file beside it changes nothing."""
    rows = _rows(month)
    calls = tuple(Remade(sample_id=row.call.sample_id, same_bytes=True, duration_change=0, transcript_change=0) for row in rows)
    (month / layout.REBUILT).write_bytes(pretty_json(Rebuilt(cpu_features=(), packages={}, calls=calls).to_json()))
    assert Sameness.IDENTICAL is verify(month).sameness


def _touch_remade(month: Path, row: ManifestRow) -> None:
    path = month / layout.audio_path(row.call.sample_id)
    path.write_bytes(path.read_bytes()[:-2] + b"\x05\x05")


def _touch_another(month: Path, row: ManifestRow) -> None:
    other = next(each for each in _rows(month) if each.call.sample_id != row.call.sample_id)
    _touch_remade(month, other)


def _break_note(month: Path, _row: ManifestRow) -> None:
    (month / layout.REBUILT).write_text("{}", encoding="utf-8")


@pytest.mark.parametrize("meddle", [_touch_remade, _touch_another, _break_note])
def test_a_rebuild_excuses_only_what_it_made(month: Path, meddle: Callable[[Path, ManifestRow], None]) -> None:
    """A byte changed after the rebuild, in what it made or in what it kept, and a faulty note: all broken."""
    meddle(month, rebuilt_elsewhere(month, 0.0, 0.0))
    assert Sameness.BROKEN is verify(month, _ELSEWHERE, Hears(month)).sameness


def test_another_machine_is_noted(frozen: Path) -> None:
    """Features and packages on one side alone, so that nobody wonders about other bytes."""
    assert () == verify(frozen, MACHINE).notes
    found = verify(frozen, {"cpu_features": ["avx2", "avx512f"], "packages": {"engine": "1.1"}})
    assert Sameness.IDENTICAL is found.sameness
    told = "other CPU features (here avx512f) and package versions (there engine 1.0; here engine 1.1)"
    assert (f"recordings were made with {told}: made again here they may have other bytes",) == found.notes


def test_writable_files_are_told_and_are_no_fault(month: Path, frozen: Path) -> None:
    """One finding for all, and the month is still identical."""
    found = verify(month)
    count = sum(path.is_file() for path in month.rglob("*"))
    assert [f"{count} of {count} files may be written again; chmod -R a-w takes that away"] == [f.what for f in found.findings]
    assert Sameness.IDENTICAL is found.sameness
    assert [] == _of(verify(frozen), Difference.WRITABLE)
    (month / layout.HEAD).chmod(0o444)
    assert f"{count - 1} of {count}" in verify(month).findings[0].what


def test_other_cases_are_noted_where_a_month_is_older(month: Path) -> None:
    """Actions and safety are held only against the cases the month was written from."""
    recipe = json.loads((month / layout.RECIPE).read_text(encoding="utf-8"))
    recipe["words"]["cases_sha256"] = "0" * 64
    (month / layout.RECIPE).write_bytes(pretty_json(recipe))
    _reseal(month)
    found = verify(month)
    assert (Sameness.IDENTICAL, 1) == (found.sameness, sum("actions and safety were not checked" in note for note in found.notes))


def test_no_month_is_no_verification(tmp_path: Path) -> None:
    """A folder without a head, or none at all, is the input's fault."""
    with pytest.raises(FileError, match="no frozen month here"):
        verify(tmp_path)
