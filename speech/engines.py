"""The two protocols every speech engine fulfils, the registries they are made from, and what signs their output.

An engine is made without loading anything: its signature is known at once, so that a run whose clips and transcripts
are all in the cache never loads a model. The weights are located, verified and loaded at the first sound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Generic, Protocol, TypeVar

from pydantic import JsonValue

from core.errors import EngineError, RingbackError, UsageError
from core.options import refuse_unknown
from models.specs import ModelSpec
from speech import extras
from speech.clip import Clip

Signature = dict[str, JsonValue]
"""Everything that decides an engine's output: engine, package versions, model hash, settings, CPU features."""

CPU_FLAGS = ("avx", "avx2", "f16c", "fma")
"""Single flags of /proc/cpuinfo by which the engines choose their kernels; every flag with one of these prefixes counts too:"""
CPU_FLAG_PREFIXES = ("avx512", "avx_vnni", "amx")


@dataclass(frozen=True)
class Segment:
    """A piece of a transcript."""

    start_s: float
    """Seconds from the start of the clip."""
    end_s: float
    """Seconds from the start of the clip."""
    text: str
    """Words."""
    avg_logprob: float
    """Mean log-probability of the tokens, <= 0."""
    no_speech_prob: float
    """Probability that there was no speech, 0 to 1."""
    compression_ratio: float
    """Length over compressed length; above 2.4 the text repeats itself."""


@dataclass(frozen=True)
class Transcript:
    """What a recogniser understood."""

    text: str
    """All the words, single spaces, no edge spaces; empty where nothing was understood."""
    segments: tuple[Segment, ...]
    """The pieces in order of time."""
    language: str
    """Language it was told to expect."""
    detected: str | None = None
    """Language it found, where it was left to find it."""

    @property
    def confidence(self) -> float | None:
        """Mean of the segments' log-probabilities weighted by their length in characters, 6 digits; None without text."""
        weight = sum(len(segment.text) for segment in self.segments)
        if not weight:
            return None
        return round(sum(segment.avg_logprob * len(segment.text) for segment in self.segments) / weight, 6)


class Synthesizer(Protocol):
    """Turns text into speech with one voice model."""

    @property
    def spec(self) -> ModelSpec:
        """The catalogue entry; its id is the voice."""

    @property
    def seeded(self) -> bool:
        """Whether the seed changes the sound at all."""

    def signature(self) -> Signature:
        """Everything but text, language, seed and pace that decides the samples. Loads nothing."""

    def synthesize(self, text: str, *, language: str, seed: int, pace: float) -> Clip:
        """Speech for `text` in `language` (BCP 47, one the model serves), at the model's own rate.

        `pace` is a factor: 1 is the voice's own, 1.2 a fifth faster.

        Raises:
            EngineError: the engine failed.
            WeightsError, MissingExtraError: it is not installed whole.
        """


class Recognizer(Protocol):
    """Turns speech into text."""

    @property
    def spec(self) -> ModelSpec:
        """The catalogue entry."""

    def signature(self) -> Signature:
        """Everything but the samples and the language that decides the transcript. Loads nothing."""

    def transcribe(self, clip: Clip, *, language: str) -> Transcript:
        """The words of `clip` at any rate and length; `language` is a BCP 47 tag and is never guessed.

        Raises:
            EngineError: the engine failed.
            WeightsError, MissingExtraError: it is not installed whole.
        """


Engine = TypeVar("Engine")
Factory = Callable[[ModelSpec, Path], Engine]
"""Makes an engine from a catalogue entry and the cache root, without loading weights."""
Options = Mapping[str, str]
"""What a user set of an engine, as written behind its name."""
SettableFactory = Callable[[ModelSpec, Path, Options], Engine]
"""The same with a user's options, which it must hold to those it has."""
NO_OPTIONS: Options = MappingProxyType({})


class EngineRegistry(Generic[Engine]):
    """Engine names to factories; refuses a name twice, and an unknown one with the list of valid ones."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._factories: dict[str, SettableFactory[Engine]] = {}

    def register(self, name: str, factory: Factory[Engine]) -> None:
        """Add an engine that has no options.

        Raises:
            UsageError: the name is taken.
        """

        def made(spec: ModelSpec, cache_root: Path, options: Options) -> Engine:
            refuse_unknown(options, (), spec.id)
            return factory(spec, cache_root)

        self.register_settable(name, made)

    def register_settable(self, name: str, factory: SettableFactory[Engine]) -> None:
        """Add an engine that a user can set; raises like `register`."""
        if name in self._factories:
            raise UsageError(f"{self._what} {name!r} is registered twice: give the second one another name")
        self._factories[name] = factory

    def make(self, spec: ModelSpec, cache_root: Path, options: Options = NO_OPTIONS) -> Engine:
        """The engine of a catalogue entry, set as a user wants it.

        Raises:
            UsageError: no such engine, or an option it has not; valid names are listed.
        """
        if spec.engine not in self._factories:
            raise UsageError(
                f"unknown {self._what} {spec.engine!r} of {spec.id!r}: there are {', '.join(sorted(self._factories))}"
            )
        return self._factories[spec.engine](spec, cache_root, options)


def base_signature(spec: ModelSpec, settings: dict[str, JsonValue]) -> Signature:
    """The signature every engine shares: model, versions of what runs it, its settings, and this machine's CPU features.

    Raises:
        MissingExtraError: a package that runs it is not installed.
    """
    purpose = f"the {spec.kind} {spec.id!r}"
    versions: dict[str, JsonValue] = {name: extras.version(name, extra=spec.extra, purpose=purpose) for name in spec.runtime}
    return {
        "engine": spec.engine,
        "model": spec.id,
        "model_sha256": spec.sha256,
        "packages": versions,
        "settings": settings,
        "cpu_features": list(cpu_features()),
    }


@cache
def cpu_features(cpuinfo: Path = Path("/proc/cpuinfo")) -> tuple[str, ...]:
    """Sorted CPU features by which engines choose their kernels: equal bytes are promised only where these are equal.

    Empty where the system does not tell.
    """
    try:
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ()
    flags = next((line.partition(":")[2].split() for line in lines if line.startswith(("flags", "Features"))), [])
    return tuple(sorted({flag for flag in flags if flag in CPU_FLAGS or flag.startswith(CPU_FLAG_PREFIXES)}))


@contextmanager
def engine_boundary(spec: ModelSpec, doing: str) -> Iterator[None]:
    """Turn whatever an engine raises into EngineError; errors of our own pass."""
    try:
        yield
    except RingbackError:
        raise
    except Exception as error:
        said = " ".join(str(error).split())
        raise EngineError(f"{spec.engine} ({spec.id}) failed while {doing}: {type(error).__name__}: {said}") from error
