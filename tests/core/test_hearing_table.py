"""The table of hearing: rows over the halves of a phrase set, intervals over whole phrases, tables put together."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError, UsageError
from core.hearing import WordErrors
from core.hearing_table import Cell, HeardPhrase, interval, merged, read_table, rows
from core.phrases import phrase_folder
from core.schemas.base import content_hash, pretty_json
from core.schemas.phrases import HearingRow, HearingTable, PhraseSet, PhraseSplit, Survived
from tests.core.grading_samples import HASH

CELL = Cell(recogniser="ears", model_sha256=HASH, engine="mouth", voice="ann", channel="clean")
SET = PhraseSet.model_validate(
    {
        "language": "en",
        "script": "Latn",
        "now": "2026-03-02T09:00",
        "phrases": [
            {"id": "one", "split": "tuned", "text": "My number is 0441.", "values": [{"kind": "digits", "value": "0441"}]},
            {"id": "two", "split": "tuned", "text": "Good morning to you."},
            {"id": "three", "split": "held_out", "text": "It is $5.", "values": [{"kind": "money", "value": 5}]},
        ],
    }
)


def _heard(*texts: str) -> list[HeardPhrase]:
    return [HeardPhrase(phrase, text, 1.5) for phrase, text in zip(SET.phrases, texts, strict=True)]


def _table(*found: HearingRow, seed: int = 7, phrases: str = HASH, spoken: str = "spoken-3") -> HearingTable:
    by_language = {"phrases": {"en": phrases}, "normalisers": {"en": "en-v4"}, "spoken": {"en": spoken}}
    return HearingTable(**by_language, seed=seed, cpu_features=(), rows=found)


def test_a_row_sums_one_half() -> None:
    """Edits and reference units are summed over the half's phrases, and values counted by kind."""
    tuned, held_out = rows(CELL, SET, _heard("my number is 0442", "", "it is five dollars"))
    assert (PhraseSplit.TUNED, 2, 1, 3.0) == (tuned.split, tuned.n, tuned.empty, tuned.audio_s)
    assert round((1 + 4) / (3 + 4 + 4), 4) == tuned.wer.rate  # one of four digits, and all of "good morning to you"
    assert {"digits": Survived(survived=0, occurring=1)} == tuned.known_values
    assert (0.0, {"money": Survived(survived=1, occurring=1)}) == (held_out.wer.rate, held_out.known_values)
    assert tuned.folded_cer is None


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=40))
def test_an_interval_holds_its_rate_and_lies_between_the_phrases(counts: list[tuple[int, int]]) -> None:
    """No resample is better than the best phrase or worse than the worst, and one phrase alone has no spread."""
    found = interval([WordErrors(edits, 0, 0, units) for edits, units in counts])
    each = [edits / units for edits, units in counts]
    assert min(each) - 1e-4 <= found.low <= found.high <= max(each) + 1e-4
    assert len(counts) > 1 or found.low == found.high == found.rate


def test_tables_are_put_together() -> None:
    """A row measured again replaces the old one, others stay, and the order does not depend on who came first."""
    old_tuned, old_held_out = rows(CELL, SET, _heard("", "", ""))
    new_tuned, _ = rows(CELL, SET, _heard("my number is 0441", "good morning to you", ""))
    assert _table(old_held_out, new_tuned) == merged(_table(old_tuned, old_held_out), _table(new_tuned))
    assert _table(new_tuned) == merged(None, _table(new_tuned))


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (_table(seed=8), "seed 8, not 7"),
        (_table(phrases=content_hash("other")), "phrases differ for en"),
        (_table(spoken="spoken-1"), "spoken differ for en"),
    ],
)
def test_tables_of_different_instruments_are_kept_apart(kept: HearingTable, said: str) -> None:
    """Other phrases, another seed or other rules of speaking would make rows that cannot stand beside each other."""
    with pytest.raises(UsageError, match=said):
        merged(kept, _table())


def test_a_table_is_read_back(tmp_path: Path) -> None:
    """What was written is what is read; anything else is one line that names the file."""
    path = tmp_path / "table.json"
    table = _table(*rows(CELL, SET, _heard("a", "b", "c")))
    path.write_bytes(pretty_json(table.to_json()))
    assert table == read_table(path)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(FileError, match=r"table.json' is no table of hearing: phrases"):
        read_table(path)


def test_the_shipped_table_was_made_from_the_shipped_phrases() -> None:
    """Each of its languages names the phrases and the normaliser that are here now, and has both halves of every cell."""
    from core.phrases import load_phrases
    from core.text import normaliser_of

    table = read_table(phrase_folder() / "table.json")
    assert {language: content_hash(load_phrases(language).to_json()) for language in table.phrases} == table.phrases
    assert {language: normaliser_of(language) for language in table.phrases} == table.normalisers
    halves = {
        split: {(r.language, r.recogniser, r.voice, r.channel) for r in table.rows if r.split is split} for split in PhraseSplit
    }
    assert halves[PhraseSplit.TUNED] == halves[PhraseSplit.HELD_OUT]
    assert 15 <= min(row.n for row in table.rows)
