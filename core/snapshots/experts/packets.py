"""Packets of calls for people: words alone, in a random order, and a key that stays here.

A packet holds no id of ours, no tree, path, label or delivery, and its items are numbered in the order in which they stand. Each
packet is half fraud and half lawful calls as far as the month has them, which nobody is told. Calls are dealt from a shuffled
deck of each label, so that none comes a second time before every other one has come; the shared calls are in every packet.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from core.errors import FileError, UsageError
from core.files import new_folder
from core.schemas.base import content_hash, pretty_json
from core.schemas.experts import ExpertItem, ExpertKey, ExpertPacket
from core.schemas.snapshots import Label, SnapshotCall
from core.seeds import generator
from core.snapshots.experts.instructions import COLUMNS, packet_page

KEY = "key.json"
"""The key, which is not handed out."""
BOM = "\ufeff"
"""By which spreadsheets know that a file is UTF-8."""


class Packets(NamedTuple):
    """Packets before they are written."""

    key: ExpertKey
    """What their items are."""
    files: dict[str, str]
    """File name to content: for each packet a table to fill in and a page to read."""


def words_hash(words: str) -> str:
    """Hash of words without spaces and line breaks, which spreadsheets change."""
    return content_hash("".join(words.split()))


def draw_packets(
    calls: Sequence[SnapshotCall], snapshot_id: str, root_sha256: str | None, *, items: int, experts: int, shared: int, seed: int
) -> Packets:
    """So many packets of so many calls each, the same for the same month and seed.

    Raises:
        UsageError: a packet is to hold more calls than there are, or share more than it holds.
    """
    if items > len(calls):
        raise UsageError(f"--items {items}: {snapshot_id} has {len(calls)} calls: ask for as many or fewer")
    if shared > items:
        raise UsageError(f"--shared {shared}: a packet holds {items} calls: share as many or fewer")
    chosen = _dealt(calls, items, experts, shared, seed)
    packets, files = [], {}
    for number, packet in enumerate(chosen, start=1):
        order = generator(seed, "experts", "order", number).permutation(len(packet))
        named = [(f"p{number:02d}-{place:03d}", packet[at]) for place, at in enumerate(order, start=1)]
        name = f"packet-{number:02d}"
        files[f"{name}.csv"] = _sheet(named)
        files[f"{name}.md"] = packet_page(name, calls[0].language, [(item, call.text) for item, call in named])
        entries = tuple(
            ExpertItem(item=item, sample_id=call.sample_id, label=call.label, words_sha256=words_hash(call.text))
            for item, call in named
        )
        digest = content_hash([entry.words_sha256 for entry in entries])
        packets.append(ExpertPacket(file=f"{name}.csv", words_sha256=digest, items=entries))
    key = ExpertKey(snapshot_id=snapshot_id, root_sha256=root_sha256, seed=seed, shared=shared, packets=tuple(packets))
    return Packets(key, files)


def write_packets(folder: Path, packets: Packets) -> None:
    """Write packets and key into a new folder, whole or not at all; raises FileError where it exists or cannot be written."""
    if folder.exists():
        raise FileError(f"{folder}: is there already; choose another with --out")
    with new_folder(folder) as work:
        (work / KEY).write_bytes(pretty_json(packets.key.to_json()))
        for name, content in packets.files.items():
            (work / name).write_bytes(content.encode())


def _sheet(named: Sequence[tuple[str, SnapshotCall]]) -> str:
    made = io.StringIO(newline="")
    writer = csv.writer(made)
    writer.writerow(COLUMNS)
    writer.writerows([item, call.text, *("" for _ in COLUMNS[2:])] for item, call in named)
    return BOM + made.getvalue()


def _dealt(calls: Sequence[SnapshotCall], items: int, experts: int, shared: int, seed: int) -> list[list[SnapshotCall]]:
    decks = {
        label: _Deck([call for call in sorted(calls, key=lambda call: call.sample_id) if call.label == label], label, seed)
        for label in Label
    }
    common = _some(decks, shared, [], seed, 0)
    return [common + _some(decks, items - shared, common, seed, number) for number in range(1, experts + 1)]


def _some(decks: dict[Label, _Deck], wanted: int, held: Sequence[SnapshotCall], seed: int, number: int) -> list[SnapshotCall]:
    """So many calls beside those that are held: half of each label as far as there are so many; the odd one by lot."""
    free = {label: len(deck.calls) - sum(call.label == label for call in held) for label, deck in decks.items()}
    first, second = Label.FRAUD, Label.NONFRAUD
    odd = wanted % 2 and int(generator(seed, "experts", "odd", number).integers(2))
    number_first = min(max(wanted // 2 + odd, wanted - free[second]), free[first])
    return decks[first].deal(number_first, held) + decks[second].deal(wanted - number_first, held)


class _Deck:
    """Calls of one label; dealt through before any comes again."""

    def __init__(self, calls: Sequence[SnapshotCall], label: Label, seed: int) -> None:
        self.calls = calls
        self._times = [0] * len(calls)
        self._rng = generator(seed, "experts", "deck", label.value)

    def deal(self, number: int, held: Sequence[SnapshotCall]) -> list[SnapshotCall]:
        """So many different calls that are not held, those that were dealt least often first."""
        ids = {call.sample_id for call in held}
        shuffled = [int(i) for i in self._rng.permutation(len(self.calls)) if self.calls[i].sample_id not in ids]
        dealt = sorted(shuffled, key=lambda i: self._times[i])[:number]
        for i in dealt:
            self._times[i] += 1
        return [self.calls[i] for i in dealt]
