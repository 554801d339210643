"""What engines share: registries, signatures without loading, translated errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import ClipError, EngineError, MissingExtraError, UsageError
from models import registry
from models.specs import ModelKind
from speech import extras
from speech.engines import (
    EngineRegistry,
    Recognizer,
    Segment,
    Synthesizer,
    Transcript,
    base_signature,
    cpu_features,
    engine_boundary,
)
from speech.tts import SYNTHESIZERS

ROOT = Path(__file__).parents[2]
JOE = registry.get("piper-joe")


def test_registries_refuse_unknown_and_duplicate_names(tmp_path: Path) -> None:
    """An engine nobody registered is refused with the list of those there are; a name can be taken once."""
    engines: EngineRegistry[Synthesizer] = EngineRegistry("synthesiser engine")
    engines.register("piper", SYNTHESIZERS.make)

    with pytest.raises(UsageError, match="'piper' is registered twice"):
        engines.register("piper", SYNTHESIZERS.make)
    with pytest.raises(UsageError, match="unknown synthesiser engine 'hibari' of 'hibari-heart': there are piper"):
        engines.make(registry.get("hibari-heart"), tmp_path)


def test_every_model_of_the_catalogue_has_its_engine(studio_models: dict[str, Synthesizer | Recognizer]) -> None:
    """Each voice and recogniser can be made, keeps its entry, and signs with its model's hash."""
    for model_id, engine in studio_models.items():
        assert model_id == engine.spec.id
        assert registry.get(model_id).sha256 == engine.signature()["model_sha256"]
        assert {"engine", "model", "model_sha256", "packages", "settings", "cpu_features"} == set(engine.signature())


@pytest.fixture
def studio_models(tmp_path: Path) -> dict[str, Synthesizer | Recognizer]:
    """Every engine of the catalogue over an empty cache: nothing of it may be read yet."""
    from speech.studio import build_studio

    studio = build_studio(tmp_path)
    made: dict[str, Synthesizer | Recognizer] = {
        spec.id: studio.voice(spec) for spec in registry.catalogue().values() if spec.kind is ModelKind.VOICE
    }
    return {**made, "whisper-base": studio.listener("en").recognizer}


def test_signing_loads_nothing(tmp_path: Path) -> None:
    """Making every engine and taking its signature imports no engine, so that a warm run stays light."""
    script = """
import sys, json, pathlib
from core.line import TextLines
from speech.studio import build_studio
studio = build_studio(pathlib.Path(sys.argv[1]))
studio.spoken_lines().settings(), studio.recorded(TextLines()).settings()
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True)

    heavy = {"faster_whisper", "ctranslate2", "onnxruntime", "hibari", "piper", "scipy", "av", "librosa", "soundfile", "soxr"}
    assert set() == heavy & set(json.loads(done.stdout))
    assert [] == list(tmp_path.iterdir())


def test_cpu_features_are_those_that_choose_kernels(tmp_path: Path) -> None:
    """From a cpuinfo the vector features are taken, sorted; a system without one has none."""
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(
        "processor : 0\nflags\t\t: fpu sse2 fma avx2 avx avx512_vnni avx512f avx_vnni aes amx_int8\nflags : other\n"
    )

    assert ("amx_int8", "avx", "avx2", "avx512_vnni", "avx512f", "avx_vnni", "fma") == cpu_features(cpuinfo)
    assert () == cpu_features(tmp_path / "none")


def test_a_missing_package_names_its_extra() -> None:
    """An engine whose package is absent tells the extra, at signing and at loading; other import faults are not hidden."""
    spec = JOE.model_copy(update={"runtime": ("no-such-package",)})

    with pytest.raises(MissingExtraError, match=r"'no-such-package', which is not installed: pip install 'ringback\[voices\]'"):
        base_signature(spec, {})
    with pytest.raises(MissingExtraError, match=r"listening needs the package 'ear'.*ringback\[speech\]"):
        extras.load("no_such_module.ear", package="ear", extra="speech", purpose="listening")
    with pytest.raises(ModuleNotFoundError, match="no_such_part"):
        extras.load("speech.no_such_part", package="speech", extra="speech", purpose="nothing")


def test_foreign_errors_are_translated_and_ours_pass() -> None:
    """Whatever an engine raises becomes one EngineError with engine, model and cause; our own errors stay what they are."""
    with (
        pytest.raises(EngineError, match=r"piper \(piper-joe\) failed while speaking: RuntimeError: no memory"),
        engine_boundary(JOE, "speaking"),
    ):
        raise RuntimeError("no memory")
    with pytest.raises(ClipError, match="ours"), engine_boundary(JOE, "speaking"):
        raise ClipError("ours")


def test_confidence_is_weighted_by_text() -> None:
    """A transcript's confidence weighs segments by their length; without text there is none."""
    segments = tuple(Segment(0, 1, text, logprob, 0.0, 1.0) for text, logprob in (("ninechars", -0.1), ("one", -0.5), ("", -9)))

    assert pytest.approx((9 * -0.1 + 3 * -0.5) / 12, abs=1e-6) == Transcript("ninechars one", segments, "en").confidence
    assert Transcript("", (), "en").confidence is None
