"""Whether figures of hearing can be trusted: by held-out phrases on a clean line, per language, recogniser and engine."""

from __future__ import annotations

from typing import Any

import pytest

from core.runs.trust import hearers, trust, trust_of
from core.schemas.base import Condition
from core.schemas.hearing import Verdict
from core.schemas.phrases import HearingRow, HearingTable
from tests.core.grading_samples import HASH
from tests.core.hearing_samples import Turn, call


def _row(language: str, rate: float, **fields: Any) -> HearingRow:
    measured = {"rate": rate, "low": rate, "high": rate}
    data: dict[str, Any] = {
        "language": language,
        "recogniser": "whisper-base",
        "model_sha256": HASH,
        "engine": "piper",
        "voice": "joe",
        "channel": "clean",
        "preset": "clean",
        "split": "held_out",
        "n": 20,
        "wer": measured,
        "cer": measured,
        "raw_wer": rate,
        "raw_cer": rate,
        "known_values": {},
        "empty": 0,
        "audio_s": 60.0,
    }
    return HearingRow.model_validate({**data, **fields})


def _table(*rows: HearingRow) -> HearingTable:
    languages = sorted({row.language for row in rows})
    return HearingTable(
        phrases=dict.fromkeys(languages, HASH),
        seed=7,
        normalisers=dict.fromkeys(languages, "generic-v1"),
        spoken=dict.fromkeys(languages, "spoken-3"),
        cpu_features=(),
        rows=rows,
    )


@pytest.mark.parametrize(
    ("rate", "verdict", "words"),
    [
        (0.0, Verdict.TRUSTED, "can be trusted"),
        (0.25, Verdict.TRUSTED, "can be trusted"),
        (0.26, Verdict.WEAK, "are weak"),
        (0.5, Verdict.WEAK, "are weak"),
        (0.51, Verdict.UNUSABLE, "cannot be trusted"),
    ],
)
def test_the_bounds_are_a_quarter_and_a_half(rate: float, verdict: Verdict, words: str) -> None:
    """The bounds themselves still hold; the sentence names language, recogniser, voices and the rate."""
    found = trust(_table(_row("en", rate)), "en-GB", "whisper-base", "piper")
    assert (verdict, rate, 20) == (found.verdict, found.rate, found.n)
    assert f"Hearing figures in en {words}: whisper-base hearing piper voices has WER {rate:.2f} on held-out" in found.statement


def test_voices_of_an_engine_are_taken_together() -> None:
    """All say the same phrases, so the mean of their rates is the pooled one."""
    table = _table(_row("en", 0.1), _row("en", 0.5, voice="amy"))
    assert (0.3, Verdict.WEAK) == (
        trust(table, "en", "whisper-base", "piper").rate,
        trust(table, "en", "whisper-base", "piper").verdict,
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"split": "tuned"},
        {"preset": "landline", "channel": "landline"},
        {"recogniser": "whisper-small"},
        {"engine": "kokoro"},
        {"language": "de"},
    ],
)
def test_other_rows_say_nothing(fields: dict[str, Any]) -> None:
    """What was tuned on, a line that distorts, another recogniser, engine or language: not surveyed."""
    found = trust(_table(_row("en", 0.9).model_copy(update=fields)), "en", "whisper-base", "piper")
    assert (Verdict.NOT_SURVEYED, None) == (found.verdict, found.rate)
    assert "Hearing figures in en were not surveyed: nothing is known of whisper-base hearing piper voices." == found.statement
    assert Verdict.NOT_SURVEYED is trust(None, "en", "whisper-base", "piper").verdict


def test_options_nobody_measured_are_judged_by_the_model() -> None:
    """By its own row where there is one, else by that of the recogniser without options."""
    table = _table(_row("en", 0.1), _row("en", 0.3, recogniser="whisper-base?beam=5"))
    asked = ("whisper-base?beam=5", "whisper-base?beam=2", "whisper-base")
    assert [0.3, 0.1, 0.1] == [trust(table, "en", name, "piper").rate for name in asked]


def test_indic_and_chinese_are_judged_by_characters() -> None:
    """The headline of the language decides; the folded rate is told beside it, never instead."""
    row = _row("gu", 0.84).model_copy(update={"wer": _row("gu", 1.02).wer, "folded_cer": _row("gu", 0.17).cer})
    found = trust(_table(row), "gu-IN", "whisper-base", "piper")
    assert (Verdict.UNUSABLE, "cer", 0.84, 0.17) == (found.verdict, found.measure, found.rate, found.folded_cer)
    assert "Hearing figures in gu cannot be trusted" in found.statement
    assert "CER 0.84, 0.17 whatever Indic script it writes" in found.statement


def test_a_run_names_each_combination_once() -> None:
    """By language, recogniser and the engine of the voice that spoke; what was not transcribed needs no trust."""
    calls = [
        call(Turn("a", "a"), voice="heart"),
        call(Turn("b", "b"), Turn("c", "c")),
        call(Turn("d", "d"), language="en-GB"),
        call(Turn("e", "e"), condition=Condition.TEXT, line={}),
    ]
    found = trust_of((found for call in calls for found in hearers(call)), _table(_row("en", 0.05)))
    assert [("en", "hibari", Verdict.NOT_SURVEYED), ("en", "piper", Verdict.TRUSTED)] == [
        (one.language, one.engine, one.verdict) for one in found
    ]
