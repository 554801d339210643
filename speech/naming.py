"""How users name recognisers and voices: `whisper-base?beam=5`, `whisper:/models/mine`, `openai:tts-1/alloy?gender=female`.

A name is an id of the catalogue, or a scheme with what is found outside of it. Options behind the question mark are the
engine's own, save those that describe a voice nobody has listed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from core.errors import FileError, OperatorError, UsageError
from core.options import split_options
from models import registry, weights
from models.specs import Built, ModelFile, ModelKind, ModelSpec
from models.weights import WeightState
from speech import extras
from speech.engines import Options

REMOTE = "openai"
"""Engine of what a speech server does."""
AUTO = "auto"
"""The recogniser that is chosen by language."""
CANDIDATES = ("whisper-small", "whisper-base")
"""What `auto` chooses among, best first."""
PREFERRED: Mapping[str, tuple[str, ...]] = {"en": ("whisper-base", "whisper-small")}
"""The order where it is another one, by primary language: in English the base model is good, and three times faster."""
MULTILINGUAL_TOKENS = 51865
"""Words in the vocabulary of a Whisper that knows more than English."""
HUB_FILES = ["config.json", "preprocessor_config.json", "model.bin", "tokenizer.json", "vocabulary.*"]
COQUI_MODELS = ("vits", "xtts")
_HUB = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")
_NO_DETERMINISM = "None: the server may answer otherwise each time; what it answered first is kept."


@dataclass(frozen=True)
class Named:
    """A model as a user named it."""

    text: str
    """The name as written."""
    spec: ModelSpec
    """What it names."""
    options: Options = field(default_factory=dict)
    """What is left for its engine."""


@dataclass(frozen=True)
class Chosen:
    """The recogniser for one language."""

    asked: str
    """What was asked for: a name, or `auto`."""
    named: Named
    """What that came to."""
    instead_of: tuple[str, ...] = ()
    """Ids that were preferred but are not installed here."""

    def settings(self) -> dict[str, JsonValue]:
        """What was asked for, what that came to, and for what it stands in."""
        return {
            "recogniser": self.asked,
            "recogniser_chosen": self.named.text,
            "recogniser_instead_of": list(self.instead_of),
        }


@dataclass(frozen=True)
class Asked:
    """The recogniser as asked for, before the language is known."""

    text: str
    """A name, or `auto`, with options."""
    candidates: tuple[Named, ...]
    """What it may come to."""
    auto: bool
    """Whether the language chooses among them."""

    def choose(self, language: str, cache_root: Path) -> Chosen:
        """The one named; for `auto`, the best one for `language` (BCP 47) that is installed here.

        Raises:
            UsageError: none of them serves the language.
            OperatorError: `auto`, and none for the language is installed here.
        """
        order = PREFERRED.get(language.split("-")[0].lower(), ())
        serving = [named for named in self.candidates if registry.serves(named.spec, language)]
        if not serving:
            served = sorted({tag for named in self.candidates for tag in named.spec.languages})
            raise UsageError(f"recogniser {self.text!r} does not serve {language!r}; languages: {', '.join(served)}")
        if not self.auto:
            return Chosen(self.text, serving[0])
        serving.sort(key=lambda named: order.index(named.spec.id) if named.spec.id in order else len(order))
        here = [named for named in serving if _is_here(named, cache_root)]
        if not here:
            remedy = weights.remedy(serving[0].spec)
            raise OperatorError(f"no recogniser for {language!r} is installed here: get one with `{remedy}`")
        missing = serving[: serving.index(here[0])]
        return Chosen(self.text, here[0], tuple(named.spec.id for named in missing))

    def here(self, cache_root: Path) -> tuple[Chosen, ...]:
        """Everything it may come to on this machine, whatever the language."""
        return tuple(Chosen(self.text, named) for named in self.candidates if not self.auto or _is_here(named, cache_root))


def asked_recogniser(text: str) -> Asked:
    """A recogniser as users ask for it: `auto` or a name, both with options; raises like `recogniser_named`."""
    head, query, _ = text.partition("?")
    if head != AUTO:
        return Asked(text, (recogniser_named(text),), auto=False)
    behind = text.removeprefix(AUTO) if query else ""
    return Asked(text, tuple(recogniser_named(name + behind) for name in CANDIDATES), auto=True)


def recogniser_named(text: str) -> Named:
    """The recogniser of a name: an id of the catalogue, `whisper:<folder or hub name>` or `openai:<model>`.

    Raises:
        UsageError: no such name; what there is is listed.
        FileError: the folder holds no Whisper model.
        OperatorError: the hub's model is not here and cannot be had.
    """
    return _named(text, ModelKind.RECOGNISER, {"whisper": _whisper, "openai": _remote_recogniser})


def voice_named(text: str) -> Named:
    """The voice of a name: an id of the catalogue, `openai:<model>/<voice>`, or `coqui:<model.pth, or its folder>`.

    One outside the catalogue is described by `gender`, `accent` and `languages` (comma-separated) behind its name, one of a
    server by `rate` too.

    Raises:
        UsageError: no such name; what there is is listed.
        FileError: there is no such checkpoint.
    """
    return _named(text, ModelKind.VOICE, {"openai": _remote_voice, "coqui": _coqui})


Finder = Callable[[str, dict[str, str]], ModelSpec]
"""Describes what a scheme's name means; takes the options it understands out of the dictionary."""


def _named(text: str, kind: ModelKind, schemes: Mapping[str, Finder]) -> Named:
    head, options = split_options(text, text)
    scheme, colon, name = head.partition(":")
    if not colon:
        return Named(text, registry.get(head, kind), options)
    if scheme not in schemes or not name:
        forms = ", ".join(f"{known}:..." for known in schemes)
        raise UsageError(f"unknown {kind.value} {text!r}: write an id of `ringback models list`, or {forms}")
    return Named(text, schemes[scheme](name, options), options)


def _is_here(named: Named, cache_root: Path) -> bool:
    return weights.state_of(named.spec, cache_root) is not WeightState.MISSING  # a damaged one is told of, not passed over


def folder_files(folder: Path, names: tuple[str, ...], what: str) -> tuple[ModelFile, ...]:
    """The named files of a folder with what they are now; `what` the folder should hold is named where one is missing.

    Raises:
        FileError: a file is missing or cannot be read.
    """
    found = []
    for name in names:
        path = folder / name
        try:
            found.append(ModelFile(name=name, built=Built(size=path.stat().st_size, sha256=weights.file_sha256(path))))
        except OSError as error:
            raise FileError(f"{str(folder)!r} is no {what}: {name}: {error.strerror or error}") from error
    return tuple(found)


def slug(text: str) -> str:
    """A name as an id may hold it."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].strip("-") or "model"


def _whisper(name: str, options: dict[str, str]) -> ModelSpec:
    """A Whisper model that faster-whisper can read, from a folder or from the hub. Its main file's hash is its identity."""
    del options
    path = Path(name).expanduser()
    origin = "folder" if path.is_dir() or not _HUB.fullmatch(name) else "hub"
    folder = path.absolute() if origin == "folder" else _hub_folder(name)
    what = "Whisper model for faster-whisper (model.bin, config.json, tokenizer.json, vocabulary)"
    vocabulary = "vocabulary.json" if (folder / "vocabulary.json").exists() else "vocabulary.txt"
    files = folder_files(folder, ("model.bin", "config.json", "tokenizer.json", vocabulary), what)
    base = registry.get("whisper-base")
    return ModelSpec(
        id=f"whisper-{origin}-{slug(folder.name if origin == 'folder' else name)}",
        kind=ModelKind.RECOGNISER,
        title=f"Whisper from {'a folder' if origin == 'folder' else name}",
        engine=base.engine,
        runtime=base.runtime,
        extra=base.extra,
        languages=("mul",) if _tokens(folder / vocabulary) >= MULTILINGUAL_TOKENS else ("en",),
        licence="unknown",
        origin=name if origin == "hub" else "a folder of the user",
        determinism=base.determinism,
        sample_rate=base.sample_rate,
        main="model.bin",
        files=files,
        folder=str(folder),
    )


def _tokens(vocabulary: Path) -> int:
    """How many words a vocabulary has."""
    text = vocabulary.read_text(encoding="utf-8", errors="replace")
    try:
        return len(json.loads(text)) if vocabulary.suffix == ".json" else len(text.removesuffix("\n").split("\n"))
    except ValueError as error:
        raise FileError(f"{str(vocabulary)!r} is no vocabulary: {error}") from error


def _hub_folder(name: str) -> Path:
    """Where a model of the hub lies; it is fetched where it is not here yet, if there is a network."""
    hub = extras.load("huggingface_hub", package="huggingface-hub", extra="speech", purpose=f"the recogniser 'whisper:{name}'")
    for offline in (True, False):
        try:
            return Path(hub.snapshot_download(name, local_files_only=offline, allow_patterns=HUB_FILES))
        except Exception as error:  # noqa: BLE001  # the hub's many errors, and those of the network below it
            failure = error
    why = " ".join(str(failure).split())[:160]
    raise OperatorError(
        f"'whisper:{name}' is neither a folder nor in the hub's cache, and cannot be fetched: {type(failure).__name__}: {why}:"
        " give a folder, or fetch it where there is a network"
    )


def _remote_recogniser(name: str, options: dict[str, str]) -> ModelSpec:
    del options
    return ModelSpec(
        id=f"openai-{slug(name)}",
        kind=ModelKind.RECOGNISER,
        title=f"{name} behind a speech server",
        engine=REMOTE,
        runtime=("httpx",),
        extra="speech",
        languages=("mul",),
        licence="unknown",
        origin="a speech server",
        determinism=_NO_DETERMINISM,
        deterministic=False,
        sample_rate=16000,
        name=name,
    )


def _remote_voice(name: str, options: dict[str, str]) -> ModelSpec:
    model, slash, voice = name.partition("/")
    rate = options.pop("rate", "24000")
    if not slash or not model or not voice:
        raise UsageError(f"{name!r} is no voice of a server: write openai:<model>/<voice>")
    if not (rate.isascii() and rate.isdecimal() and 4000 <= int(rate) <= 192000):
        raise UsageError(f"rate={rate} of {name!r}: give samples per second, 4000 to 192000")
    spec = _remote_recogniser(name, {})
    return ModelSpec.model_validate({**spec.model_dump(), **_described(name, options, "mul"), "sample_rate": int(rate)})


def _described(name: str, options: dict[str, str], languages: str) -> dict[str, object]:
    """What a user says of a voice that nobody has listed; `languages` where nothing is said of them."""
    gender = options.pop("gender", None)
    if gender not in (None, "female", "male"):
        raise UsageError(f"gender={gender} of {name!r}: give female or male")
    served = tuple(options.pop("languages", languages).split(","))
    return {"kind": ModelKind.VOICE, "gender": gender, "accent": options.pop("accent", None), "languages": served}


def _coqui(name: str, options: dict[str, str]) -> ModelSpec:
    """A Coqui checkpoint: `model.pth` with its `config.json`, of an XTTS model the whole folder."""
    path = Path(name).expanduser().absolute()
    folder, model = (path, "model.pth") if path.is_dir() else (path.parent, path.name)
    config = Path(options.get("config") or folder / "config.json")
    settings = _coqui_config(config)
    kind, audio = str(settings.get("model")), settings.get("audio")
    rate = audio.get("output_sample_rate") or audio.get("sample_rate") if isinstance(audio, dict) else None
    if kind not in COQUI_MODELS or not isinstance(rate, int):
        raise UsageError(f"{str(config)!r} is no configuration of a {' or '.join(COQUI_MODELS)} voice with its sample rate")
    beside = [extra for extra in ("vocab.json", "speakers_xtts.pth") if kind == "xtts" and (folder / extra).exists()]
    speaker = options.get("speaker", "")
    told = settings.get("languages")
    languages = ",".join(str(tag).split("-")[0] for tag in told) if isinstance(told, list) and told else "mul"
    described = _described(name, options, languages)
    return ModelSpec.model_validate(
        {
            "id": slug(f"coqui-{folder.name}-{speaker}"),
            "title": f"{speaker or 'A voice'} of a {kind.upper()} checkpoint (Coqui)",
            "engine": "coqui",
            "runtime": ("coqui-tts", "torch", "numpy"),
            "extra": "coqui",
            "licence": "unknown",
            "origin": "a checkpoint of the user",
            "determinism": "The seed fixes its noise; one thread: the same text, pace and seed give the same samples.",
            "sample_rate": rate,
            "name": kind,
            "main": model,
            "files": folder_files(folder, (model, *beside), "Coqui checkpoint"),
            "folder": str(folder),
            **described,
        }
    )


def _coqui_config(path: Path) -> dict[str, object]:
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise FileError(f"{str(path)!r} is no configuration of a Coqui voice: {why}: name it with config=") from error
    return settings if isinstance(settings, dict) else {}
