"""Weights: found in installed packages without importing them, joined once, every byte verified, each fault one line."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import OperatorError, UsageError, WeightsError
from models import registry
from models.specs import ModelFile, ModelKind, ModelSpec, Part, Source
from models.weights import WeightState, file_sha256, locate, locate_spec, state

ROOT = Path(__file__).parents[2]
PIECES = {"alpha.part1": b"one " * 5000, "alpha.part2": b"two " * 7000, "config.json": b"{}\n"}


def _install(site: Path) -> ModelSpec:
    """An installed package that carries a small model in two parts, and its catalogue entry."""
    info = site / "tiny_weights-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n")
    data = site / "tiny_weights" / "data"
    data.mkdir(parents=True)
    (site / "tiny_weights" / "__init__.py").write_text("raise SystemExit('imported')\n")
    for name, content in PIECES.items():
        (data / name).write_bytes(content)
    return _entry("alpha.part1", "alpha.part2")


def _part(name: str) -> Part:
    content = PIECES[name]
    return Part(
        distribution="tiny-weights",
        path=f"tiny_weights/data/{name}",
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )


def _entry(*names: str) -> ModelSpec:
    joined = hashlib.sha256(b"".join(PIECES[name] for name in names)).hexdigest()
    return ModelSpec(
        id="tiny",
        kind=ModelKind.WEIGHTS,
        title="A tiny model",
        engine="none",
        runtime=("tiny-weights",),
        extra="speech",
        languages=("en",),
        licence="MIT",
        origin="made here",
        determinism="no chance",
        sources=(Source(distribution="tiny-weights", version="1.0", licence="MIT"),),
        main="alpha.bin",
        files=(
            ModelFile(name="alpha.bin", parts=tuple(_part(name) for name in names), joined_sha256=joined),
            ModelFile(name="config.json", parts=(_part("config.json"),)),
        ),
    )


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder on the import path, to install packages into."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def _one_line(error: BaseException) -> str:
    assert "\n" not in str(error)
    return str(error)


def test_parts_are_joined_in_order_and_verified(site: Path, tmp_path: Path) -> None:
    """The joined file is its parts in order; the folder is named by id and hash, and a second call gives the same one."""
    spec = _install(site)

    folder = locate_spec(spec, tmp_path / "cache")

    assert tmp_path / "cache" / "weights" / f"tiny-{spec.sha256[:12]}" == folder
    assert PIECES["alpha.part1"] + PIECES["alpha.part2"] == (folder / "alpha.bin").read_bytes()
    assert {"alpha.bin", "config.json"} == {path.name for path in folder.iterdir()}
    written = (folder / "alpha.bin").stat().st_mtime_ns
    assert folder == locate_spec(spec, tmp_path / "cache")
    assert written == (folder / "alpha.bin").stat().st_mtime_ns
    assert "tiny_weights" not in sys.modules


def test_a_changed_joined_file_is_refused(site: Path, tmp_path: Path) -> None:
    """One flipped byte in the cache is found on the next call; the line names file, both hashes and the way out."""
    spec = _install(site)
    folder = locate_spec(spec, tmp_path)
    content = bytearray((folder / "alpha.bin").read_bytes())
    content[100] ^= 1
    (folder / "alpha.bin").write_bytes(content)

    with pytest.raises(WeightsError) as caught:
        locate_spec(spec, tmp_path)

    message = _one_line(caught.value)
    for needed in (str(folder / "alpha.bin"), spec.sha256, hashlib.sha256(content).hexdigest(), "delete the folder"):
        assert needed in message


def test_a_missing_joined_file_is_refused(site: Path, tmp_path: Path) -> None:
    """A file deleted from the joined folder is named, with the way out."""
    spec = _install(site)
    folder = locate_spec(spec, tmp_path)
    (folder / "config.json").unlink()

    with pytest.raises(WeightsError, match="delete the folder") as caught:
        locate_spec(spec, tmp_path)

    assert str(folder / "config.json") in _one_line(caught.value)


@pytest.mark.parametrize("name", ["alpha.part1", "alpha.part2", "config.json"])
def test_a_changed_part_is_refused_and_leaves_nothing(site: Path, tmp_path: Path, name: str) -> None:
    """A truncated part in a package is named with the reinstall command, and no folder appears."""
    spec = _install(site)
    path = site / "tiny_weights" / "data" / name
    path.write_bytes(PIECES[name][:-1])

    with pytest.raises(WeightsError, match=r"tiny-weights==1\.0") as caught:
        locate_spec(spec, tmp_path / "cache")

    assert str(path) in _one_line(caught.value)
    assert [".tiny-" + spec.sha256[:12] + ".lock"] == [path.name for path in (tmp_path / "cache" / "weights").iterdir()]


def test_a_wrong_order_of_parts_is_refused(site: Path, tmp_path: Path) -> None:
    """Right parts that do not make the published whole are refused too."""
    good = _install(site)
    main = good.files[0].model_copy(update={"parts": tuple(reversed(good.files[0].parts))})
    spec = good.model_copy(update={"files": (main, *good.files[1:])})

    with pytest.raises(WeightsError, match=r"alpha\.bin joined"):
        locate_spec(spec, tmp_path)


def test_a_package_that_is_not_installed_names_the_extra(tmp_path: Path) -> None:
    """Without its package a model tells which extra installs it."""
    with pytest.raises(WeightsError, match=r"pip install 'ringback\[speech\]'") as caught:
        locate_spec(_entry("alpha.part1", "alpha.part2"), tmp_path)

    assert "tiny-weights" in _one_line(caught.value)


def test_a_missing_part_is_named(site: Path, tmp_path: Path) -> None:
    """A file that is gone from an installed package is named with the reinstall command."""
    spec = _install(site)
    (site / "tiny_weights" / "data" / "alpha.part2").unlink()

    with pytest.raises(WeightsError, match="force-reinstall") as caught:
        locate_spec(spec, tmp_path)

    assert "alpha.part2" in _one_line(caught.value)


def test_an_unwritable_cache_is_the_operators_to_mend(site: Path, tmp_path: Path) -> None:
    """A cache root that is no folder gives one line that says so."""
    spec = _install(site)
    (tmp_path / "cache").write_text("not a folder")

    with pytest.raises(OperatorError, match="set RINGBACK_CACHE to a folder that can be written") as caught:
        locate_spec(spec, tmp_path / "cache")

    _one_line(caught.value)


def test_what_a_killed_process_left_is_swept(site: Path, tmp_path: Path) -> None:
    """A half-joined folder from a process that died neither counts as joined nor stays."""
    spec = _install(site)
    partial = tmp_path / "weights" / f".tiny-{spec.sha256[:12]}.partial"
    partial.mkdir(parents=True)
    (partial / "alpha.bin").write_bytes(b"half")

    folder = locate_spec(spec, tmp_path)

    assert spec.sha256 == file_sha256(folder / "alpha.bin")
    assert not partial.exists()


def test_a_model_of_whole_files_is_read_in_place(site: Path, tmp_path: Path) -> None:
    """Where nothing has to be joined the package's own folder is given and the cache stays untouched."""
    spec = _install(site).model_copy(update={"main": "config.json", "files": (_install_file(),)})

    assert site / "tiny_weights" / "data" == locate_spec(spec, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def _install_file() -> ModelFile:
    return ModelFile(name="config.json", parts=(_part("config.json"),))


def test_unknown_ids_list_the_valid_ones(tmp_path: Path) -> None:
    """An unknown id, and an id of another kind, are refused with the choices."""
    with pytest.raises(UsageError, match=r"hibari-heart, .*piper-joe, .*silero-vad, whisper-base, whisper-small"):
        locate("whisper-bass", tmp_path)
    with pytest.raises(UsageError, match="unknown recogniser 'piper-joe': choose one of whisper-base, whisper-small"):
        registry.get("piper-joe", ModelKind.RECOGNISER)


def test_the_catalogue_pins_the_published_weights() -> None:
    """Whisper base is byte for byte Systran/faster-whisper-base, by the sha256 its publisher lists; ids follow file names."""
    assert "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9" == registry.get("whisper-base").sha256
    stems = sorted((path.stem for path in registry.CATALOG.glob("*.yaml")), key=len)
    assert [] == [name for name in registry.catalogue() if not any(name == stem or name.startswith(f"{stem}-") for stem in stems)]


def test_every_voice_says_what_it_is() -> None:
    """Every voice of the catalogue has gender, age, accent, tone, pace and rate; English has both genders."""
    voices = [spec for spec in registry.catalogue().values() if spec.kind is ModelKind.VOICE]
    assert [] == [
        spec.id for spec in voices if None in (spec.gender, spec.age, spec.accent, spec.tone, spec.pace, spec.sample_rate)
    ]
    assert {"female", "male"} == {voice.gender for voice in registry.voices("en-US")}
    assert () == registry.voices("xx")


def _write(folder: Path, name: str, **fields: object) -> None:
    shared = _entry("alpha.part1", "alpha.part2").model_dump(mode="json", exclude={"id", "folder"})
    (folder / f"{name}.yaml").write_text(json.dumps({**shared, "id": name, **fields}))


def test_a_file_of_many_voices_gives_an_entry_for_each(tmp_path: Path) -> None:
    """Entries under `voices` share the fields above them and what they need; each has its own id and identity."""
    _write(tmp_path, "shared")
    bare = {"kind": "voice", "files": [], "sources": [], "main": None, "sample_rate": 8000, "needs": ["shared"]}
    _write(tmp_path, "many", **bare, voices=[{"id": "many-ann", "name": "ann"}, {"id": "many-bob", "name": "bob"}])

    found = registry.read_catalogue(tmp_path)

    assert ["many-ann", "many-bob", "shared"] == list(found)
    ann, bob = found["many-ann"], found["many-bob"]
    assert (8000, (found["shared"],)) == (ann.sample_rate, ann.needed)
    assert ann.sha256 != bob.sha256


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"voices": [{"id": "twice", "name": "a"}, {"id": "twice", "name": "b"}]}, "'twice' is taken twice"),
        ({"needs": ["nobody"]}, "'two' needs 'nobody', which is no entry of kind weights"),
        ({"needs": ["two"]}, "'two' needs 'two', which is no entry of kind weights without needs"),
    ],
)
def test_a_catalogue_that_contradicts_itself_is_refused(tmp_path: Path, fields: dict[str, object], why: str) -> None:
    """An id taken twice, and a need that is not there or has needs itself."""
    _write(tmp_path, "two", **fields)
    with pytest.raises(UsageError, match=why):
        registry.read_catalogue(tmp_path)


@pytest.mark.engine
def test_installed_weights_pass(weights_cache: Path) -> None:
    """Every model that packages of the lock carry is here, whole, and what its hash says; joining makes Whisper ready."""
    carried = [spec for spec in registry.catalogue().values() if spec.files and not spec.from_npm and not spec.needs]
    installed = [spec for spec in carried if spec.extra != "local-chat-large"]  # in a lock of its own
    assert {"hibari-heart", "piper-joe", "silero-vad", "whisper-base"} <= {spec.id for spec in installed}
    for spec in installed:
        folder = locate_spec(spec, weights_cache)

        assert spec.main is None or spec.sha256 == file_sha256(folder / spec.main)
        assert WeightState.READY == state(spec.id, weights_cache)


@pytest.mark.engine
def test_state_before_joining_and_after_damage(weights_cache: Path, tmp_path: Path) -> None:
    """Split weights count as installed until they are joined, and as damaged when a joined file has another size."""
    assert WeightState.INSTALLED == state("whisper-base", tmp_path)
    folder = tmp_path / "weights" / locate("whisper-base", weights_cache).name
    folder.mkdir(parents=True)
    (folder / "model.bin").write_bytes(b"short")
    assert WeightState.DAMAGED == state("whisper-base", tmp_path)


@pytest.mark.engine
@pytest.mark.slow
def test_processes_that_race_share_one_folder(tmp_path: Path) -> None:
    """Three processes that need the same weights at once all succeed, with one verified folder and no litter."""
    script = "import sys, pathlib, models.weights as w; print(w.locate('whisper-base', pathlib.Path(sys.argv[1])))"
    racers = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    answers = {racer.communicate(timeout=120)[0].strip() for racer in racers}

    assert [0, 0, 0] == [racer.returncode for racer in racers]
    assert 1 == len(answers)
    left = sorted(path.name for path in (tmp_path / "weights").iterdir())
    assert [".whisper-base-d01c3014881c.lock", "whisper-base-d01c3014881c"] == left
    shutil.rmtree(tmp_path / "weights")
