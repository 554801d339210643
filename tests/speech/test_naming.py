"""Naming recognisers and voices: what a name means, what `auto` comes to here, and one line for what cannot be followed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from core.errors import FileError, OperatorError, UsageError, WeightsError
from models import registry, weights
from models.weights import locate, own_folder
from speech.naming import CANDIDATES, asked_recogniser, recogniser_named, voice_named

FILES = ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt")


def _fake(root: Path, *ids: str) -> Path:
    """A cache where the models seem fetched: `state` looks at names and sizes alone."""
    for name in ids:
        spec = registry.get(name)
        folder = own_folder(spec, root)
        folder.mkdir(parents=True)
        for file in spec.files:
            with (folder / file.name).open("wb") as stream:
                stream.truncate(file.size)  # a hole: no disk is filled
    return root


def _folder(root: Path, tokens: int) -> Path:
    """A folder that looks like a Whisper model with so many tokens."""
    root.mkdir()
    for name in FILES:
        (root / name).write_text("x\n" * tokens if name == "vocabulary.txt" else f"{name} of {root.name}")
    return root


def test_an_id_of_the_catalogue_keeps_its_options() -> None:
    """Options behind an id are its engine's, with percent signs and plus signs decoded."""
    named = recogniser_named("whisper-base?beam=5&prompt=Caf%C3%A9+Noir")
    assert (registry.get("whisper-base"), {"beam": "5", "prompt": "Café Noir"}) == (named.spec, dict(named.options))
    assert "hibari-heart" == voice_named("hibari-heart").spec.id


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("whisper-bass", "unknown recogniser 'whisper-bass': choose one of whisper-base, whisper-small"),
        ("hibari-heart", "unknown recogniser 'hibari-heart'"),
        ("wisper:/models", r"unknown recogniser 'wisper:/models': .* whisper:\.\.\., openai:\.\.\."),
        ("openai:", "unknown recogniser 'openai:'"),
        ("whisper-base?beam", r"options are written \?key=value"),
        ("whisper-base?beam=1&beam=2", "the option 'beam' is given twice"),
    ],
)
def test_a_name_that_means_nothing_lists_what_there_is(text: str, why: str) -> None:
    """Unknown ids, schemes and broken options are one line."""
    with pytest.raises(UsageError, match=why):
        recogniser_named(text)


def test_a_folder_is_known_by_the_bytes_of_its_model(tmp_path: Path) -> None:
    """Two folders with one model.bin are one model; changed bytes are another, and a change after naming is refused."""
    first, second = _folder(tmp_path / "My Model v2", 51865), _folder(tmp_path / "copy", 51865)
    shutil.copy(first / "model.bin", second)
    named, copied = recogniser_named(f"whisper:{first}?beam=2"), recogniser_named(f"whisper:{second}")

    assert ("whisper-folder-my-model-v2", ("mul",), {"beam": "2"}) == (named.spec.id, named.spec.languages, dict(named.options))
    assert weights.file_sha256(first / "model.bin") == named.spec.sha256 == copied.spec.sha256
    assert first == weights.locate_spec(named.spec, tmp_path / "cache")
    (first / "model.bin").write_text("changed")
    assert named.spec.sha256 != recogniser_named(f"whisper:{first}").spec.sha256
    with pytest.raises(WeightsError, match="it changed since it was named"):
        weights.locate_spec(named.spec, tmp_path / "cache")


def test_an_english_model_serves_english_alone(tmp_path: Path) -> None:
    """A vocabulary without the words of other languages means English, whichever form it has; a broken one is refused."""
    folder = _folder(tmp_path / "tiny.en", 51864)
    assert ("en",) == recogniser_named(f"whisper:{folder}").spec.languages
    with pytest.raises(UsageError, match="does not serve 'hi'; languages: en"):
        asked_recogniser(f"whisper:{folder}").choose("hi", tmp_path)
    (folder / "vocabulary.json").write_text(json.dumps(["word"] * 51865))
    assert ("mul",) == recogniser_named(f"whisper:{folder}").spec.languages
    (folder / "vocabulary.json").write_text("[")
    with pytest.raises(FileError, match="is no vocabulary"):
        recogniser_named(f"whisper:{folder}")


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    """A folder that is not there, or lacks a file, is named with the file and what belongs in it."""
    folder = _folder(tmp_path / "half", 10)
    (folder / "tokenizer.json").unlink()
    for path, missing in ((folder, "tokenizer.json"), (tmp_path / "nowhere", "model.bin")):
        with pytest.raises(FileError, match=f"is no Whisper model for faster-whisper .*: {missing}: No such file") as caught:
            recogniser_named(f"whisper:{path}")
        assert str(path) in str(caught.value)


def test_a_model_of_the_hub_without_a_network_is_one_line() -> None:
    """A hub name that is not in the hub's cache says what to do; tests reach no network."""
    with pytest.raises(OperatorError, match="'whisper:nobody/no-model' is neither a folder nor in the hub's cache") as caught:
        recogniser_named("whisper:nobody/no-model")
    assert "\n" not in str(caught.value)


def test_a_voice_of_a_server_is_what_its_name_says() -> None:
    """What describes the voice is taken from the options, the rest is left to the engine; two voices have two identities."""
    named = voice_named("openai:tts-1/alloy?gender=female&accent=en-GB&languages=en,hi&rate=16000&format=pcm")
    spec = named.spec
    assert ("openai-tts-1-alloy", "female", "en-GB", ("en", "hi"), 16000) == (
        spec.id, spec.gender, spec.accent, spec.languages, spec.sample_rate,
    )  # fmt: skip
    assert {"format": "pcm"} == dict(named.options)
    assert not spec.deterministic
    assert spec.sha256 != voice_named("openai:tts-1/echo").spec.sha256


@pytest.mark.parametrize(
    "text", ["openai:alloy", "openai:tts-1/a?rate=fast", "openai:tts-1/a?rate=1", "openai:tts-1/a?gender=old"]
)
def test_a_voice_of_a_server_that_is_badly_described_is_refused(text: str) -> None:
    """A voice without a model, and values that no voice has, are refused with what to write."""
    with pytest.raises(UsageError, match=r"write openai:|give "):
        voice_named(text)


@pytest.mark.parametrize(
    ("here", "language", "chosen", "instead_of"),
    [
        (("whisper-base", "whisper-small"), "en-IN", "whisper-base", ()),
        (("whisper-small",), "en", "whisper-base", ()),
        (("whisper-base", "whisper-small"), "zh", "whisper-small", ()),
        (("whisper-base",), "zh-CN", "whisper-base", ("whisper-small",)),
        (("whisper-small",), "gu", "whisper-small", ()),
    ],
)
def test_auto_takes_the_best_that_is_here(
    tmp_path: Path, here: tuple[str, ...], language: str, chosen: str, instead_of: tuple[str, ...]
) -> None:
    """By language, the first installed in order of preference; what it stands in for is recorded, and options go with it."""
    found = asked_recogniser("auto?beam=3").choose(language, _fake(tmp_path, *here))
    assert {
        "recogniser": "auto?beam=3",
        "recogniser_chosen": f"{chosen}?beam=3",
        "recogniser_instead_of": list(instead_of),
    } == found.settings()
    assert {"beam": "3"} == dict(found.named.options)


def test_auto_without_any_says_how_to_get_one(tmp_path: Path) -> None:
    """Where none for the language is installed, the command for the best one; where none serves it, the languages there are."""
    with pytest.raises(
        OperatorError, match="no recogniser for 'hi' is installed here: get one with `ringback models fetch whisper-small`"
    ):
        asked_recogniser("auto").choose("hi", tmp_path)
    with pytest.raises(UsageError, match="does not serve 'xx'; languages: af, am, "):
        asked_recogniser("auto").choose("xx", tmp_path)
    assert set(CANDIDATES) == {named.spec.id for named in asked_recogniser("auto").candidates}


@pytest.mark.engine
def test_a_folder_hears_like_its_model(warm_root: Path, tmp_path: Path) -> None:
    """The joined base model named as a folder signs with the same hash as its entry in the catalogue."""
    named = recogniser_named(f"whisper:{locate('whisper-base', warm_root)}")
    assert registry.get("whisper-base").sha256 == named.spec.sha256
    assert locate("whisper-base", warm_root) == weights.locate_spec(named.spec, tmp_path)
