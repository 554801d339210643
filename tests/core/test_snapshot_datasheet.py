"""Datasheet and licence of a month say what its recipe and rows say, and nothing of every month alike."""

from __future__ import annotations

from pathlib import Path

from core.schemas.months import Recipe, TranscriptSet
from core.schemas.snapshots import Label, ManifestRow
from core.snapshots.freezing import layout
from core.snapshots.freezing.datasheet import datasheet, licence_text
from core.snapshots.freezing.reading import read_lines
from tests.core.snapshot_months import make_build


def _recipe(**changes: object) -> Recipe:
    """A recipe with words of the offline agents, heard by Whisper small."""
    words = {"agents": {"caller": "offline:snapshots-1", "receiver": "offline:snapshots-1"}}
    contract = {"fraud": 2, "nonfraud": 1, "language": "zh"}
    build = {"namespace": "a", "seed": 1, "language": "zh", "trees": 1}
    given = {"snapshot_id": "a", "month": "2026-11", "contract": contract, "build": build, "words": words}
    return Recipe.model_validate({**given, "render": None, "recogniser": "whisper-small?beam=5", **changes})


def _sheet(recipe: Recipe, rows: list[ManifestRow]) -> str:
    made = TranscriptSet(name="a", settings={}, calls=1, cer=0.1)
    return " ".join(datasheet(recipe, rows, {}, made, (), ()).decode().split())


def test_the_datasheet_says_what_recipe_and_rows_say(tmp_path: Path) -> None:
    """Who wrote the words, who heard them, what the labels came to and which voices spoke: none of it is said of every month."""
    rows = list(read_lines(make_build(tmp_path / "build") / layout.CANDIDATES, ManifestRow))
    sheet = _sheet(_recipe(), rows)
    assert "persons, institutions and events are invented" in sheet
    assert "these transcripts are by whisper-small. A smaller recogniser hears worse" in sheet
    assert "hears worse" not in _sheet(_recipe(recogniser="whisper-medium"), rows)
    assert "a larger one" in _sheet(_recipe(recogniser="whisper-large-v3?beam=5"), rows)
    assert "cannot be set beside the paper's" in _sheet(_recipe(recogniser="test"), rows)
    written = _sheet(_recipe(words={"agents": {"caller": "litellm:openai/a", "receiver": "offline:snapshots-1"}}), rows)
    assert "are invented" not in written
    assert "Words were written by litellm:openai/a" in written
    assert "are invented" not in _sheet(_recipe(words={}), rows)
    fraud = [row for row in rows if row.call.label is Label.FRAUD]
    length = sum(len(row.call.text) for row in fraud) / len(fraud)
    assert f"fraud calls have {length:.0f} characters" in sheet
    assert f"0 of {len({row.call.tree_id for row in fraud})} trees have calls of both labels" in _sheet(_recipe(), fraud)
    assert "the four women's" not in sheet
    voices = rows[0].voices
    assert voices is not None
    woman = voices.caller.model_copy(update={"voice_id": "kokoro-zf-xiaoni"})
    spoken = rows[0].model_copy(update={"voices": voices.model_copy(update={"caller": woman})})
    assert "the four women's are listed with the same tone and age" in _sheet(_recipe(), [spoken, *rows[1:]])


def test_the_licence_is_that_of_the_recipe_and_names_those_of_the_cases(tmp_path: Path) -> None:
    """The terms of one licence are not told of another."""
    rows = list(read_lines(make_build(tmp_path / "build") / layout.CANDIDATES, ManifestRow))
    attribution = licence_text(_recipe(), rows).decode()
    assert "Attribution 4.0" in attribution
    assert "- written for a test\n" in attribution
    other = licence_text(_recipe(licence="CC0-1.0"), rows).decode()
    assert "Licence: CC0-1.0." in other
    assert "Attribution" not in other
    assert "adapt all of it" not in other
