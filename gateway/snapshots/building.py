"""From a request to a finished build: words, choice of calls, voices, recordings, replacement, transcripts, rows.

The finished folder depends on the recipe and this machine alone: not on how many processes worked, in which order, or how often
they were killed. Only `effort.jsonl` and `effort.json` tell of that, and they are never frozen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue, TypeAdapter, ValidationError

from core.errors import FileError, OperatorError, UsageError
from core.files import cut_torn_line, read_bytes, write_atomic
from core.hearing import char_errors, pool, word_errors
from core.runs.store import sole_worker
from core.schemas.base import Slug, json_lines, pretty_json
from core.schemas.months import CallTranscript, Recipe, TranscriptSet
from core.schemas.snapshots import CallAudio, CallVoices, Contract, ManifestRow, Replaced, SnapshotCall
from core.schemas.trees import BuildConfig, BuiltTree
from core.schemas.voicing import RenderConfig
from core.snapshots.building.agents import AgentSet
from core.snapshots.building.folder import build_into, words_record
from core.snapshots.building.library import CaseLibrary, load_cases
from core.snapshots.building.plot import Plot
from core.snapshots.building.safety import unsafe
from core.snapshots.building.validator import faults_of_call
from core.snapshots.freezing import layout
from core.snapshots.freezing.reading import read_file, read_lines, refuse_frozen, refuse_month
from core.snapshots.freezing.sampling import Sampled, next_in_place_of, sample, trees_needed
from core.snapshots.freezing.transcripts import set_name
from core.text import headline_of, normaliser_of
from gateway.pool import Pool
from gateway.settings import Settings
from gateway.snapshots.builders import make_builders
from gateway.snapshots.files import EFFORT, EFFORTS, Effort, read_efforts, read_model, summed
from gateway.snapshots.voicing import (
    VoicePlan,
    Work,
    hearing_settings,
    kept_rendering,
    kept_transcript,
    machine,
    made_from,
    prepare,
    spoken_words,
    work_off,
)
from models import weights
from models.weights import WeightState
from speech import render
from speech.rendering.pool import snapshot_voices

SMALL, WHOLE = (40, 20), (600, 300)
"""Fraud and lawful calls of a small month and of a whole one."""
_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
_SLUG: TypeAdapter[str] = TypeAdapter(Slug)
Told = Callable[[str, int, int, str], None]
"""Is told of a step: stage, how many are done of how many, and what was done."""


@dataclass(frozen=True)
class BuildRequest:
    """What `ringback snapshot build` was asked for."""

    out: Path
    """Folder of the build."""
    language: str
    """Language of the calls."""
    seed: int
    """Seed of cases, words and sound."""
    this_month: str
    """The month on the clock, where none is named and none was begun here."""
    month: str | None = None
    """Month it stands for."""
    name: str | None = None
    """Name of the snapshot."""
    small: bool = False
    """A small month."""
    fraud: int | None = None
    """Fraud calls, instead of the contract's."""
    nonfraud: int | None = None
    """Lawful calls, likewise."""
    trees: int | None = None
    """Trees to grow; None for as many as the calls need."""
    agents: Sequence[str] = ()
    """Who writes."""
    voices: str = "snapshot"
    """Voices to cast from."""
    channels: tuple[str, ...] = ()
    """Telephone channels; empty for the usual ones."""
    text_only: bool = False
    """No recordings."""
    recogniser: str = "auto"
    """Who hears."""
    concurrency: int = 2
    """Processes that speak and hear."""


@dataclass(frozen=True)
class Built:
    """A finished build."""

    root: Path
    """Its folder."""
    recipe: Recipe
    """What it is made by."""
    rows: tuple[ManifestRow, ...]
    """Its calls."""
    replaced: tuple[Replaced, ...]
    """Calls whose place another one took."""
    reserve: int | None
    """Calls that were written and are not part of it; None where it was finished before."""
    transcripts: TranscriptSet | None
    """Who heard and how well; None for text alone."""
    effort: Effort | None
    """What its sound cost; None for text alone."""


def build(request: BuildRequest, settings: Settings, told: Told) -> Built:
    """Build a month, or go on with it; a finished one is read and left as it is.

    Raises:
        UsageError: an unknown voice, channel, recogniser or party; or too few calls for the contract.
        FileError: the folder holds something else, or cannot be written.
        BusyError: another process builds here.
        OperatorError, ProviderError: the machine or an engine failed; the same command goes on where it was.
    """
    refuse_month(request.out)
    library = load_cases(request.language)
    agents = make_builders(request.agents, library)
    recipe = recipe_of(request, library, agents)
    sound = None if request.text_only else Sound.of(recipe, request.out, settings)
    _refuse_foreign(request.out)
    with sole_worker(request.out, "building this month"):
        begin(request.out, recipe)
        if (request.out / layout.CANDIDATES).exists():
            return _read(request, recipe)
        clear_leftovers(request.out)
        calls = _words(request, recipe, library, agents, told)
        sampled = sample(calls, recipe.contract, recipe.build.seed)
        if sound is None:
            rows = [_row(call, None, None, library) for call in sampled.chosen]
            replaced: list[Replaced] = []
        else:
            rows, replaced = _sounding(sound, calls, sampled, library, request.concurrency, told)
        write_atomic(request.out / layout.REPLACED, json_lines(replaced))
        write_atomic(request.out / layout.CANDIDATES, json_lines(rows))
        return _read(request, recipe, len(calls) - len(rows))


def recipe_of(request: BuildRequest, library: CaseLibrary, agents: AgentSet) -> Recipe:
    """All that is needed to make the month again. What is not asked for is as it was begun in the folder.

    Raises:
        UsageError: a month or a name that is none.
        FileError: the recipe of the folder is damaged.
    """
    begun = read_file(request.out / layout.RECIPE, Recipe) if (request.out / layout.RECIPE).is_file() else None
    month = request.month or (begun.month if begun else request.this_month)
    fraud, nonfraud = SMALL if request.small else WHOLE
    contract = Contract(
        fraud=request.fraud or fraud,
        nonfraud=request.nonfraud or nonfraud,
        language=request.language,
        audio=not request.text_only,
    )
    name = request.name or (begun.snapshot_id if begun else _usual_name(request, month, contract))
    if not _MONTH.fullmatch(month):
        raise UsageError(f"--month {month!r} is no month: write it as 2026-11")
    try:
        _SLUG.validate_python(name)
    except ValidationError:
        raise UsageError(
            f"--id {name!r} is no name of a snapshot: write lower-case letters, digits and -, such as 2026-11-zh"
        ) from None
    config = BuildConfig(
        namespace=name,
        seed=request.seed,
        language=request.language,
        trees=request.trees or trees_needed(contract),
    )
    sound = {"channels": request.channels} if request.channels else {}
    return Recipe(
        snapshot_id=name,
        month=month,
        contract=contract,
        build=config,
        words=words_record(config, library, agents),
        render=None if request.text_only else RenderConfig(seed=request.seed, voices=request.voices, **sound),
        recogniser=None if request.text_only else request.recogniser,
    )


def _usual_name(request: BuildRequest, month: str, contract: Contract) -> str:
    asked = (contract.fraud, contract.nonfraud)
    size = "" if asked == WHOLE else "-small" if asked == SMALL else f"-{sum(asked)}"
    return f"{month}-{request.language}{size}"


def begin(root: Path, recipe: Recipe) -> None:
    """Write the recipe of a build, or hold it against the one that is there.

    Raises:
        FileError: another build was begun here.
        UsageError: the build was frozen and something else is asked for.
    """
    path = root / layout.RECIPE
    if not path.exists():
        write_atomic(path, pretty_json(recipe.to_json()))
        return
    begun = read_file(path, Recipe)
    if begun != recipe:
        refuse_frozen(root)
        one, other = begun.model_dump(mode="json"), recipe.model_dump(mode="json")
        where = next(name for name in one if one[name] != other[name])
        raise FileError(
            f"{root}: another build was begun here ({layout.RECIPE}: {where} is {_short(one[where])}, asked for is"
            f" {_short(other[where])}): choose another folder with --out, or ask for the same"
        )


def _refuse_foreign(root: Path) -> None:
    """Stop before a folder that holds other things: a killed start leaves at most an unnamed recipe."""
    if not root.exists() or (root / layout.RECIPE).exists():
        return
    other = (
        [entry.name for entry in root.iterdir() if not entry.name.startswith(f".{layout.RECIPE}.")]
        if root.is_dir()
        else ["a file"]
    )
    if other:
        raise FileError(f"{root}: holds {other[0]!r} and is no build: choose a new folder with --out")


def clear_leftovers(root: Path) -> None:
    """Remove what a kill kept from getting its name."""
    cut_torn_line(root / EFFORTS)
    for folder in (root, *(root / name for name in (layout.TREES, layout.AUDIO, layout.RENDERED, layout.HEARD))):
        for left in folder.glob(".*.json*.*"):
            left.unlink(missing_ok=True)
        for left in folder.glob(".*.wav.*"):
            left.unlink(missing_ok=True)


@dataclass(frozen=True)
class Sound:
    """How a month sounds, checked on this machine before a word is written."""

    plan: VoicePlan
    """What every process knows."""
    record: dict[str, JsonValue]
    """`speech.json`: settings of the sound, features of the CPU, versions of packages."""
    hearing: dict[str, JsonValue]
    """Settings of the transcripts."""
    recogniser_id: str
    """Id of who hears."""

    @classmethod
    def of(cls, recipe: Recipe, root: Path, settings: Settings) -> Sound:
        """Wire it; loads no engine.

        Raises:
            UsageError: an unknown voice, channel or recogniser.
            OperatorError: weights of a voice or of the recogniser are not here.
            MissingExtraError: an engine is not installed.
        """
        if recipe.render is None or recipe.recogniser is None:
            raise AssertionError("a month of text alone has no sound")
        language = recipe.contract.language
        plan = VoicePlan(root, settings.cache_root, language, recipe.render, recipe.recogniser, settings.endpoint)
        studio = plan.studio()
        render.channel_of("", recipe.render)
        record = {"render": render.settings(language, recipe.render, studio), **machine()}
        listener = studio.listener(language)
        voices = [voice.spec for voice in snapshot_voices(recipe.render.voices, language, settings.cache_root).voices]
        for spec in (*voices, listener.recognizer.spec):
            if weights.state_of(spec, settings.cache_root) is WeightState.MISSING:
                raise OperatorError(f"{spec.id!r} is not installed here: get it with `{weights.remedy(spec)}`")
        return cls(plan, record, hearing_settings(studio, language), listener.recognizer.spec.id)

    def keep(self) -> None:
        """Write `speech.json`, or hold it against the one that is there.

        Raises:
            FileError: the sound was begun with other engines, packages or on another machine.
        """
        path = self.plan.root / layout.SPEECH
        if not path.exists():
            write_atomic(path, pretty_json(self.record))
        elif read_bytes(path, "settings of the sound") != pretty_json(self.record):
            raise FileError(
                f"{path}: the sound of this build was begun with other engines, packages or on another machine: go on there,"
                " or build it anew in another folder"
            )


def _words(request: BuildRequest, recipe: Recipe, library: CaseLibrary, agents: AgentSet, told: Told) -> tuple[SnapshotCall, ...]:
    done = 0

    def step(tree: BuiltTree) -> None:
        nonlocal done
        done += 1
        told("trees", done, recipe.build.trees, tree.tree_id)

    return build_into(request.out, recipe.build, library, agents, step)


def _sounding(
    sound: Sound,
    calls: Sequence[SnapshotCall],
    sampled: Sampled,
    library: CaseLibrary,
    concurrency: int,
    told: Told,
) -> tuple[list[ManifestRow], list[Replaced]]:
    """The rows of a month with sound; a call that fails quality control gives its place to the next of its label.

    All of a round fail or pass before the places of those that failed are filled, in their order, so that who replaces whom does
    not depend on who was rendered first.
    """
    sound.keep()
    plan = sound.plan
    voices = render.assign(calls, plan.render, plan.studio())
    places, left = list(sampled.chosen), list(sampled.reserve)
    replaced: list[Replaced] = []
    with Pool(concurrency, prepare, plan) as pool_:
        while True:
            works = [Work(call, voices[call.tree_id]) for call in places]
            made = voiced(pool_, works, sound, told)
            failed = [number for number, (audio, _) in enumerate(made) if audio is None]
            if not failed:
                break
            for number in failed:
                substitute = _next(places[number], made[number][1], left, sampled)
                replaced.append(_replaced(places[number], made[number][1], substitute))
                left.remove(substitute)
                places[number] = substitute
    recordings = [audio for audio, _ in made if audio is not None]
    write_atomic(plan.root / layout.TRANSCRIPT_SET, pretty_json(_transcripts(sound, places, recordings).to_json()))
    rows = [_row(call, voices[call.tree_id], audio, library) for call, audio in zip(places, recordings, strict=True)]
    return rows, replaced


def _next(call: SnapshotCall, reasons: Sequence[str], left: Sequence[SnapshotCall], sampled: Sampled) -> SnapshotCall:
    found = next_in_place_of(call, left, sampled.twins)
    if found is None:
        raise UsageError(
            f"{call.label.value} call {call.sample_id} failed quality control ({'; '.join(reasons)}), and no other of its label"
            " is left: build in another folder with more --trees"
        )
    return found


def _replaced(call: SnapshotCall, reasons: Sequence[str], substitute: SnapshotCall) -> Replaced:
    return Replaced(
        sample_id=call.sample_id,
        tree_id=call.tree_id,
        stage="signal",
        reason="; ".join(reasons),
        replaced_by=substitute.sample_id,
    )


def voiced(pool_: Pool, works: Sequence[Work], sound: Sound, told: Told) -> list[tuple[CallAudio | None, tuple[str, ...]]]:
    """Each call's recording, heard, or None and the reasons; what is kept already is not made again.

    Raises:
        OperatorError, ProviderError: the machine or an engine failed.
    """
    plan, here = sound.plan, machine()
    keys = {work.call.sample_id: made_from(work, plan.render, here) for work in works}

    def kept(work: Work) -> tuple[CallAudio | None, tuple[str, ...]] | None:
        rendering = kept_rendering(plan.root, work, keys[work.call.sample_id])
        if rendering is None:
            return None
        if rendering.audio is not None and kept_transcript(plan.root, work.call, rendering.audio, sound.hearing) is None:
            return None
        return rendering.audio, rendering.refused

    todo = [work for work in works if kept(work) is None]
    for number, call in enumerate(work_off(pool_, todo), len(works) - len(todo) + 1):
        told("calls", number, len(works), call.sample_id)
    made = [kept(work) for work in works]
    if None in made:
        raise OperatorError(f"{plan.root}: a file that was just written is not there: run the same command to go on")
    return [each for each in made if each is not None]


def _transcripts(sound: Sound, calls: Sequence[SnapshotCall], audios: Sequence[CallAudio]) -> TranscriptSet:
    root, language = sound.plan.root, sound.plan.language
    heard = [kept_transcript(root, call, audio, sound.hearing) for call, audio in zip(calls, audios, strict=True)]
    return transcript_set(sound.recogniser_id, sound.hearing, language, calls, [each for each in heard if each is not None])


def transcript_set(
    recogniser: str, settings: dict[str, JsonValue], language: str, calls: Sequence[SnapshotCall], heard: Sequence[CallTranscript]
) -> TranscriptSet:
    """Who heard these calls, and how well: edits of all calls summed over their summed units."""
    normaliser = normaliser_of(language)
    pairs = [(spoken_words(call), transcript.text) for call, transcript in zip(calls, heard, strict=True)]
    wer = pool(word_errors(said, text, normaliser) for said, text in pairs).rate
    return TranscriptSet(
        name=set_name(recogniser, settings),
        settings=settings,
        calls=len(pairs),
        cer=round(pool(char_errors(said, text, normaliser) for said, text in pairs).rate, 6),
        wer=round(wer, 6) if headline_of(language) == "wer" else None,
    )


def _row(call: SnapshotCall, voices: CallVoices | None, audio: CallAudio | None, library: CaseLibrary) -> ManifestRow:
    case = library.abstracts[call.abstract_id]
    checks = {
        "structural": not faults_of_call(call, Plot(library.catalogue)),
        "label": call.turns[-1].after.label is call.label,
        "safety": not any(unsafe(turn.text, library.denied) for turn in call.turns),
    }
    if audio is not None:
        checks["signal"] = all(check.passed for check in audio.checks)
    return ManifestRow(call=call, voices=voices, audio=audio, checks=checks, provenance=f"{case.source} ({case.licence})")


def _read(request: BuildRequest, recipe: Recipe, reserve: int | None = None) -> Built:
    root = request.out
    effort = None
    if recipe.contract.audio:
        effort = read_model(root / EFFORT, Effort)
        if effort is None or reserve is not None:
            effort = summed(read_efforts(root), request.concurrency)
            write_atomic(root / EFFORT, pretty_json(effort.to_json()))
    return Built(
        root=root,
        recipe=recipe,
        rows=read_lines(root / layout.CANDIDATES, ManifestRow),
        replaced=read_lines(root / layout.REPLACED, Replaced),
        reserve=reserve,
        transcripts=read_file(root / layout.TRANSCRIPT_SET, TranscriptSet) if recipe.contract.audio else None,
        effort=effort,
    )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
