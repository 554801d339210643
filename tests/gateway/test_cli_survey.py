"""`ringback survey`: real voices, channels and Whisper over a user's own phrases."""

from __future__ import annotations

import json

import pytest

from core.errors import EXIT_INPUT
from tests.support.command import Command

PHRASES = """\
language: en
script: Latn
now: 2026-03-02T09:00
phrases:
  - {id: one, split: tuned, text: "The last four digits are 8813.", values: [{kind: digits, value: "8813"}]}
  - {id: two, split: held_out, text: Good morning.}
"""


@pytest.fixture
def phrases(ringback: Command) -> str:
    """A small phrase file in the command's folder."""
    (ringback.cwd / "own.yaml").write_text(PHRASES, encoding="utf-8")
    return "own.yaml"


@pytest.mark.engine
@pytest.mark.slow
def test_a_survey_measures_what_it_was_asked_for(ringback: Command, phrases: str) -> None:
    """Each voice and channel gives a row for each half; the same command gives the same file; more rows can be added."""
    asked = ("survey", "--phrases", phrases, "--voices", "hibari-heart", "--channel", "clean", "--out", "table.json")
    printed = ringback.passes(*asked)
    first = (ringback.cwd / "table.json").read_bytes()
    table = json.loads(first)
    assert [("clean", "held_out", 0.0), ("clean", "tuned", 0.0)] == [
        (row["preset"], row["split"], row["wer"]["rate"]) for row in table["rows"]
    ]
    assert {"digits": {"survived": 1, "occurring": 1}} == table["rows"][1]["known_values"]
    assert 2 == printed.count("whisper-base  hibari-heart  clean")
    ringback.passes(*asked)
    assert first == (ringback.cwd / "table.json").read_bytes()
    ringback.passes(*asked[:-3], "landline:snr=10", "--out", "table.json", "--add", "--concurrency", "1")
    both = json.loads((ringback.cwd / "table.json").read_bytes())["rows"]
    assert ["clean", "clean", "landline", "landline"] == [row["preset"] for row in both]
    assert table["rows"] == both[:2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--voices", "nobody"), "unknown voice 'nobody'"),
        (("--voices", "kokoro-zf-xiaoxiao"), "none of the voices kokoro-zf-xiaoxiao speaks 'en'"),
        (("--channel", "moon"), "unknown channel 'moon'"),
        (("--recogniser", "ears"), "unknown recogniser 'ears'"),
        (("--add",), "--add needs --out"),
    ],
)
def test_bad_input_is_one_line(ringback: Command, phrases: str, arguments: tuple[str, ...], said: str) -> None:
    """What is not known is named, and nothing is written."""
    assert said in ringback.fails(EXIT_INPUT, "survey", "--phrases", phrases, *arguments)
