"""The unrelated tier: everyday dialogues of our own, the same on every machine, and nothing in them that a call may not say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.errors import FileError, UsageError
from core.schemas.casefile import DeniedNames
from core.schemas.everyday import EverydayPlot, EverydayTopic
from core.schemas.snapshots import Label, Side
from core.snapshots.audits.overlap import near_duplicates
from core.snapshots.audits.samples import imported_samples
from core.snapshots.building.library import case_folder
from core.snapshots.building.safety import unsafe
from core.snapshots.everyday import everyday_calls, expand, load_topics
from core.snapshots.plain import plain
from core.yamlfile import read_data

EVERY = everyday_calls()
PLOT: dict[str, object] = {
    "id": "walk",
    "people": [{"caller": "小林", "receiver": "阿杰"}],
    "details": [{"place": "河边"}, {"place": "公园"}],
    "turns": [
        {"caller": ["{receiver}，去{place}走走？"]},
        {"receiver": ["好啊，{caller}。"]},
        {"maybe": [{"caller": ["带把伞。"]}, {"receiver": ["带了。"]}]},
        {"either": [[{"caller": ["下午见。"]}], [{"caller": ["晚上见。"]}]]},
    ],
}


def _topic(plot: dict[str, object]) -> tuple[EverydayTopic, EverydayPlot]:
    topic = EverydayTopic.model_validate({"topic": "walks", "title": "散步", "plots": [plot]})
    return topic, topic.plots[0]


def test_the_tier_holds_330_different_lawful_dialogues_of_ten_topics() -> None:
    """Issue 5 asks for at least 300 of ten everyday topics; all have both sides and no two have the same words."""
    calls = EVERY
    assert (330, 330, 10, {Label.NONFRAUD}) == (
        len(calls),
        len({plain(call.text) for call in calls}),
        len({call.family for call in calls}),
        {call.label for call in calls},
    )
    assert [] == [call.sample_id for call in calls if {turn.side for turn in call.turns} != set(Side) or len(call.turns) < 6]


def test_sides_take_turns() -> None:
    """Where turns between two of one side are left out, the two become one: nobody speaks twice in a row."""
    wrong = [call.sample_id for call in EVERY if any(a.side == b.side for a, b in zip(call.turns, call.turns[1:], strict=False))]
    assert [] == wrong


def test_the_tier_is_the_same_every_time_and_another_seed_gives_others() -> None:
    """The dialogues follow from the files and the seed alone."""
    assert EVERY == everyday_calls()
    assert EVERY[0].text != everyday_calls(seed=5)[0].text


def test_no_dialogue_is_nearly_another_one() -> None:
    """No two dialogues share four fifths of their shingles."""
    assert 0 == near_duplicates(imported_samples(EVERY), seed=1).pairs


def test_nothing_in_the_tier_is_unsafe_or_about_fraud_and_service() -> None:
    """The safety rules of built calls hold here too, and the words of the other tiers do not occur."""
    denied = DeniedNames.model_validate(read_data(case_folder() / "denied.yaml"))
    other = ("诈骗", "转账", "银行", "账户", "验证码", "客服", "密码", "贷款", "套餐", "快递", "身份证")
    assert [] == [(call.sample_id, found) for call in EVERY if (found := unsafe(call.text, denied)) is not None]
    assert [] == [(call.sample_id, word) for call in EVERY for word in other if word in call.text]


def test_a_plot_is_a_group() -> None:
    """Dialogues of one plot share wordings, so they have one group, and other plots have others."""
    assert 33 == len({call.group for call in EVERY})
    assert [10] * 33 == [sum(call.group == group for call in EVERY) for group in {c.group for c in EVERY}]


def test_a_plot_expands_by_its_records_and_its_ways() -> None:
    """Two records and two by two ways are eight dialogues; a ninth is refused."""
    topic, plot = _topic(PLOT)
    found = {call.text for call in expand(topic, plot, "zh", 1, 8)}
    assert "caller: 阿杰，去河边走走？\nreceiver: 好啊，小林。\ncaller: 带把伞。\nreceiver: 带了。\ncaller: 下午见。" in found
    assert "caller: 阿杰，去公园走走？\nreceiver: 好啊，小林。\ncaller: 晚上见。" in found
    assert 8 == len(found)
    with pytest.raises(FileError, match="fewer than 9 different dialogues"):
        expand(topic, plot, "zh", 1, 9)


def test_a_wording_without_its_detail_is_named() -> None:
    """A wording may name only what every record of details has, and the two people."""
    turns = [{"caller": ["去{where}？"]}, {"receiver": ["好。"]}, {"caller": ["走。"]}, {"receiver": ["走。"]}]
    with pytest.raises(ValidationError, match=r"'去\{where\}？' names \['where'\]"):
        _topic({**PLOT, "turns": turns})
    with pytest.raises(ValidationError, match="what the two call each other"):
        _topic({**PLOT, "people": [{"caller": "小林"}]})


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"caller": ["喂"], "receiver": ["喂"]}, "not caller, receiver"),
        ({}, "not nothing"),
        ({"maybe": [{}]}, "by one of them only"),
    ],
)
def test_a_step_is_one_thing(tmp_path: Path, step: dict[str, object], words: str) -> None:
    """A step of two kinds or of none is a fault of the file, named with its place."""
    topic = {"topic": "walks", "title": "散步", "plots": [{**PLOT, "turns": [step] * 4}]}
    (tmp_path / "walks.yaml").write_text(json.dumps(topic), "utf-8")
    with pytest.raises(FileError, match=words):
        load_topics(tmp_path)


def test_a_language_without_dialogues_and_a_folder_without_topics_are_refused(tmp_path: Path) -> None:
    """Both errors say what there is."""
    with pytest.raises(UsageError, match="no everyday dialogues for language 'fr'"):
        everyday_calls("fr")
    with pytest.raises(FileError, match="no topics here"):
        load_topics(tmp_path)
