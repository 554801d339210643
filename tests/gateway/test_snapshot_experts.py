"""`ringback snapshot experts out` and `in`, from a month to the report on what people said of it (check 22)."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from core.errors import EXIT_INPUT, EXIT_OK
from core.schemas.experts import ExpertReport
from core.yamlfile import read_data
from tests.core.audit_calls import forest
from tests.support.shell import Shell
from tests.support.text_months import change_month, text_build, text_month


@pytest.fixture
def packets(tmp_path: Path, shell: Shell) -> Path:
    """Two packets of twenty calls from a frozen month."""
    month = text_month(tmp_path / "month", forest(10, 3))
    assert EXIT_OK == shell("snapshot", "experts", "out", str(month), "--items", "20", "--experts", "2", "--out", "packets")
    return Path("packets")


def _fill(packet: Path, label: str) -> None:
    rows = list(csv.reader(io.StringIO(packet.read_text("utf-8-sig"), newline="")))
    made = io.StringIO(newline="")
    csv.writer(made, delimiter=";").writerows([rows[0], *([*row[:2], label, "4", "yes", "no", "hm"] for row in rows[1:])])
    packet.write_text(made.getvalue(), "utf-8")


def test_packets_go_out_with_a_tenth_of_their_calls_in_common(packets: Path, shell: Shell) -> None:
    """Two tables, two pages and a key, and what to do with them; the page names the columns."""
    assert ["key.json", *(f"packet-0{n}.{kind}" for n in (1, 2) for kind in ("csv", "md"))] == sorted(
        p.name for p in packets.iterdir()
    )
    assert "20 calls each, 2 of them in every packet" in shell.words
    assert "never key.json, which names the labels" in shell.words
    key = read_data(packets / "key.json")
    assert (2, True) == (key["shared"], key["notice"].startswith("Do not hand out"))
    ids = [{item["sample_id"] for item in packet["items"]} for packet in key["packets"]]
    assert 2 == len(ids[0] & ids[1])


def test_filled_packets_become_a_report(packets: Path, shell: Shell) -> None:
    """One is filled, one is not: figures over the first, the second named; the report is kept and printed as JSON."""
    _fill(packets / "packet-01.csv", "诈骗")
    assert EXIT_OK == shell("snapshot", "experts", "in", "packets")
    assert "1 packets filled, 20 labels: 20 FRAUD, 0 NONFRAUD" in shell.words
    assert "agreement 0.500 (0.500 to 0.500), kappa 0.000, mean confidence 4.000" in shell.words
    assert "sufficient 20 of 20 (1.000), correct 0 of 20 (0.000)" in shell.words
    assert "not filled, and not counted: packet-02.csv" in shell.words
    assert "10 calls on which everybody agrees with the month, 10 that somebody doubts" in shell.words
    kept = ExpertReport.model_validate(read_data(packets / "expert-report.json"))
    _fill(packets / "packet-02.csv", "nonfraud")
    assert EXIT_OK == shell("snapshot", "experts", "in", "packets", "--json")
    found = ExpertReport.model_validate(json.loads(shell.words))
    assert found == ExpertReport.model_validate(read_data(packets / "expert-report.json"))
    assert (20, 40) == (kept.labelled, found.labelled)
    assert [(2, 0.0)] == [(pair.items, pair.agreement) for pair in found.pairs]
    assert EXIT_OK == shell("snapshot", "experts", "in", "packets")
    assert "packet-01.csv, packet-02.csv 2 0.000" in shell.words


def test_what_cannot_be_read_or_drawn_is_one_line(packets: Path, shell: Shell, tmp_path: Path) -> None:
    """Unfilled packets, other folders, more calls than there are, a folder that is there: exit 2 and no report."""
    refused: dict[tuple[str, ...], str] = {
        ("in", "packets"): "none of 2 packets of 2026-11-test is filled",
        ("in", "nowhere"): "nowhere: no packets here",
        ("out", str(tmp_path / "month"), "--out", "more"): "--items 100: 2026-11-test has 60 calls",
        ("out", str(tmp_path / "month"), "--items", "9", "--out", "packets"): "packets: is there already",
        (
            "out",
            str(tmp_path / "month"),
            "--items",
            "9",
            "--shared",
            "10",
            "--out",
            "more",
        ): "--shared 10: a packet holds 9 calls",
        ("out", "nowhere", "--out", "more"): "'nowhere': no frozen month here",
    }
    for arguments, words in refused.items():
        assert EXIT_INPUT == shell("snapshot", "experts", *arguments)
        assert words in shell.err
        assert 1 == shell.err.count("\n")
    assert not (packets / "expert-report.json").exists()
    assert not Path("more").exists()


@pytest.mark.parametrize("name", ["manifest.jsonl", "recipe.json", "SNAPSHOT.json", "SHA256SUMS"])
def test_a_month_that_was_changed_has_no_packets(tmp_path: Path, shell: Shell, name: str) -> None:
    """A row, recipe, head or hash says something else than was frozen: nothing is drawn under the frozen root hash."""
    change_month(text_month(tmp_path / "month", forest(10, 3)), name)
    assert EXIT_INPUT == shell("snapshot", "experts", "out", str(tmp_path / "month"), "--items", "20", "--out", "packets")
    assert "changed since the freeze: see `ringback snapshot verify`" in shell.err
    assert 1 == shell.err.count("\n")
    assert not Path("packets").exists()


def test_a_build_has_packets_before_it_is_frozen(tmp_path: Path, shell: Shell) -> None:
    """A finished build is taken as well, with no root hash in its key; one packet shares nothing."""
    build = text_build(tmp_path / "build", forest(5, 2))
    assert EXIT_OK == shell("snapshot", "experts", "out", str(build), "--items", "5", "--out", "packets")
    key = read_data(Path("packets/key.json"))
    assert (None, 0, 1) == (key["root_sha256"], key["shared"], len(key["packets"]))
