"""A bad line costs points, and the report says which misheard value cost them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import EXIT_INPUT
from tests.support.command import Command

SCENARIOS = "outage-whole-house,checkup-booking"


@pytest.mark.engine
@pytest.mark.slow
def test_a_noisy_line_lowers_the_score_and_names_a_misheard_value(ringback: Command, tmp_path: Path) -> None:
    """With 5 dB of noise and every twentieth packet lost, asr scores below text, and a value is put down to an action."""
    arguments = ("--scenarios", SCENARIOS, "--condition", "text,asr", "--channel", "landline:snr=5,loss=0.05", "--out", "run")
    printed = ringback.passes("run", "frontdesk", *arguments)
    summary = json.loads((tmp_path / "run" / "summary.json").read_bytes())
    text, asr = (summary["conditions"][name]["overall"]["score"] for name in ("text", "asr"))
    assert asr < text
    (paired,) = [pair for pair in summary["paired"] if pair["measure"] == "overall"]
    assert paired["mean"] == pytest.approx(text - asr)
    assert summary["attribution"]
    scenarios = {
        path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "run" / "bundle").rglob("scenarios/*/*.yaml")
    }
    for found in summary["attribution"]:
        assert found["said"] != found["heard"]
        assert f"id: {found['action']}" in scenarios[found["case"].split("--")[0]]
    calibrated = json.loads(ringback.passes("calibrate", "run", "--json"))
    assert "named twice" in ringback.fails(EXIT_INPUT, "calibrate", "run", "run")
    together, by_voice = calibrated["profiles"][:2], calibrated["profiles"][2:]
    assert ["authored", "measured"] == [profile["source"] for profile in together]
    assert together[1]["turns"] == sum(profile["turns"] for profile in by_voice)
    assert calibrated["profiles"][1]["per_100"] > 0
    assert {each["scenario"] for each in calibrated["suggestions"]} <= set(SCENARIOS.split(","))
    assert "What hearing cost" in printed
    assert summary["attribution"][0]["action"] in printed
    assert summary["attribution"][0]["action"] in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
