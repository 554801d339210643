"""A month with sound is built from its recipe alone: killed, gone on with, in one process or two, it comes out the same."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import EXIT_GATE, EXIT_INFRASTRUCTURE, EXIT_INPUT
from core.files import write_atomic
from core.runs.store import sole_worker
from core.schemas.base import json_lines, pretty_json, sha256
from core.schemas.months import CallTranscript, Rebuilt, Recipe, TranscriptSet
from core.schemas.snapshots import ManifestRow, Replaced, SnapshotHead
from core.snapshots.building.folder import read_calls
from core.snapshots.freezing.reading import read_build, read_lines
from core.snapshots.freezing.sampling import next_in_place_of, sample
from gateway.snapshots.files import CallEffort, Effort, Rendering, summed
from gateway.snapshots.voicing import Work, apart, machine, made_from, transcript_of
from models.snapshots.offline import PARTY
from speech import audiofile, render
from speech.studio import build_studio
from tests.support.command import Command, cache_beside, files_of
from tests.support.listening_server import WORDS, listening_server
from tests.support.snapshot_builds import (
    CALLS,
    ROBOTS,
    SOUND,
    TINY,
    build_arguments,
    built,
    contents,
    count,
    kept_of,
    killed,
)

pytestmark = [pytest.mark.engine, pytest.mark.slow]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server that hears."""
    with listening_server() as found:
        yield found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, engine_cache: Path, address: str) -> Path:
    """An undisturbed build by two processes from an empty cache; not to be changed. Its month lies beside it, in `frozen`."""
    home = tmp_path_factory.mktemp("built")
    command = Command(home, cache_beside(home / "cache", engine_cache))
    build = built(command, "build", address)
    shutil.copytree(build, home / "to-freeze")
    command.passes("snapshot", "freeze", "to-freeze", "--out", "frozen")
    return build


@pytest.fixture
def warm(tmp_path: Path, whole: Path) -> Command:
    """The command in an empty folder, with the clips that the whole build left."""
    return Command(tmp_path, whole.parent / "cache")


def _root(month: Path) -> str:
    return SnapshotHead.model_validate_json((month / "SNAPSHOT.json").read_bytes()).root_sha256


def _month(command: Command, build: str, name: str) -> str:
    command.passes("snapshot", "freeze", build, "--out", name)
    return _root(command.cwd / name)


def test_a_build_holds_what_its_rows_say(whole: Path) -> None:
    """Rows, recordings, transcripts and settings belong together; every check passed; siblings share their voices."""
    build = read_build(whole)
    assert CALLS == len(build.rows)
    assert (2, 2) == (build.recipe.contract.fraud, sum(row.call.label.value == "FRAUD" for row in build.rows))
    assert "2026-11-en-4" == build.recipe.snapshot_id == build.recipe.build.namespace
    assert {PARTY} == set(build.rows[0].call.generation.agents.values())
    heard = TranscriptSet.model_validate_json((whole / "transcripts.json").read_bytes())
    pairs: dict[str, set[tuple[str, str]]] = {}
    for row in build.rows:
        assert row.audio is not None
        assert row.voices is not None
        assert {"structural": True, "label": True, "safety": True, "signal": True} == row.checks
        assert row.audio.sha256 == sha256((whole / row.audio.path).read_bytes())
        pairs.setdefault(row.call.tree_id, set()).add((row.voices.caller.voice_id, row.voices.receiver.voice_id))
        said = CallTranscript.model_validate_json((whole / "heard" / f"{row.call.sample_id}.json").read_bytes())
        assert transcript_of(row.call, row.audio.sha256, WORDS, heard.settings) == said
    assert [1] * len(pairs) == [len(found) for found in pairs.values()]
    assert {"recogniser": "Whisper-medium"} == heard.settings["paper"]
    speech = json.loads((whole / "speech.json").read_bytes())
    assert machine() == {name: speech[name] for name in ("cpu_features", "packages")}
    assert sorted(row.audio.path for row in build.rows if row.audio) == sorted(f"audio/{p.name}" for p in whole.glob("audio/*"))


def test_one_process_and_a_full_cache_give_the_same_build(warm: Command, whole: Path, address: str) -> None:
    """Not how many work, nor in which order, nor what is cached decides a byte; asked again, a finished build stays as it is."""
    other = built(warm, "other", address, "--concurrency", "1")
    assert contents(whole) == contents(other)
    before = files_of(other)
    shown = warm.passes(*build_arguments("other"), RINGBACK_SPEECH_URL=address)
    assert before == files_of(other)
    assert "next: ringback snapshot freeze other" == shown.splitlines()[-1]
    assert "4: 2 fraud, 2 lawful, from 2 trees" in shown


def test_a_build_killed_again_and_again_ends_as_an_undisturbed_one(
    tmp_path: Path, engine_cache: Path, whole: Path, address: str
) -> None:
    """Kill -9 of all processes, from the first file to the last: what was whole stays untouched, the root hash is the same."""
    command = Command(tmp_path, cache_beside(tmp_path / "cache", engine_cache))
    build, kept = tmp_path / "build", dict[str, tuple[int, int]]()
    moments = (("recipe.json", 1), ("trees/*.json", 1), ("audio/*.wav", 1), ("heard/*.json", 2), ("rendered/*.json", 4))
    for pattern, enough in moments:
        with command.start(*build_arguments("build"), RINGBACK_SPEECH_URL=address) as process:
            assert killed(process, lambda pattern=pattern, enough=enough: count(build, pattern) >= enough)  # type: ignore[misc]
        now = kept_of(build)
        assert kept == {name: now[name] for name in kept}
        kept = now
    built(command, "build", address)
    assert contents(whole) == contents(build)
    assert [] == [name for name in files_of(build) if "/." in f"/{name}"]
    shutil.copytree(whole, tmp_path / "whole")  # frozen beside it, since the head of a month names the commit that froze it
    assert _month(command, "whole", "one/month") == _month(command, "build", "other/month")
    sums = [(month / "SHA256SUMS").read_bytes() for month in (whole.parent / "frozen", tmp_path / "other" / "month")]
    assert sums[0] == sums[1]


def test_a_call_that_fails_quality_control_gives_its_place_to_another(warm: Command, whole: Path, address: str) -> None:
    """The next of its label takes its place, first of its own tree; both stand in `replaced.jsonl`, and the contract is met."""
    build = warm.cwd / "build"
    for name in ("recipe.json", "build.json", "trees", "calls.jsonl", "rejected.jsonl", "speech.json"):
        (shutil.copytree if (whole / name).is_dir() else shutil.copy)(whole / name, _in(build) / name)
    recipe = Recipe.model_validate_json((whole / "recipe.json").read_bytes())
    assert recipe.render is not None
    calls = read_calls(whole)
    sampled = sample(calls, recipe.contract, recipe.build.seed)
    bad = sampled.chosen[1]
    voices = render.assign(calls, recipe.render, build_studio(warm.cache, "clean"))
    key = made_from(Work(bad, voices[bad.tree_id]), recipe.render, machine())
    refusal = Rendering(made_from=key, audio=None, refused=("pause_s 2.1, at most 1.5",))
    write_atomic(build / "rendered" / f"{bad.sample_id}.json", pretty_json(refusal.to_json()))
    built(warm, "build", address)
    expected = next_in_place_of(bad, sampled.reserve, sampled.twins)
    assert expected is not None
    (replaced,) = read_lines(build / "replaced.jsonl", Replaced)
    told = Replaced(
        sample_id=bad.sample_id,
        tree_id=bad.tree_id,
        stage="signal",
        reason="pause_s 2.1, at most 1.5",
        replaced_by=expected.sample_id,
    )
    assert told == replaced
    ids = [call.sample_id for call in sampled.chosen]
    rows = read_build(build).rows
    assert [expected.sample_id if name == bad.sample_id else name for name in ids] == [row.call.sample_id for row in rows]
    assert (bad.label, bad.tree_id) == (expected.label, expected.tree_id)
    assert not (build / "audio" / f"{bad.sample_id}.wav").exists()
    warm.passes("snapshot", "freeze", "build", "--out", "month")
    assert "identical" in warm.passes("snapshot", "verify", "month")


def _in(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


def test_a_changed_recording_is_made_again(warm: Command, whole: Path, address: str) -> None:
    """A recording whose bytes are not those of its row, and a damaged file beside it, count as not there."""
    build = warm.cwd / "build"
    shutil.copytree(whole, build)
    (build / "candidates.jsonl").unlink()
    wavs = sorted(build.glob("audio/*.wav"))
    wavs[0].write_bytes(wavs[0].read_bytes()[:-2])
    (build / "rendered" / f"{wavs[1].stem}.json").write_text("{", encoding="utf-8")
    (build / "heard" / f"{wavs[2].stem}.json").write_text("[]", encoding="utf-8")
    built(warm, "build", address)
    assert contents(whole) == contents(build)


def test_a_month_made_again_is_the_frozen_one(warm: Command, whole: Path, address: str) -> None:
    """From a month without recordings, as months ship: every byte is back; killed in between, and asked again."""
    shutil.copytree(whole.parent / "frozen", warm.cwd / "shipped", ignore=shutil.ignore_patterns("audio"))
    (warm.cwd / "shipped").chmod(0o755)
    assert "text_only" in warm.passes("snapshot", "verify", "shipped")
    made = warm.cwd / "made"
    arguments = ("snapshot", "rebuild", "shipped", "--out", "made")
    with warm.start(*arguments, RINGBACK_SPEECH_URL=address) as process:
        assert killed(process, lambda: count(made, ".rebuilding/rendered/*.json") >= 1)
    shown = json.loads(warm.passes(*arguments, "--json", RINGBACK_SPEECH_URL=address))
    assert ("identical", _root(whole.parent / "frozen")) == (shown["sameness"], shown["root_sha256"])
    rebuilt = Rebuilt.model_validate_json((made / "REBUILT.json").read_bytes())
    assert [True] * CALLS == [call.same_bytes for call in rebuilt.calls]
    assert [None] * CALLS == [call.transcript_change for call in rebuilt.calls]
    frozen = files_of(whole.parent / "frozen")
    assert frozen == {name: data for name, data in files_of(made).items() if name != "REBUILT.json"}
    before = files_of(made)
    warm.passes(*arguments, RINGBACK_SPEECH_URL=address)
    assert before == files_of(made)


def test_a_month_of_another_machine_is_made_again_alike(warm: Command, whole: Path, address: str) -> None:
    """Where frozen recordings have other bytes, those made here are heard and held against them: alike, not identical."""
    _foreign_build(whole, warm.cwd / "build")
    warm.passes("snapshot", "freeze", "build", "--out", "month")
    shown = warm.passes("snapshot", "rebuild", "month", "--out", "made", RINGBACK_SPEECH_URL=address)
    assert "equivalent" in shown.splitlines()[0]
    rebuilt = Rebuilt.model_validate_json((warm.cwd / "made" / "REBUILT.json").read_bytes())
    (other,) = [call for call in rebuilt.calls if not call.same_bytes]
    assert (0.0, 0.0) == (other.duration_change, other.transcript_change)
    alone = warm("snapshot", "verify", "made")
    assert (EXIT_GATE, True) == (alone.returncode, f"changed  audio/{other.sample_id}.wav" in alone.stdout)
    assert "was not heard here: ringback snapshot verify --hear" in " ".join(alone.stdout.split())
    heard = ("snapshot", "verify", "made", "--hear")
    assert "equivalent" in warm.passes(*heard, RINGBACK_SPEECH_URL=address).splitlines()[0]
    again = warm.passes("snapshot", "rebuild", "month", "--out", "made", RINGBACK_SPEECH_URL=address)
    assert "equivalent" in again.splitlines()[0]
    wav = warm.cwd / "made" / "audio" / f"{other.sample_id}.wav"
    wav.chmod(0o644)
    wav.write_bytes(wav.read_bytes()[:-4000])
    done = warm(*heard, RINGBACK_SPEECH_URL=address)
    assert EXIT_GATE == done.returncode


def test_sound_of_other_settings_is_no_other_hardware(warm: Command, whole: Path, address: str) -> None:
    """Where the month was made with another delivery table, the remade sound is named as that, and the month is broken."""
    _foreign_build(whole, warm.cwd / "build")
    speech = json.loads((warm.cwd / "build" / "speech.json").read_bytes())
    speech["render"]["delivery_table"] = {"version": 0, "sha256": "0" * 64}
    (warm.cwd / "build" / "speech.json").write_bytes(pretty_json(speech))
    warm.passes("snapshot", "freeze", "build", "--out", "month")
    done = warm("snapshot", "rebuild", "month", "--out", "made", RINGBACK_SPEECH_URL=address)
    assert EXIT_GATE == done.returncode, done.stderr
    said = " ".join(done.stdout.split())
    assert "broken" in done.stdout.splitlines()[0]
    assert "sound is made in another way: delivery_table.sha256 (there '000000" in said
    assert "delivery_table.version (there 0, here 1)" in said


def _foreign_build(whole: Path, build: Path) -> None:
    """The build with one recording as another machine might have made it, and did: one sample is another."""
    shutil.copytree(whole, build)
    speech = json.loads((build / "speech.json").read_bytes())
    (build / "speech.json").write_bytes(pretty_json({**speech, "cpu_features": ["neon"]}))
    rows = list(read_lines(build / "candidates.jsonl", ManifestRow))
    heard = TranscriptSet.model_validate_json((build / "transcripts.json").read_bytes())
    row = rows[0]
    assert row.audio is not None
    samples, rate = audiofile.read_channels(build / row.audio.path)
    pcm = (samples * 32768).astype("<i2")
    pcm[5000] += 1
    wav = audiofile.encode(pcm, rate, "WAV")
    (build / row.audio.path).write_bytes(wav)
    audio = row.audio.model_copy(update={"sha256": sha256(wav)})
    rows[0] = row.model_copy(update={"audio": audio})
    (build / "candidates.jsonl").write_bytes(json_lines(rows))
    said = transcript_of(row.call, audio.sha256, WORDS, heard.settings)
    (build / "heard" / f"{row.call.sample_id}.json").write_bytes(pretty_json(said.to_json()))


def test_what_cannot_be_rebuilt_is_told(warm: Command, whole: Path, address: str) -> None:
    """A month of text alone, a changed word, the month itself, a folder of something else: a line each, nothing written."""
    frozen = whole.parent / "frozen"
    shutil.copytree(frozen, warm.cwd / "month")
    for path in (warm.cwd / "month", warm.cwd / "month" / "trees"):
        path.chmod(0o755)

    def refused(*arguments: str) -> str:
        done = warm("snapshot", "rebuild", *arguments, RINGBACK_SPEECH_URL=address)
        assert (EXIT_INPUT, 1) == (done.returncode, len(done.stderr.splitlines())), done.stderr
        return done.stderr.removeprefix("ringback: error: ").strip()

    assert "month: the month itself, which never changes: choose a new folder with --out" == refused("month", "--out", "month")
    shutil.copytree(frozen, warm.cwd / "copy")
    assert "copy: is a frozen month, which never changes: choose another folder with --out" == refused("month", "--out", "copy")
    assert "copy/in: lies in the frozen month" in refused("month", "--out", "copy/in")
    done = warm("snapshot", "build", *TINY, "--language", "en", "--text-only", "--out", "copy")
    assert (EXIT_INPUT, True) == (done.returncode, "copy: is a frozen month, which never changes" in done.stderr)
    assert "identical" in warm.passes("snapshot", "verify", "copy")
    (warm.cwd / "other").mkdir()
    (warm.cwd / "other" / "notes.txt").write_text("mine", encoding="utf-8")
    assert "other: holds something else: choose a new folder with --out" == refused("month", "--out", "other")
    tree = next((warm.cwd / "month" / "trees").iterdir())
    tree.chmod(0o644)
    tree.write_bytes(tree.read_bytes() + b"\n")
    assert f"month/trees/{tree.name}: not what was frozen" in refused("month", "--out", "made")
    assert "no frozen month here" in refused("nowhere", "--out", "made")
    warm.passes("snapshot", "build", *TINY, "--language", "en", "--text-only", "--out", "text")
    warm.passes("snapshot", "freeze", "text", "--out", "months/words")  # no two months of one name lie side by side
    assert "months/words: a month of text alone has no recordings to make again" == refused("months/words", "--out", "never")
    assert not (warm.cwd / "never").exists()


def test_a_month_of_text_alone_needs_no_sound(warm: Command) -> None:
    """No recordings, no transcripts, and the same calls as with sound; what comes after takes it as it is."""
    warm.passes("snapshot", "build", *TINY, "--language", "en", "--text-only", "--out", "text")
    build = read_build(warm.cwd / "text")
    assert [(None, None)] * CALLS == [(row.voices, row.audio) for row in build.rows]
    assert {"structural", "label", "safety"} == build.rows[0].checks.keys()
    assert {"build.json", "calls.jsonl", "candidates.jsonl", "recipe.json", "rejected.jsonl", "replaced.jsonl", "trees"} == {
        path.name for path in (warm.cwd / "text").iterdir()
    }


def test_a_folder_keeps_one_build(warm: Command, whole: Path, address: str) -> None:
    """Another recipe, other things in the folder, another process at work, other engines: one line each, nothing changed."""
    build = warm.cwd / "build"
    shutil.copytree(whole, build)
    before = files_of(build)

    def refused(*arguments: str) -> str:
        return warm.fails(EXIT_INPUT, "snapshot", "build", *arguments, RINGBACK_SPEECH_URL=address)

    seed = refused(*TINY, *SOUND, "--seed", "8", "--out", "build")
    assert "build: another build was begun here (recipe.json: build is " in seed
    assert "another build was begun here" in refused(*TINY, *SOUND, "--month", "2026-12", "--id", "later", "--out", "build")
    (warm.cwd / "home").mkdir()
    (warm.cwd / "home" / ".profile").write_text("mine", encoding="utf-8")
    told = "home: holds '.profile' and is no build: choose a new folder with --out"
    assert told == refused(*TINY, *SOUND, "--out", "home")
    with sole_worker(build):
        told = "build: another process is building this month: wait until it has ended"
        assert told == refused(*TINY, *SOUND, "--out", "build")
    assert before == files_of(build)
    (build / "candidates.jsonl").unlink()
    (build / "speech.json").write_text("{}", encoding="utf-8")
    assert "begun with other engines, packages or on another machine" in refused(*TINY, *SOUND, "--out", "build")


def test_a_build_goes_on_in_the_month_it_was_begun(warm: Command, whole: Path, address: str) -> None:
    """Name and month come from the folder where they are not asked for, whatever the calendar says."""
    build = warm.cwd / "build"
    shutil.copytree(whole, build)
    recipe = json.loads((build / "recipe.json").read_bytes())
    without = [part for part in build_arguments("build") if part not in ("--month", "2026-11")]
    warm.passes(*without, RINGBACK_SPEECH_URL=address)
    assert recipe == json.loads((build / "recipe.json").read_bytes())


def test_wrong_names_are_told_before_anything_is_written(warm: Command) -> None:
    """Voices, channels, recognisers, agents, months and names that are none; too few voices and too few calls."""

    def refused(*arguments: str, code: int = EXIT_INPUT) -> str:
        told = warm.fails(code, "snapshot", "build", *TINY, "--language", "en", *arguments, "--out", "new")
        assert not (warm.cwd / "new").exists()
        return told

    assert "unknown voice 'nobody': choose one of " in refused("--voices", "nobody")
    assert "unknown channel 'tin-can'" in refused("--channel", "tin-can", "--voices", ROBOTS)
    assert "unknown recogniser 'ear'" in refused("--recogniser", "ear", "--voices", ROBOTS)
    assert "no builder 'offline:nobody'; valid: offline:snapshots, " in refused("--agents", "offline:nobody")
    assert "--month '2026-13' is no month: write it as 2026-11" == refused("--month", "2026-13")
    assert "--id 'No Name' is no name of a snapshot: write " in refused("--id", "No Name")
    bare = Command(warm.cwd, warm.cwd / "empty-cache")
    told = bare.fails(EXIT_INFRASTRUCTURE, "snapshot", "build", *TINY, "--language", "en", "--out", "new")
    assert "is not installed here: get it with `ringback models fetch kokoro-" in told
    many = ("snapshot", "build", "--fraud", "900", "--nonfraud", "900", "--trees", "2", "--language", "en", "--text-only")
    assert "grow more with --trees" in warm.fails(EXIT_INPUT, *many, "--out", "many")


def test_effort_counts_each_call_once_and_each_second_spent() -> None:
    """A call that a kill made double costs both times, but its sound is there once; a whole month is extrapolated from it."""

    def line(name: str, speech_s: float, cpu_s: float) -> CallEffort:
        return CallEffort(
            sample_id=name, speech_s=speech_s, bytes=int(speech_s) * 48_000, rendering_cpu_s=cpu_s, hearing_cpu_s=cpu_s, wall_s=10
        )

    effort = summed([line("a", 60, 5), line("a", 60, 1), line("b", 0, 4)], 2)
    expected = Effort(calls=2, speech_s=60, bytes=2_880_000, rendering_cpu_s=10, hearing_cpu_s=10, wall_s=30, processes=2)
    assert expected == effort
    assert 3.0 == effort.speech_per_cpu_s
    assert (30 * 450 / 2 / 3600, 2.5, 1296.0) == effort.of_month()
    assert summed([], 1).speech_per_cpu_s is None


def test_siblings_are_worked_off_far_apart(whole: Path) -> None:
    """The first call of each tree, then the second of each, so that two processes seldom say the same words at once."""
    rows = read_build(whole).rows
    assert rows[0].voices is not None
    voices = rows[0].voices
    calls = sorted(read_calls(whole), key=lambda call: call.tree_id)
    placed = [work.call.tree_id for work in apart([Work(call, voices) for call in calls])]
    few = min(placed.count(tree) for tree in set(placed))
    assert all(placed[place] != placed[place + 1] for place in range(2 * few - 1))
