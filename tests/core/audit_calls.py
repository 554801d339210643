"""Sibling calls with planted faults, and learners that need no library, for the tests of audits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from core.schemas.base import content_hash
from core.schemas.snapshots import (
    CallTurn,
    CallVoices,
    Delivery,
    Generation,
    Label,
    Participant,
    PathState,
    Rationale,
    Side,
    SnapshotCall,
    Stop,
    VoiceChoice,
)
from core.seeds import generator
from core.snapshots.audits.features import Features

OPENINGS = ("您好，这里是服务中心。", "您好，关于您的订单。", "喂，我是社区的。", "您好，学校打来的。", "您好，我是房东的朋友。")
FILLERS = (
    "请您稍等。",
    "我看一下记录。",
    "这件事有点急。",
    "您别着急。",
    "我们慢慢说。",
    "您听我讲完。",
    "好的，我明白。",
    "嗯，知道了。",
)
EVIDENCE = {Label.FRAUD: "请您现在把口令告诉我。", Label.NONFRAUD: "请您到柜台去当面办理。"}
STATES = {Label.FRAUD: PathState.FRAUD, Label.NONFRAUD: PathState.NONFRAUD}


def sibling(
    tree: int,
    number: int,
    label: Label,
    cue: str = "",
    evidence: str | None = None,
    delivery: Delivery = Delivery.NEUTRAL,
    opening: str | None = None,
) -> SnapshotCall:
    """A call of five turns whose fourth shows the label; `cue` goes before the third turn's words."""
    rng = generator(5, "sibling", tree, number, label.value)
    filler = [FILLERS[i] for i in rng.integers(len(FILLERS), size=4)]
    shows = EVIDENCE[label] if evidence is None else evidence
    first = (opening or OPENINGS[tree % len(OPENINGS)]) + f"这是第{tree}件事。"
    said = [
        (Side.CALLER, first),
        (Side.RECEIVER, FILLERS[tree % len(FILLERS)]),
        (Side.CALLER, cue + filler[1]),
        (Side.CALLER, shows + filler[2]),
    ]
    said.append((Side.RECEIVER, filler[3]))
    turns = tuple(
        CallTurn(
            i=i,
            side=side,
            action=f"show.{label.value.lower()}" if i == 3 else "talk",
            text=text,
            delivery=delivery if i > 1 else Delivery.CALM,
            before=PathState.AMBIGUOUS if i <= 3 else STATES[label],
            after=PathState.AMBIGUOUS if i < 3 else STATES[label],
        )
        for i, (side, text) in enumerate(said)
    )
    person = Participant(role="店员", gender=("female", "male")[tree % 2], age=30 + tree)
    return SnapshotCall(
        sample_id=content_hash(["sibling", tree, number, label.value])[:24],
        tree_id=f"tree-{tree:02d}",
        family_id=f"family-{tree % 4}",
        abstract_id=f"case-{tree}",
        language="zh",
        leaf_path=("talk", f"show.{label.value.lower()}"),
        label=label,
        rationale=Rationale(
            shared_context="同一件事",
            separating_action=f"show.{label.value.lower()}",
            separating_turn=3,
            evidence="第四句",
            evidence_turns=(3,),
            final_label=label,
        ),
        turns=turns,
        opening_turns=2,
        stop=Stop(reason="说完了", depth=2, early=False),
        caller=person,
        receiver=person,
        generation=Generation(agents={"caller": "offline"}, profile_sha256="0" * 64, seed=5),
    )


def forest(trees: int = 10, each: int = 4) -> list[SnapshotCall]:
    """Trees with as many fraud as lawful calls each."""
    return [sibling(tree, number, label) for tree in range(trees) for number in range(each) for label in Label]


def voices(caller: str, receiver: str = "voice-r") -> CallVoices:
    """Voices of a call."""
    return CallVoices(
        caller=VoiceChoice(voice_id=caller, score=1.0, parts={"role": 1.0}, considered=2),
        receiver=VoiceChoice(voice_id=receiver, score=1.0, parts={"role": 1.0}, considered=2),
    )


class CountedBigrams:
    """Calls a text what most of its character pairs were seen in; ties are lawful."""

    name = "counted-bigrams"

    def __init__(self, counts: Mapping[Label, Counter[str]] | None = None) -> None:
        self._counts = counts or {}

    def fit(self, items: Sequence[str], labels: Sequence[Label]) -> CountedBigrams:
        """Count pairs by label."""
        counts: dict[Label, Counter[str]] = {label: Counter() for label in Label}
        for text, label in zip(items, labels, strict=True):
            counts[label].update({text[i : i + 2] for i in range(len(text) - 1)})
        return CountedBigrams(counts)

    def predict(self, items: Sequence[str]) -> list[Label]:
        """A label for each text."""
        return [self._of({text[i : i + 2] for i in range(len(text) - 1)}) for text in items]

    def _of(self, pairs: set[str]) -> Label:
        fraud, lawful = self._counts[Label.FRAUD], self._counts[Label.NONFRAUD]
        lean = sum(
            (fraud[pair] - lawful[pair]) / (fraud[pair] + lawful[pair]) for pair in sorted(pairs) if fraud[pair] + lawful[pair]
        )
        return Label.FRAUD if lean > 0 else Label.NONFRAUD


class CountedFeatures:
    """Calls features what most of their values were seen in; ties are lawful."""

    name = "counted-features"

    def __init__(self, counts: Mapping[tuple[str, float | str], int] | None = None) -> None:
        self._counts = counts or {}

    def fit(self, items: Sequence[Features], labels: Sequence[Label]) -> CountedFeatures:
        """Count values, fraud up and lawful down."""
        counts: Counter[tuple[str, float | str]] = Counter()
        for item, label in zip(items, labels, strict=True):
            for pair in item.items():
                counts[pair] += 1 if label == Label.FRAUD else -1
        return CountedFeatures(counts)

    def predict(self, items: Sequence[Features]) -> list[Label]:
        """A label for each."""
        sums = [sum(self._counts.get(pair, 0) for pair in item.items()) for item in items]
        return [Label.FRAUD if total > 0 else Label.NONFRAUD for total in sums]
