"""Coqui: a user's own VITS or XTTS checkpoint, through the maintained fork of Coqui TTS. It is imported when one is chosen."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from core.errors import FileError, UsageError
from core.options import refuse_unknown
from models.specs import ModelSpec
from models.weights import file_sha256, locate_spec
from speech import extras
from speech.clip import Clip
from speech.engines import NO_OPTIONS, Options, Signature, base_signature, engine_boundary

THREADS = 1
OPTIONS = ("config", "speaker", "speaker_wav")
"""Where the configuration lies if not beside the checkpoint, who speaks, and whom an XTTS voice should sound like."""
PADDING = 10_000
"""Zeros that the library puts behind every sentence."""
XTTS = "xtts"


class CoquiSynthesizer:
    """A checkpoint of the user; its chance comes from the seed alone."""

    seeded = True

    def __init__(self, spec: ModelSpec, cache_root: Path, options: Options = NO_OPTIONS) -> None:
        refuse_unknown(options, OPTIONS, spec.id)
        self.spec = spec
        self._cache_root = cache_root
        self._config = Path(options.get("config") or Path(spec.folder or "", "config.json")).absolute()
        self._speaker = options.get("speaker")
        self._reference = options.get("speaker_wav")

    def signature(self) -> Signature:
        """Everything but text, language, seed and pace that decides the samples: files by their hashes."""
        return base_signature(self.spec, {**self._files, "threads": THREADS, "speaker": self._speaker})

    def synthesize(self, text: str, *, language: str, seed: int, pace: float) -> Clip:
        """Speech for `text` at the checkpoint's rate; `seed` draws all its noise, `pace` 0.5 to 2.

        Raises:
            UsageError: the checkpoint has no such speaker or language, or needs to be told a speaker.
            EngineError: it cannot be loaded or failed.
        """
        with engine_boundary(self.spec, "speaking"):
            torch, voice = self._loaded
            torch.manual_seed(seed)
            xtts = self.spec.name == XTTS
            name = _language(voice, language) if xtts or voice.tts_model.language_manager.num_languages > 1 else None
            spoken = {"speaker_name": self._speaker, "speaker_wav": self._reference, "language_name": name}
            if xtts:
                said = voice.tts(text, split_sentences=True, speed=pace, **spoken)
            else:
                voice.tts_model.length_scale = self._length_scale / pace
                said = voice.tts(text, split_sentences=False, **spoken)
            return Clip.of(said[:-PADDING], voice.output_sample_rate)

    @cached_property
    def _files(self) -> dict[str, JsonValue]:
        named = {"config_sha256": self._config, "speaker_wav_sha256": self._reference}
        try:
            return {name: file_sha256(Path(path)) if path else None for name, path in named.items()}
        except OSError as error:
            raise FileError(f"cannot read {str(error.filename)!r} of the voice {self.spec.id!r}: {error.strerror}") from error

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        folder = locate_spec(self.spec, self._cache_root)
        checkpoint = folder if self.spec.name == XTTS else folder / self.spec.files[0].name
        torch, voice = _load(str(checkpoint), str(self._config), self.spec.id, self.spec.extra)
        self._check_speaker(voice)
        return torch, voice

    @cached_property
    def _length_scale(self) -> float:
        return float(self._loaded[1].tts_model.length_scale)

    def _check_speaker(self, voice: Any) -> None:
        manager = getattr(voice.tts_model, "speaker_manager", None)
        names = sorted(manager.speaker_names) if manager else []
        if self._speaker is None and self._reference is None and len(names) > 1:
            raise UsageError(f"the voice {self.spec.id!r} has several speakers: choose one with speaker=: {', '.join(names)}")
        if self._speaker is not None and self._speaker not in names:
            raise UsageError(
                f"the voice {self.spec.id!r} has no speaker {self._speaker!r}; it has {', '.join(names) or 'one only'}"
            )


def _language(voice: Any, language: str) -> str:
    """The checkpoint's name of a language: the one with the same primary tag."""
    primary = language.split("-")[0].lower()
    names = list(voice.tts_model.language_manager.language_names)
    for name in names:
        if name.split("-")[0].lower() == primary:
            return str(name)
    raise UsageError(f"the checkpoint does not serve {language!r}; it serves {', '.join(names)}")


@cache
def _load(checkpoint: str, config: str, model_id: str, extra: str) -> tuple[Any, Any]:
    """torch, and the loaded checkpoint, once per process."""
    purpose = f"the voice {model_id!r}"
    torch = extras.load("torch", package="torch", extra=extra, purpose=purpose)
    torch.set_num_threads(THREADS)
    synthesizer = extras.load("TTS.utils.synthesizer", package="coqui-tts", extra=extra, purpose=purpose)
    return torch, synthesizer.Synthesizer(tts_checkpoint=checkpoint, tts_config_path=config).eval()
