"""Calls go out to people without anything that tells a label; what comes back is counted or refused, never guessed (check 22)."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from core.errors import FileError, UsageError
from core.schemas.experts import ExpertReport
from core.schemas.snapshots import Label, SnapshotCall
from core.snapshots.experts.figures import expert_report
from core.snapshots.experts.filled import read_filled, read_key
from core.snapshots.experts.instructions import COLUMNS
from core.snapshots.experts.packets import Packets, draw_packets, write_packets
from tests.core.audit_calls import forest

Rows = list[dict[str, str]]
CALLS = forest(12, 3)


def _draw(calls: Sequence[SnapshotCall] = CALLS, items: int = 10, experts: int = 2, shared: int = 0, seed: int = 3) -> Packets:
    return draw_packets(calls, "2026-11-test", "a" * 64, items=items, experts=experts, shared=shared, seed=seed)


def _rows(path: Path) -> Rows:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))


def _save(path: Path, rows: Rows, encoding: str = "utf-8-sig", delimiter: str = ",", lineterminator: str = "\r\n") -> None:
    made = io.StringIO(newline="")
    writer = csv.DictWriter(made, COLUMNS, delimiter=delimiter, lineterminator=lineterminator)
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(made.getvalue().encode(encoding))


def _filled(folder: Path, answers: Callable[[int, int, Label], Mapping[str, str]], packets: Packets) -> ExpertReport:
    """The report after every packet was filled; `answers` takes packet, row and the label of the month."""
    write_packets(folder, packets)
    for number, packet in enumerate(packets.key.packets):
        rows = _rows(folder / packet.file)
        for place, (row, item) in enumerate(zip(rows, packet.items, strict=True)):
            row.update(answers(number, place, item.label))
        _save(folder / packet.file, rows)
    key = read_key(folder)
    return expert_report(key, read_filled(folder, key))


def _other(label: Label) -> Label:
    return Label.NONFRAUD if label == Label.FRAUD else Label.FRAUD


def test_a_packet_tells_nothing_but_words(tmp_path: Path) -> None:
    """No id, tree, path, label, delivery or root hash stands in what is handed out, and items are numbered as they stand."""
    packets = _draw()
    handed_out = "\n".join(packets.files.values())
    secrets = {text for call in CALLS for text in (call.sample_id, call.tree_id, call.family_id, *call.leaf_path[1:])}
    secrets |= {"a" * 64, "2026-11-test", "professional", "neutral", "calm"}
    assert [] == [secret for secret in sorted(secrets) if secret in handed_out]
    write_packets(tmp_path / "packets", packets)
    rows = _rows(tmp_path / "packets" / "packet-01.csv")
    assert [f"p01-{place:03d}" for place in range(1, 11)] == [row["item"] for row in rows]
    assert {("", "", "", "", "")} == {tuple(row[column] for column in COLUMNS[2:]) for row in rows}
    texts = {call.sample_id: call.text for call in CALLS}
    assert [texts[item.sample_id] for item in packets.key.packets[0].items] == [row["call"] for row in rows]


def test_packets_are_balanced_shuffled_and_the_same_for_the_same_seed() -> None:
    """Half of each label, in no order of labels; another seed draws others."""
    packets = _draw(items=20)
    labels = [[item.label for item in packet.items] for packet in packets.key.packets]
    assert [{Label.FRAUD: 10, Label.NONFRAUD: 10}] * 2 == [dict(Counter(sorted(of))) for of in labels]
    assert all(len(list(itertools.groupby(of))) > 4 for of in labels)
    assert labels[0] != labels[1]
    assert packets == _draw(CALLS[::-1], items=20)
    assert packets.key.packets != _draw(items=20, seed=4).key.packets


def test_a_month_of_few_lawful_calls_gives_what_it_has() -> None:
    """Where one label runs out the other fills the packet, and no call stands twice in it."""
    lawful = [call for call in CALLS if call.label == Label.NONFRAUD][:3]
    fraud = [call for call in CALLS if call.label == Label.FRAUD]
    packet = _draw(fraud + lawful, items=15).key.packets[0]
    assert {Label.FRAUD: 12, Label.NONFRAUD: 3} == Counter(item.label for item in packet.items)
    assert 15 == len({item.sample_id for item in packet.items})


def test_no_call_comes_again_before_all_have_come_and_shared_ones_are_everywhere() -> None:
    """Packets are apart while there are calls; the shared ones are in each, so that people can be compared."""
    apart = _draw(items=24, experts=3)
    assert {1} == set(Counter(item.sample_id for packet in apart.key.packets for item in packet.items).values())
    sets = [{item.sample_id for item in packet.items} for packet in _draw(items=20, experts=3, shared=4).key.packets]
    assert 4 == len(sets[0] & sets[1] & sets[2])
    assert 4 == len(sets[0] & sets[1])
    assert [20, 20, 20] == [len(of) for of in sets]


@pytest.mark.parametrize(
    ("given", "words"),
    [((73, 0), "--items 73: 2026-11-test has 72 calls"), ((10, 11), "--shared 11: a packet holds 10 calls")],
)
def test_packets_larger_than_the_month_are_refused(given: tuple[int, int], words: str) -> None:
    """One line says what there is."""
    with pytest.raises(UsageError, match=words):
        _draw(items=given[0], shared=given[1])


def test_ten_packets_of_a_hundred_are_counted_as_the_paper_counts_them(tmp_path: Path) -> None:
    """Mean 0.792, range 0.700 to 0.880, 494 FRAUD and 506 NONFRAUD, confidence 4.431, 744 sufficient (paper, appendix B).

    Per packet so many fraud calls are missed and so many lawful ones suspected: 107 and 101 of 1,000.
    """
    wrong = [(15, 15), (6, 6), *[(11, 10)] * 6, (10, 10), (10, 10)]
    packets = _draw(forest(50, 10), items=100, experts=10)
    seen: Counter[tuple[int, Label]] = Counter()
    count = itertools.count()

    def answers(packet: int, _place: int, label: Label) -> Mapping[str, str]:
        seen[packet, label] += 1
        missed = seen[packet, label] <= wrong[packet][label == Label.NONFRAUD]
        nth = next(count)
        return {
            "label": _other(label) if missed else label,
            "confidence": str(4 if nth < 569 else 5),
            "sufficient": "yes" if nth < 744 else "no",
            "correct": "yes" if nth % 2 else "no",
        }

    found = _filled(tmp_path / "packets", answers, packets)
    assert 0.792 == pytest.approx(found.agreement, abs=1e-12)
    assert (0.7, 0.88) == (found.lowest, found.highest)
    assert {Label.FRAUD: 494, Label.NONFRAUD: 506} == found.labels
    assert (4.431, 1000, 744, 1000, 500) == (
        found.confidence,
        found.confidences,
        found.sufficient,
        found.sufficient_answers,
        found.correct,
    )
    # Cohen 1960: po 0.792; pe = .5 * .494 + .5 * .506 = .5
    assert 0.584 == pytest.approx(found.kappa)
    assert 1000 == found.labelled
    assert 792 == len(found.agreed_only)
    assert 208 == len(found.doubted)


def test_people_are_compared_where_their_packets_overlap(tmp_path: Path) -> None:
    """Two of three say the same of the shared calls and one the contrary: pairs by kappa, all by Krippendorff's alpha."""
    packets = _draw(items=10, experts=3, shared=10)
    found = _filled(
        tmp_path / "packets", lambda packet, _place, label: {"label": _other(label) if packet == 2 else label}, packets
    )
    assert [(10, 1.0, 1.0), (10, 0.0, -1.0), (10, 0.0, -1.0)] == [
        (pair.items, pair.agreement, pair.kappa) for pair in found.pairs
    ]
    # 10 units of 3 values, each one against two: observed disagreement 2/3; expected 2 * 15 * 15 / (30 * 29).
    assert 1 - (2 / 3) / (450 / 870) == pytest.approx(found.alpha)
    assert () == found.agreed_only
    assert {2 / 3} == {item.agreement for item in found.items}
    assert {3} == {len(item.given) for item in found.items}


def test_measures_without_a_denominator_are_null(tmp_path: Path) -> None:
    """Nobody shares a call, nobody says how sure they are: null and 0 answers, not 0."""
    found = _filled(tmp_path / "packets", lambda _packet, _place, label: {"label": label}, _draw())
    assert (None, None, 0, 0, ()) == (found.alpha, found.confidence, found.confidences, found.sufficient_answers, found.pairs)
    assert (1.0, 1.0) == (found.agreement, found.kappa)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "utf-16", "gb18030"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_packets_are_read_as_spreadsheets_save_them(tmp_path: Path, encoding: str, delimiter: str, ends: str) -> None:
    """Marks, separators, line ends, capitals, wide letters, spaces, Chinese words, and rows in another order."""
    packets = _draw(experts=1)
    write_packets(tmp_path / "packets", packets)
    path = tmp_path / "packets" / "packet-01.csv"
    words = {
        Label.FRAUD: itertools.cycle(("诈骗", " fraud", "ＦＲＡＵＤ")),
        Label.NONFRAUD: itertools.cycle(("Non-Fraud ", "非诈骗", "NONFRAUD")),
    }
    rows = _rows(path)
    for row, item in zip(rows, packets.key.packets[0].items, strict=True):
        row.update(label=next(words[item.label]), confidence="４", sufficient="是", correct=" No", notes="嗯；ok; a, b")
        row["call"] = row["call"].replace("\n", "\r\n") + " "
    _save(path, rows[::-1], encoding, delimiter, ends)
    found = expert_report(packets.key, read_filled(tmp_path / "packets", packets.key))
    assert (1.0, 4.0, 10, 0, 10) == (found.agreement, found.confidence, found.sufficient, found.correct, found.correct_answers)
    assert ("嗯；ok; a, b",) == found.items[0].notes


def _edit(**changes: str) -> Callable[[Rows], Rows]:
    return lambda rows: [rows[0], {**rows[1], **changes}, *rows[2:]]


REFUSED: dict[str, tuple[Callable[[Rows], Rows], str]] = {
    "changed words": (_edit(call="caller: 你好"), r"line 7 \(row 3\): the words of item 'p01-002' were changed"),
    "unknown item": (_edit(item="p09-001"), r"line 7 \(row 3\): no item 'p09-001' in this packet"),
    "repeated item": (lambda rows: [*rows, rows[0]], r"row 12\): item 'p01-001' stands here twice"),
    "missing item": (lambda rows: rows[1:], r"packet-01.csv: 1 items are gone, the first is 'p01-001'"),
    "no row": (lambda _rows: [], "packet-01.csv: no row is in it"),
    "missing label": (_edit(label=" "), r"line 7 \(row 3\): item 'p01-002' has no label: write FRAUD or NONFRAUD"),
    "prose for a label": (_edit(label="not fraud"), r"line 7 \(row 3\): label 'not fraud': write FRAUD or NONFRAUD"),
    "both labels": (_edit(label="FRAUD/NONFRAUD"), "label 'FRAUD/NONFRAUD': write"),
    "confidence 6": (_edit(confidence="6"), "confidence '6': write 1, 2, 3, 4 or 5"),
    "confidence 4.5": (_edit(confidence="4.5"), r"confidence '4\.5': write"),
    "maybe": (_edit(sufficient="maybe"), "sufficient 'maybe': write yes or no"),
    "maybe correct": (_edit(correct="5"), "correct '5': write yes or no"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_unclear_is_refused_with_its_line(tmp_path: Path, name: str) -> None:
    """Every fault of a filled packet names file, line and row; nothing is guessed."""
    edit, words = REFUSED[name]
    write_packets(tmp_path / "packets", _draw())
    path = tmp_path / "packets" / "packet-01.csv"
    _save(path, edit([{**row, "label": "FRAUD", "confidence": "4.0"} for row in _rows(path)]))
    with pytest.raises(FileError, match=words) as caught:
        read_filled(tmp_path / "packets", read_key(tmp_path / "packets"))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no row is in it"),
        (b"item,call\r\np01-001,x\r\n", "no column label, confidence, sufficient, correct, notes in its first line"),
        (b"item,item,call,label,confidence,sufficient,correct,notes\r\n", "column item more than once"),
        (b"item,call,label,confidence,sufficient,correct,notes\r\np01-001,a,,,,,b,c,d\r\n", r"line 2 \(row 2\): 9 cells under 7"),
        (b"\xff\xfe\x00", "neither UTF-8 nor another encoding"),
        (b"\x80\xff\x81", "neither UTF-8 nor another encoding"),
        (
            b'item,call,label,confidence,sufficient,correct,notes\r\np01-001,"a\x00' + b"x" * 200_000,
            "line 2: no table: field larger",
        ),
    ],
)
def test_a_file_that_is_no_packet_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    """Empty files, other columns, stray separators and other encodings."""
    write_packets(tmp_path / "packets", _draw())
    (tmp_path / "packets" / "packet-01.csv").write_bytes(content)
    with pytest.raises(FileError, match=words):
        read_filled(tmp_path / "packets", read_key(tmp_path / "packets"))


def test_unfilled_packets_are_counted_and_not_guessed(tmp_path: Path) -> None:
    """An empty packet and one that is gone count for nothing; without any filled one there is no report."""
    packets = _draw(experts=3)
    write_packets(tmp_path / "packets", packets)
    key = read_key(tmp_path / "packets")
    (tmp_path / "packets" / "packet-03.csv").unlink()
    with pytest.raises(FileError, match="none of 3 packets of 2026-11-test is filled"):
        expert_report(key, read_filled(tmp_path / "packets", key))
    path = tmp_path / "packets" / "packet-01.csv"
    _save(path, [{**row, "label": "FRAUD"} for row in _rows(path)])
    found = expert_report(key, read_filled(tmp_path / "packets", key))
    assert ("packet-02.csv", "packet-03.csv") == found.unfilled
    assert (10, 0.5, 0.0) == (found.labelled, found.agreement, found.kappa)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda folder: (folder / "key.json").unlink(), "no packets here"),
        (lambda folder: (folder / "key.json").write_text("{"), "key.json"),
        (lambda folder: (folder / "key.json").write_text(json.dumps({"packets": []})), "no key of packets: snapshot_id"),
        (lambda folder: (folder / "packet-1.csv").write_text("item"), "packet-1.csv: no packet of this key"),
    ],
)
def test_a_folder_that_holds_no_packets_is_refused(tmp_path: Path, damage: Callable[[Path], object], words: str) -> None:
    """A missing or damaged key, and a file beside the packets that none of them is."""
    write_packets(tmp_path / "packets", _draw())
    damage(tmp_path / "packets")
    with pytest.raises(FileError, match=words):
        read_filled(tmp_path / "packets", read_key(tmp_path / "packets"))


def test_packets_never_replace_what_is_there(tmp_path: Path) -> None:
    """A second writing into the same folder is refused, so that filled packets stay."""
    write_packets(tmp_path / "packets", _draw())
    with pytest.raises(FileError, match="is there already"):
        write_packets(tmp_path / "packets", _draw(seed=4))


def test_instructions_are_in_the_language_of_the_calls() -> None:
    """Chinese for Chinese calls, English for all others; both define the label and say what this is for."""
    english = [call.model_copy(update={"language": "en-GB"}) for call in CALLS]
    assert "请阅读每一通电话" in _draw().files["packet-01.md"]
    page = _draw(english).files["packet-01.md"]
    assert "# packet-01: 10 telephone calls" in page
    assert "They serve defence only" in page
    assert 10 == page.count("\n## p01-")
