"""Calls that others published become ours with their order, their label and their dirt accounted for (check 39)."""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from core.errors import FileError, InputError
from core.schemas.imported_calls import CallImportReport
from core.schemas.snapshots import Label, Side
from core.snapshots.importing.arrays import import_arrays
from core.snapshots.importing.collecting import read_calls, write_calls
from core.snapshots.importing.release28k import import_release28k, is_release28k

STAMP = "20250228_000001"
ORDINARY = [("left", "您好，这里是订餐台。"), ("right", "我想订两份炒饭。"), ("left", "好的，半小时送到。")]


def _record(turns: Sequence[tuple[str, str]]) -> dict[str, Any]:
    return {"dialogue_history": [{"role": role, "content": text, "timestamp": 1.5} for role, text in turns], "turns": 0}


def _release(root: Path, kind: str, calls: Mapping[str, Sequence[tuple[str, str]]], stamp: str = STAMP) -> None:
    """A release of one file, whose rows hold each side's turns apart as the real one's do."""
    records = root / f"{'normal-' if kind == 'normal' else ''}full_dialogues_{stamp}"
    records.mkdir(parents=True)
    rows = []
    for name, turns in calls.items():
        sides = {side: [text for role, text in turns if role == side] for side in ("left", "right")}
        rows.append({"tts_id": name, **sides, "fraud_type": "订餐服务", "occupation": "学生", "terminator": "user_end"})
        (records / f"{name}.json").write_text(json.dumps(_record(turns), ensure_ascii=False), "utf-8")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (root / f"{kind}_dialogues-{stamp}.jsonl").write_text(lines, "utf-8")


def test_the_order_is_that_of_the_full_record(tmp_path: Path) -> None:
    """Two turns of one side in a row keep their place, which a row with sides apart cannot say."""
    turns = [("left", "喂，你好。"), ("right", "你好。"), ("right", "请问是哪位？"), ("left", "我是楼下的小周。")]
    _release(tmp_path, "normal", {"tts_fraud_00001": turns})
    call = import_release28k(tmp_path).calls[0]
    assert [("caller", "喂，你好。"), ("receiver", "你好。"), ("receiver", "请问是哪位？"), ("caller", "我是楼下的小周。")] == [
        (turn.side.value, turn.text) for turn in call.turns
    ]


def test_the_label_is_that_of_the_file_and_ids_carry_its_stamp(tmp_path: Path) -> None:
    """Both files name their rows `tts_fraud_...` with the same numbers; neither id nor label is taken from that name."""
    _release(tmp_path, "normal", {"tts_fraud_00001": ORDINARY})
    _release(tmp_path, "fraud", {"tts_fraud_00001": [("left", "我是你的老同学。"), ("right", "哪一位？")]}, "20250301_000002")
    found = {call.sample_id: call.label for call in import_release28k(tmp_path).calls}
    assert {"taf28k-20250301-000002-00001": Label.FRAUD, "taf28k-20250228-000001-00001": Label.NONFRAUD} == found


@pytest.mark.parametrize(
    ("reason", "turns"),
    [
        ("api_failure", [*ORDINARY, ("right", "API调用失败：稍后再试")]),
        ("leftover_marker", [*ORDINARY, ("right", "好的，再见。##TERMINATE_SIGNAL##")]),
        ("bracketed_remark", [*ORDINARY, ("right", "（语气急促）快一点。")]),
        ("bracketed_remark", [*ORDINARY, ("right", "我的邮箱是[您的邮箱]。")]),
        ("markup_or_link", [*ORDINARY, ("right", "我在**大学**门口。")]),
        ("several_paragraphs", [*ORDINARY, ("right", "好的。\n\n我再想想。")]),
        ("turn_without_words", [*ORDINARY, ("right", "……")]),
        ("one_side_only", [("left", "喂？"), ("left", "听得见吗？")]),
        ("unreadable_record", [*ORDINARY, ("system", "通话结束")]),
    ],
)
def test_a_dirty_row_is_left_out_and_counted_by_its_reason(tmp_path: Path, reason: str, turns: Sequence[tuple[str, str]]) -> None:
    """A row with anything that nobody says on the telephone becomes no call, and the report says why."""
    _release(tmp_path, "normal", {"tts_fraud_00001": ORDINARY, "tts_fraud_00002": turns})
    report = import_release28k(tmp_path).report
    assert (2, {reason: 1}, 1) == (report.rows, report.dropped, report.kept)


def test_broken_rows_and_missing_records_are_counted(tmp_path: Path) -> None:
    """A line that is no JSON object and a row whose record is not there end in the counts, and stop nothing."""
    _release(tmp_path, "normal", {"tts_fraud_00001": ORDINARY})
    path = tmp_path / f"normal_dialogues-{STAMP}.jsonl"
    path.write_text(path.read_text("utf-8") + '{"tts_id": \n[]\n\n{"tts_id": "../secret"}\n', "utf-8")
    report = import_release28k(tmp_path).report
    assert (4, {"unreadable_row": 2, "no_full_record": 1}) == (report.rows, report.dropped)


def test_the_same_words_count_once_and_contradicting_labels_not_at_all(tmp_path: Path) -> None:
    """Equal but for punctuation is the same text; a text under both labels says nothing about either."""
    other = [("left", "喂，在家吗？"), ("right", "在家。")]
    again = [(role, text.replace("，", " ")) for role, text in ORDINARY]
    _release(tmp_path, "normal", {"a_1": ORDINARY, "a_2": again, "a_3": other})
    _release(tmp_path, "fraud", {"a_1": other}, "20250301_000002")
    imported = import_release28k(tmp_path)
    assert {"same_words": 1, "contradicting_label": 2} == imported.report.dropped
    assert ["taf28k-20250228-000001-a-1"] == [call.sample_id for call in imported.calls]


def test_words_that_differ_from_the_row_are_the_record_s_and_are_counted(tmp_path: Path) -> None:
    """The row had its dots rewritten; the record has them as they were."""
    _release(tmp_path, "normal", {"a_1": [("left", "我想想...好吧。"), ("right", "不急。")]})
    path = tmp_path / f"normal_dialogues-{STAMP}.jsonl"
    path.write_text(path.read_text("utf-8").replace("...", "，"), "utf-8")
    imported = import_release28k(tmp_path)
    assert ({"words_of_full_record": 1}, "我想想...好吧。") == (imported.report.changed, imported.calls[0].turns[0].text)


def test_an_archive_gives_what_its_folder_gives_and_nothing_beside_it_is_read(tmp_path: Path) -> None:
    """A tar archive is read without unpacking, and scripts or logs in it are not looked at."""
    folder = tmp_path / "release"
    _release(folder, "normal", {"tts_fraud_00001": ORDINARY})
    (folder / "config.json").write_text("no JSON, and somebody's key", "utf-8")
    archive = tmp_path / "release.tar.xz"
    with tarfile.open(archive, "w:xz") as made:
        made.add(folder, "release")
    assert import_release28k(folder) == import_release28k(archive)
    assert [True, True, False] == [is_release28k(path) for path in (folder, archive, folder / "config.json")]


def test_a_source_without_a_sound_row_is_refused(tmp_path: Path) -> None:
    """Nothing to read, no archive, or only dirty rows: one line that says what was found."""
    with pytest.raises(InputError, match="no file is named"):
        import_release28k(tmp_path)
    (tmp_path / "broken.tar").write_bytes(b"no archive")
    with pytest.raises(FileError, match="neither a folder nor a whole tar archive"):
        import_release28k(tmp_path / "broken.tar")
    _release(tmp_path, "normal", {"a_1": [("left", "##"), ("right", "##")]})
    with pytest.raises(InputError, match="no call in 1 rows"):
        import_release28k(tmp_path)


def test_a_truncated_archive_is_refused(tmp_path: Path) -> None:
    """Half an archive is not read as a small release."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:xz") as made:
        data = os.urandom(40_000)
        info = tarfile.TarInfo("release/normal_dialogues-20250228_000001.jsonl")
        info.size = len(data)
        made.addfile(info, io.BytesIO(data))
    path = tmp_path / "half.tar.xz"
    path.write_bytes(whole.getvalue()[:20_000])
    with pytest.raises(FileError, match="neither a folder nor a whole tar archive"):
        import_release28k(path)


def test_a_report_that_does_not_add_up_is_no_report(tmp_path: Path) -> None:
    """Rows in are calls out and rows left out, always."""
    _release(tmp_path, "normal", {"a_1": ORDINARY})
    data = import_release28k(tmp_path).report.model_dump()
    with pytest.raises(ValidationError, match="do not add up"):
        CallImportReport.model_validate({**data, "dropped": {"api_failure": 1}})


def test_calls_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    """`calls.jsonl` holds every field; a folder that is there already is not written over, and a broken line is named."""
    _release(tmp_path / "release", "normal", {"a_1": ORDINARY})
    imported = import_release28k(tmp_path / "release")
    write_calls(tmp_path / "out", imported)
    assert imported.calls == read_calls(tmp_path / "out")
    with pytest.raises(FileError, match="is there already"):
        write_calls(tmp_path / "out", imported)
    with (tmp_path / "out" / "calls.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"sample_id": "x"}\n')
    with pytest.raises(FileError, match="line 2: no imported call"):
        read_calls(tmp_path / "out")


@pytest.mark.data
def test_the_text_release_comes_in_with_its_documented_counts() -> None:
    """The part of the release that is at hand: 5,295 rows, and docs/snapshot-audits.md lists what became of them."""
    report = import_release28k(Path(os.environ["RINGBACK_TEST_DATA"]) / "teleantifraud-28k-text.tar.xz").report
    assert 5295 == report.rows
    assert {
        "api_failure": 35,
        "leftover_marker": 26,
        "bracketed_remark": 328,
        "markup_or_link": 103,
        "several_paragraphs": 18,
        "turn_without_words": 13,
        "same_words": 2,
    } == report.dropped
    assert {Label.FRAUD: 3326, Label.NONFRAUD: 1444} == report.labels
    assert {"order_of_full_record": 75, "words_of_full_record": 153} == report.changed


def _row(**changes: Any) -> dict[str, Any]:
    row = {
        "sample_id": "taf2_case1_0123456789ab",
        "is_fraud": True,
        "scenario_id": "case1",
        "tree_id": "tree_case1",
        "branch_status": "fraud",
        "turns": [
            {"role": "assistant", "text": "您好，我是客服。", "emotion": "professional", "speaker": "SPEAKER0"},
            {"role": "user", "text": "有什么事？", "emotion": "confused", "speaker": "SPEAKER1"},
        ],
        "metadata": {"path": [0, 2], "scenario": {}, "generator": "offline"},
        "higgs_text": "[SPEAKER0]您好，我是客服。\n[SPEAKER1]<|emotion:confusion|>有什么事？",
    }
    made = {**row, **changes}
    return {key: value for key, value in made.items() if value is not None}


def _arrays(tmp_path: Path, *rows: object) -> Path:
    path = tmp_path / "dialogues.json"
    path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8-sig")
    return path


def test_a_dialogue_of_the_public_tools_is_read(tmp_path: Path) -> None:
    """Speakers are mapped, ids take the source's prefix, emotion stands beside the words, a byte order mark is no fault."""
    call = import_arrays(_arrays(tmp_path, _row())).calls[0]
    assert ("taf2-case1-0123456789ab", "taf2-tree-case1", Label.FRAUD, "zh") == (
        call.sample_id,
        call.group,
        call.label,
        call.language,
    )
    assert [(Side.CALLER, "professional"), (Side.RECEIVER, "confused")] == [(turn.side, turn.delivery) for turn in call.turns]
    assert call.audio is None


def test_a_snapshot_row_keeps_the_name_of_its_recording(tmp_path: Path) -> None:
    """A row with `label` and a recording; the snapshot's id is part of ours, since the tools use ids again."""
    row = _row(
        is_fraud=None,
        label="NONFRAUD",
        branch_status="legitimate",
        snapshot_id="2026_06",
        audio_path="a.wav",
        audio_sha256="0" * 64,
    )
    call = import_arrays(_arrays(tmp_path, row)).calls[0]
    assert ("taf2-2026-06-case1-0123456789ab", Label.NONFRAUD) == (call.sample_id, call.label)
    assert call.audio is not None
    assert ("a.wav", "0" * 64) == (call.audio.path, call.audio.sha256)


def test_turns_come_from_tagged_text_where_there_are_none(tmp_path: Path) -> None:
    """Tags leave the words, and become the delivery."""
    imported = import_arrays(_arrays(tmp_path, _row(turns=None)))
    assert [("您好，我是客服。", None), ("有什么事？", "confusion")] == [(t.text, t.delivery) for t in imported.calls[0].turns]
    assert {"turns_of_tagged_text": 1, "tags_or_spaces_taken_out": 1} == imported.report.changed


@pytest.mark.parametrize(
    ("reason", "row"),
    [
        ("unlabelled", _row(branch_status="shared", is_fraud=False)),
        ("unlabelled", _row(is_fraud=None)),
        ("labels_disagree", _row(label="NONFRAUD")),
        ("unknown_label", _row(label="SCAM")),
        ("unknown_label", _row(is_fraud="false")),
        ("no_turns", _row(turns=None, higgs_text=None)),
        ("unknown_speaker", _row(turns=[{"role": "system", "text": "嘟"}, {"role": "user", "text": "喂"}])),
        ("one_side_only", _row(turns=[{"role": "user", "text": "喂"}, {"role": "user", "text": "喂？"}])),
        ("turn_without_words", _row(turns=[{"role": "user", "text": "喂"}, {"role": "caller", "text": "<|emotion:fear|>"}])),
        ("unreadable_row", _row(turns=None, higgs_text="喂，你好")),
        ("unreadable_row", "no object"),
        ("no_id", _row(sample_id="编号")),
        ("same_words", _row(sample_id="taf2_case1_ffffffffffff")),
    ],
)
def test_a_row_that_is_no_labelled_call_is_left_out(tmp_path: Path, reason: str, row: object) -> None:
    """An unlabelled or broken row stops nothing and is counted; the public tools' shared rows are never lawful calls."""
    report = import_arrays(_arrays(tmp_path, _row(), row)).report
    assert (2, {reason: 1}, 1) == (report.rows, report.dropped, report.kept)


@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [("[", FileError, "not a JSON file"), ("{}", FileError, "an array of dialogues is expected"), ("[]", InputError, "empty")],
)
def test_a_file_that_is_no_array_is_refused(tmp_path: Path, content: str, kind: type[Exception], words: str) -> None:
    """Whatever else a file holds, the error says so in one line."""
    (tmp_path / "rows.json").write_text(content, "utf-8")
    with pytest.raises(kind, match=words):
        import_arrays(tmp_path / "rows.json")


def test_of_two_different_calls_under_one_id_the_first_is_kept(tmp_path: Path) -> None:
    """The public tools give one id to calls of different seeds: the later one is counted, and stops no other row."""
    imported = import_arrays(_arrays(tmp_path, _row(), _row(turns=OTHER)))
    assert ({"repeated_id": 1}, 1) == (imported.report.dropped, imported.report.kept)
    assert "您好，我是客服。" == imported.calls[0].turns[0].text


OTHER = [{"role": "caller", "text": "喂"}, {"role": "user", "text": "你好"}]


@pytest.mark.parametrize(
    "row",
    [
        _row(branch_status=["fraud"]),
        _row(branch_status={"fraud": 1}),
        _row(sample_id="x", turns=[{"role": "caller", "text": "喂\ud800"}, {"role": "user", "text": "你好"}]),
        _row(sample_id="x", scenario_id="\udfff", turns=OTHER),
        _row(sample_id="x", turns=OTHER, quality={"note": "\ud800"}),
        _row(sample_id="x", turns=OTHER, quality={"mos": float("nan")}),
        _row(sample_id="x", turns=OTHER, metadata={"a": [float("-inf")]}),
        _row(sample_id="\ud800", turns=OTHER),
        _row(label=["FRAUD"]),
    ],
    ids=["list", "object", "half in words", "half in family", "half in details", "nan", "infinite", "half in id", "label"],
)
def test_no_row_stops_the_others(tmp_path: Path, row: dict[str, Any]) -> None:
    """Values of another shape, halves of surrogate pairs and numbers that no file can hold: counted, and the rest is written."""
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([_row(), row]), "utf-8")
    imported = import_arrays(path)
    assert 1 == imported.report.kept
    assert sum(imported.report.dropped.get(reason, 0) for reason in ("unreadable_row", "unknown_label", "no_id")) == 1
    write_calls(tmp_path / "out", imported)
    assert imported.calls == read_calls(tmp_path / "out")


def test_a_record_of_another_shape_stops_no_other(tmp_path: Path) -> None:
    """A side that is a list, in a full record of the text release."""
    _release(tmp_path, "normal", {"a_1": ORDINARY, "a_2": ORDINARY})
    record = {"dialogue_history": [{"role": ["left"], "content": "喂"}]}
    (tmp_path / f"normal-full_dialogues_{STAMP}" / "a_2.json").write_text(json.dumps(record), "utf-8")
    report = import_release28k(tmp_path).report
    assert ({"unreadable_row": 1}, 1) == (report.dropped, report.kept)


def test_long_ids_that_differ_at_their_ends_stay_apart(tmp_path: Path) -> None:
    """What is cut from a name is hashed: of calls, of trees, and of both behind the name of a snapshot."""
    name = "case_" * 20
    rows = [_row(sample_id=f"{name}{i}", tree_id=f"{name}{i}", snapshot_id=name) for i in range(2)]
    rows[1]["turns"] = OTHER
    calls = import_arrays(_arrays(tmp_path, *rows)).calls
    assert [2, 2] == [len({call.sample_id for call in calls}), len({call.group for call in calls})]
    assert [80, 80] >= [len(call.sample_id) for call in calls]


@pytest.mark.parametrize("tag", ["<|emotion:fear|>", "<|Emotion: Fear|>", "<|FRAUD|>", "<|sfx_sigh|>", "<||>", "<|情绪：恐惧|>"])
def test_no_tag_is_left_in_the_words(tmp_path: Path, tag: str) -> None:
    """A delivery would tell a detector of words what it must hear; whatever stands in a tag goes."""
    rows = _row(turns=[{"role": "caller", "text": f"喂{tag}您好"}, {"role": "user", "text": "你好"}])
    assert "喂 您好" == import_arrays(_arrays(tmp_path, rows)).calls[0].turns[0].text
    half = _row(sample_id="x", turns=[{"role": "caller", "text": f"喂{tag[:-1]}"}, {"role": "user", "text": "你好"}])
    assert {"leftover_marker": 1} == import_arrays(_arrays(tmp_path, _row(), half)).report.dropped


def test_a_delivery_is_read_from_its_tag_however_it_is_written(tmp_path: Path) -> None:
    """Capitals and spaces change nothing."""
    row = _row(turns=None, higgs_text="[SPEAKER0]<|Emotion: fear |>您好。\n[SPEAKER1]<|sfx|>什么？")
    assert [("您好。", "fear"), ("什么？", None)] == [
        (turn.text, turn.delivery) for turn in import_arrays(_arrays(tmp_path, row)).calls[0].turns
    ]


def test_files_of_one_name_and_ids_of_one_stamp_stay_apart(tmp_path: Path) -> None:
    """Two folders with a file of one name are two files of the report; both kinds of one stamp get their kind into the id."""
    words = [[("left", f"喂，第{i}回。"), ("right", "在听。")] for i in range(3)]
    _release(tmp_path / "a", "normal", {"tts_fraud_00001": words[0]})
    _release(tmp_path / "b", "normal", {"tts_fraud_00002": words[1]})
    apart = import_release28k(tmp_path)
    assert [(f"{folder}/normal_dialogues-{STAMP}.jsonl", 1, 1) for folder in "ab"] == [
        (file.file, file.rows, file.kept) for file in apart.report.files
    ]
    assert ["taf28k-20250228-000001-00001", "taf28k-20250228-000001-00002"] == [call.sample_id for call in apart.calls]
    _release(tmp_path / "c", "fraud", {"tts_fraud_00001": words[2]})
    both = import_release28k(tmp_path)
    assert {"taf28k-20250228-000001-fraud-00001", "taf28k-20250228-000001-normal-00001"} < {call.sample_id for call in both.calls}
    assert (3, {}) == (both.report.kept, both.report.dropped)
