"""A user's own Coqui checkpoint through our real loading code: tiny, random, made here. See `make coqui`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.errors import EngineError, FileError, UsageError, WeightsError
from speech.engines import Synthesizer
from speech.naming import voice_named
from speech.studio import build_studio
from speech.voice_sets import voice_set

ROOT = Path(__file__).parents[2]
TEXT = "hello, my number is four seven two."
RATE = 16000
# Coqui and what it imports warn at every start about themselves; none of it is ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore")


def _make_vits(folder: Path, speakers: list[str]) -> Path:
    """A VITS checkpoint of some hundred thousand random parameters, saved as its trainer saves one."""
    import torch
    from TTS.config.shared_configs import BaseAudioConfig
    from TTS.tts.configs.shared_configs import CharactersConfig
    from TTS.tts.configs.vits_config import VitsConfig
    from TTS.tts.models.vits import Vits, VitsArgs

    torch.manual_seed(1)
    characters = CharactersConfig(
        characters_class="TTS.tts.models.vits.VitsCharacters",
        pad="_",
        eos="",
        bos="",
        blank="",
        characters="abcdefghijklmnopqrstuvwxyz",
        punctuations="!'(),-.:;? ",
        phonemes="",
    )
    args = VitsArgs(
        num_chars=40,
        hidden_channels=32,
        hidden_channels_ffn_text_encoder=64,
        num_heads_text_encoder=2,
        num_layers_text_encoder=1,
        num_layers_flow=1,
        num_layers_posterior_encoder=1,
        upsample_initial_channel_decoder=32,
        resblock_kernel_sizes_decoder=[3],
        resblock_dilation_sizes_decoder=[[1, 3, 5]],
        use_sdp=False,
        init_discriminator=False,
        use_speaker_embedding=bool(speakers),
    )
    config = VitsConfig(
        model_args=args,
        audio=BaseAudioConfig(sample_rate=RATE),
        text_cleaner="basic_cleaners",
        use_phonemes=False,
        characters=characters,
        add_blank=True,
        speakers=speakers,
    )
    folder.mkdir()
    torch.save({"model": Vits.init_from_config(config).state_dict(), "config": config.to_dict()}, folder / "model.pth")
    config.save_json(folder / "config.json")
    return folder / "model.pth"


def _make_xtts(folder: Path) -> Path:
    """An XTTS checkpoint with one small layer and two random speakers; its decoder has the size it always has, 88 MB in all."""
    import torch
    from tokenizers import Tokenizer, models
    from TTS.tts.configs.xtts_config import XttsConfig
    from TTS.tts.layers.xtts.tokenizer import VoiceBpeTokenizer
    from TTS.tts.models.xtts import Xtts, XttsArgs, XttsAudioConfig

    torch.manual_seed(1)
    folder.mkdir()
    symbols = ["[STOP]", "[UNK]", "[SPACE]", "[en]", "[START]", *"abcdefghijklmnopqrstuvwxyz'.,?! "]
    vocabulary = {symbol: number for number, symbol in enumerate(symbols)}
    Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="[UNK]")).save(str(folder / "vocab.json"))
    args = XttsArgs(
        gpt_layers=1,
        gpt_n_model_channels=64,
        gpt_n_heads=2,
        gpt_max_audio_tokens=30,
        gpt_max_text_tokens=100,
        gpt_max_prompt_tokens=20,
        gpt_number_text_tokens=len(symbols),
        gpt_num_audio_tokens=40,
        gpt_start_audio_token=38,
        gpt_stop_audio_token=39,
        gpt_start_text_token=4,
        gpt_stop_text_token=0,
        decoder_input_dim=64,
        d_vector_dim=32,
    )
    config = XttsConfig(model_args=args, audio=XttsAudioConfig(), languages=["en"])
    model = Xtts(config)
    model.tokenizer = VoiceBpeTokenizer(vocab_file=str(folder / "vocab.json"))
    model.init_models()
    torch.save({"model": model.state_dict(), "config": config.to_dict()}, folder / "model.pth")
    config.save_json(folder / "config.json")
    speakers = {
        name: {"gpt_cond_latent": torch.randn(1, 8, 64), "speaker_embedding": torch.randn(1, 32, 1)} for name in ("ann", "bob")
    }
    torch.save(speakers, folder / "speakers_xtts.pth")
    return folder


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of one speaker."""
    return _make_vits(tmp_path_factory.mktemp("checkpoints") / "alone", [])


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of three speakers."""
    return _make_vits(tmp_path_factory.mktemp("checkpoints") / "several", ["ann", "bob", "cy"])


def _voice(name: str, root: Path) -> Synthesizer:
    named = voice_named(name)
    return build_studio(root).voice(named.spec, named.options)


def _say(voice: Synthesizer, seed: int = 3, pace: float = 1.0) -> Any:
    return voice.synthesize(TEXT, language="en", seed=seed, pace=pace)


def test_a_checkpoint_speaks_and_the_seed_decides(alone: Path, tmp_path: Path) -> None:
    """Equal seeds give equal samples, here and in another process, whatever was said before; another seed gives others."""
    script = """
import sys, pathlib, warnings
warnings.simplefilter("ignore")
from speech.naming import voice_named
from speech.studio import build_studio
named = voice_named(sys.argv[1])
voice = build_studio(pathlib.Path(sys.argv[2])).voice(named.spec, named.options)
print(voice.synthesize(sys.argv[3], language="en", seed=3, pace=1.0).sha256)
"""
    voice = _voice(f"coqui:{alone}", tmp_path)

    first, other, again = (_say(voice, seed) for seed in (3, 4, 3))
    done = subprocess.run(
        [sys.executable, "-c", script, f"coqui:{alone}", str(tmp_path), TEXT],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "17"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert first.sha256 == again.sha256 == done.stdout.strip().splitlines()[-1]
    assert first.sha256 != other.sha256
    assert RATE == first.sample_rate == voice.spec.sample_rate
    assert voice.seeded


def test_pace_is_a_factor(alone: Path, tmp_path: Path) -> None:
    """A faster pace is shorter, and the voice's own comes back after it."""
    voice = _voice(f"coqui:{alone}", tmp_path)

    plain, faster, again = (_say(voice, pace=pace) for pace in (1.0, 1.5, 1.0))

    assert faster.duration_s < 0.85 * plain.duration_s
    assert plain.sha256 == again.sha256


def test_speakers_are_chosen_by_name(several: Path, tmp_path: Path) -> None:
    """Each speaker has a sound and an id of its own; none and an unknown one are refused with the list."""
    voices = [_voice(f"coqui:{several}?speaker={name}", tmp_path) for name in ("ann", "bob", "cy")]

    assert 3 == len({_say(voice).sha256 for voice in voices}) == len({voice.spec.id for voice in voices})
    with pytest.raises(UsageError, match="has several speakers: choose one with speaker=: ann, bob, cy"):
        _say(_voice(f"coqui:{several}", tmp_path))
    with pytest.raises(UsageError, match="has no speaker 'dan'; it has ann, bob, cy"):
        _say(_voice(f"coqui:{several}?speaker=dan", tmp_path))


def test_a_folder_and_a_configuration_elsewhere(alone: Path, tmp_path: Path) -> None:
    """A folder stands for its model.pth; a configuration may lie anywhere, and its hash is part of the signature."""
    elsewhere = tmp_path / "mine.json"
    elsewhere.write_bytes((alone.parent / "config.json").read_bytes())
    by_folder = _voice(f"coqui:{alone.parent}", tmp_path)
    by_config = _voice(f"coqui:{alone}?config={elsewhere}", tmp_path)

    assert _say(by_folder).sha256 == _say(by_config).sha256
    assert by_folder.signature() == by_config.signature()
    elsewhere.write_text(json.dumps({**json.loads(elsewhere.read_text()), "run_name": "other"}))
    assert by_folder.signature() != _voice(f"coqui:{alone}?config={elsewhere}", tmp_path).signature()


def test_an_xtts_folder_speaks(tmp_path: Path) -> None:
    """XTTS is loaded from its folder, speaks its languages with its speakers, and obeys seed and pace."""
    folder = _make_xtts(tmp_path / "xtts")
    ann, bob = (_voice(f"coqui:{folder}?speaker={name}", tmp_path) for name in ("ann", "bob"))

    first, other, again, faster = (
        ann.synthesize(TEXT, language="en-GB", seed=seed, pace=pace) for seed, pace in ((3, 1.0), (4, 1.0), (3, 1.0), (3, 1.5))
    )

    assert first.sha256 == again.sha256
    assert 3 == len({first.sha256, other.sha256, _say(bob).sha256})
    assert faster.duration_s < 0.85 * first.duration_s
    assert (24000, ("en",)) == (first.sample_rate, ann.spec.languages)
    with pytest.raises(UsageError, match="does not serve 'fr'"):
        ann.synthesize(TEXT, language="fr", seed=3, pace=1.0)


def test_described_speakers_can_be_cast(several: Path, tmp_path: Path) -> None:
    """Voices are considered for the languages of their configuration, or for those that the name gives, with its gender."""
    names = [f"coqui:{several}?speaker={name}&gender={gender}" for name, gender in (("ann", "female"), ("bob", "male"))]
    choice = ",".join([*names, f"coqui:{several}?speaker=cy&languages=de%2Cfr"])

    english, french = (voice_set(choice, language, tmp_path).voices for language in ("en-GB", "fr"))

    assert ["female", "male"] == [voice.spec.gender for voice in english]
    assert [None] == [voice.spec.gender for voice in french]


def test_a_changed_checkpoint_is_refused(tmp_path: Path) -> None:
    """A file that changed after it was named is not loaded."""
    model = _make_vits(tmp_path / "changing", [])
    voice = _voice(f"coqui:{model}", tmp_path)
    model.write_bytes(model.read_bytes() + b"x")

    with pytest.raises(WeightsError, match="it changed since it was named"):
        _say(voice)


def test_what_is_no_checkpoint_is_one_line(alone: Path, tmp_path: Path) -> None:
    """A missing file, a broken configuration, another kind of model, a broken checkpoint and an unknown option: each one line."""
    with pytest.raises(FileError, match="is no configuration of a Coqui voice"):
        voice_named(f"coqui:{tmp_path}/none/model.pth")
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(FileError, match="is no configuration of a Coqui voice"):
        voice_named(f"coqui:{tmp_path}/model.pth")
    (tmp_path / "config.json").write_text('{"model": "tacotron2", "audio": {"sample_rate": 22050}}')
    with pytest.raises(UsageError, match="is no configuration of a vits or xtts voice"):
        voice_named(f"coqui:{tmp_path}/model.pth")
    (tmp_path / "config.json").write_bytes((alone.parent / "config.json").read_bytes())
    with pytest.raises(FileError, match=r"is no Coqui checkpoint: model\.pth"):
        voice_named(f"coqui:{tmp_path}/model.pth")
    (tmp_path / "model.pth").write_bytes(b"not a checkpoint")
    with pytest.raises(EngineError, match=r"coqui .* failed while speaking") as caught:
        _say(_voice(f"coqui:{tmp_path}/model.pth", tmp_path))
    assert "\n" not in str(caught.value)
    with pytest.raises(UsageError, match=r"unknown option 'speakr': it takes config, speaker, speaker_wav"):
        _voice(f"coqui:{alone}?speakr=ann", tmp_path)
