"""The delivery ablation: calls of a month with their frozen recordings, and again with every turn said as in small talk.

config.json             what decides it; first, never changed
delivery/, neutral/     recordings and what was heard of them, as in a build
evals/<detector>-<mode>/<half>/   an evaluation of each half
ablation.json           what it came to
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from core.errors import FileError, InputError, UsageError
from core.files import write_atomic
from core.runs.store import read_model as read_valid
from core.runs.store import sole_worker
from core.schemas.base import content_hash, pretty_json, sha256
from core.schemas.delivery_ablation import AblatedCall, AblatedDetector, AblationConfig, DeliveryAblation, Passed
from core.schemas.detections import InputMode
from core.schemas.months import CallTranscript
from core.schemas.snapshots import CallAudio, CallVoices, Label, ManifestRow
from core.schemas.voicing import RenderConfig
from core.snapshots.delivery_ablation import compared, largest_changes, pooled_f1, queues, shares
from core.snapshots.detector import Detector
from core.snapshots.evaluating.inputs import HeardInputs, Recordings, sound_of
from core.snapshots.evaluating.months import open_month
from core.snapshots.evaluating.store import EvaluationStore
from core.snapshots.freezing import layout
from core.snapshots.freezing.reading import Snapshot, read_transcripts, refuse_month
from gateway.defaults import DEFAULT_RECOGNISER
from gateway.party_spec import redacted
from gateway.pool import Pool
from gateway.settings import Settings
from gateway.snapshots.building import Sound, Told, clear_leftovers, transcript_set, voiced
from gateway.snapshots.detectors import make_detector, modes_of
from gateway.snapshots.evaluating import ProgressBar, Request, evaluate_month, party_of, wanted
from gateway.snapshots.files import Rendering
from gateway.snapshots.voicing import Work, kept_transcript, machine, made_from, prepare

CONFIG, RESULT = "config.json", "ablation.json"
DELIVERY, NEUTRAL = "delivery", "neutral"
EVALUATIONS = "evals"
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class AblationRequest:
    """What `ringback snapshot ablate` was asked for."""

    snapshot: str
    """Folder of a month, or the name of one that ships."""
    detectors: Sequence[str]
    """The parties."""
    modes: Sequence[InputMode]
    """What they are given; empty for whatever each can take."""
    out: Path
    """Folder of all of it."""
    calls: int
    """Calls that are asked about."""
    seed: int
    """Seed of their choice."""
    prompt: Literal["zh", "en"] | None = None
    """Language of prompts; None for that of the calls."""
    recogniser: str = DEFAULT_RECOGNISER
    """Who hears both halves; `auto` for the month's own."""
    concurrency: int = 2
    """Processes that speak and hear."""


@dataclass(frozen=True)
class _Half:
    """One half: a folder that is read like a month."""

    month: Snapshot
    """Its calls with the recordings of this half."""
    hearing: _Heard
    """Its transcripts."""
    cer: float
    """Their character errors."""


@dataclass(frozen=True)
class _Heard:
    """Transcripts that are there already."""

    settings: dict[str, JsonValue]
    """Who made them."""
    transcripts: Mapping[str, CallTranscript]
    """By call."""
    rows: Sequence[ManifestRow]
    """The calls."""

    def inputs(self, _store: EvaluationStore) -> HeardInputs:
        """Every call as it was heard."""
        return HeardInputs(self.transcripts, self.rows)


def ablate(request: AblationRequest, settings: Settings, told: Told, progress: Callable[[int], ProgressBar]) -> DeliveryAblation:
    """Render, hear, ask and compare, or go on with it.

    Raises:
        InputError: the month, the detectors, the number of calls, or what stands in the folder cannot be used.
        OperatorError, ProviderError: the machine, an engine or a detector failed; the same command goes on where it was.
    """
    refuse_month(request.out)
    month = open_month(request.snapshot)
    render = month.recipe.render
    if render is None or month.recipe.recogniser is None:
        raise UsageError(f"{month.root}: a month of text alone has no deliveries that could be heard")
    recordings = Recordings(month.root, month.rows)
    config = _config(request, month, recordings)
    wanted_calls = shares(month.rows, request.calls)
    recogniser = month.recipe.recogniser if request.recogniser == DEFAULT_RECOGNISER else request.recogniser
    neutral = render.model_copy(update={"variant": "neutral"})
    recipe = month.recipe.model_copy(update={"render": neutral, "recogniser": recogniser})
    sound = Sound.of(recipe, request.out / NEUTRAL, settings)
    detectors = _detectors(request, month)
    with sole_worker(_own(request.out), "making this ablation"):
        _begin(request.out, config)
        rows, remade, passed = _neutral(month, wanted_calls, sound, request, told)
        first = _delivery(month, rows, recordings, render, sound, request, told)
        second = _half(month, remade, sound, NEUTRAL)
        found = tuple(_asked(request, text, detector, mode, first, second, progress) for text, mode, detector in detectors)
        result = _result(config, passed, sound, first, second, found)
        write_atomic(request.out / RESULT, pretty_json(result.to_json()))
    return result


def _config(request: AblationRequest, month: Snapshot, recordings: Recordings) -> AblationConfig:
    names = tuple(redacted(text) for text in request.detectors)
    if len(set(request.detectors)) < len(names):
        raise UsageError(f"a detector is named twice ({', '.join(names)}): name each once")
    return AblationConfig(
        snapshot_id=month.head.snapshot_id,
        root_sha256=month.head.root_sha256,
        calls=request.calls,
        seed=request.seed,
        detectors=names,
        modes=tuple(request.modes),
        prompt=request.prompt,
        recogniser=request.recogniser,
        recordings_sha256=recordings.sha256,
    )


def _detectors(request: AblationRequest, month: Snapshot) -> list[tuple[str, InputMode, Detector]]:
    """Every detector in every mode; raises UsageError where one cannot be given calls so."""
    found: list[tuple[str, InputMode, Detector]] = []
    seen: dict[str, str] = {}
    for text in request.detectors:
        takes = modes_of(text, wanted(month, InputMode.ASR, request.prompt))
        modes = request.modes or [mode for mode in (InputMode.AUDIO, InputMode.ASR) if mode in takes]
        if not modes:
            raise UsageError(f"{redacted(text)!r} takes neither recordings nor transcripts: delivery cannot change its answers")
        for mode in modes:
            detector = make_detector(text, wanted(month, mode, request.prompt))
            record = detector.record()
            own = content_hash([party_of(text, record), record.settings, mode])
            if (other := seen.setdefault(own, text)) != text:
                raise UsageError(f"{redacted(text)!r} and {redacted(other)!r} are one detector: name it once")
            found.append((text, mode, detector))
    return found


def _own(out: Path) -> Path:
    """The folder; raises FileError where it holds something else."""
    if out.exists() and not (out / CONFIG).exists():
        names = [entry.name for entry in out.iterdir()] if out.is_dir() else ["a file"]
        other = [name for name in names if not name.startswith(f".{CONFIG}.")]
        if other:
            raise FileError(f"{out}: holds {other[0]!r} and is no ablation: choose a new folder with --out")
    return out


def _begin(out: Path, config: AblationConfig) -> None:
    path = out / CONFIG
    for name in (CONFIG, RESULT):
        for left in out.glob(f".{name}.*"):
            left.unlink()
    if not path.exists():
        write_atomic(path, pretty_json(config.to_json()))
        return
    begun = read_valid(path, AblationConfig, "configuration of an ablation")
    one, other = begun.model_dump(mode="json"), config.model_dump(mode="json")
    different = [name for name in one if one[name] != other[name]]
    if different:
        shown = "; ".join(f"{name} {one[name]!r} there, {other[name]!r} now" for name in different)
        raise FileError(f"{out}: holds another ablation ({shown}): choose another folder with --out")


def _neutral(
    month: Snapshot, wanted_calls: Mapping[Label, int], sound: Sound, request: AblationRequest, told: Told
) -> tuple[list[ManifestRow], list[ManifestRow], tuple[Passed, ...]]:
    """The calls in the order of the month, the same with their new recordings, and those that cannot be said without delivery."""
    waiting = queues(month.rows, request.seed)
    clear_leftovers(sound.plan.root)
    passed: dict[str, Passed] = {}
    with Pool(request.concurrency, prepare, sound.plan) as pool:
        while True:
            left = {label: [row for row in waiting[label] if row.call.sample_id not in passed] for label in Label}
            short = next((label for label in Label if len(left[label]) < wanted_calls[label]), None)
            if short is not None:
                raise InputError(
                    f"{month.root}: only {len(left[short])} {short} calls can be said without delivery, {wanted_calls[short]} are"
                    " asked for: ask for fewer with --calls"
                )
            drawn = {row.call.sample_id for label in Label for row in left[label][: wanted_calls[label]]}
            rows = [row for row in month.rows if row.call.sample_id in drawn]
            made = voiced(pool, [Work(row.call, _voices(row)) for row in rows], sound, told)
            refused = {row.call.sample_id: reasons for row, (audio, reasons) in zip(rows, made, strict=True) if audio is None}
            passed |= {name: Passed(sample_id=name, reasons=reasons) for name, reasons in refused.items()}
            if not refused:
                break
    remade = [row.model_copy(update={"audio": audio}) for row, (audio, _) in zip(rows, made, strict=True)]
    return rows, remade, tuple(passed.values())


def _delivery(
    month: Snapshot,
    drawn: Sequence[ManifestRow],
    recordings: Recordings,
    render: RenderConfig,
    sound: Sound,
    request: AblationRequest,
    told: Told,
) -> _Half:
    """The recordings of the month that are here, with the frozen transcripts where these are of the same bytes and recogniser.

    What was made again elsewhere is heard as the others are.
    """
    root = request.out / DELIVERY
    own = replace(sound, plan=replace(sound.plan, root=root, render=render))
    clear_leftovers(root)
    frozen, here = read_transcripts(month.root), machine()
    works, rows = [Work(row.call, _voices(row)) for row in drawn], []
    for row, work in zip(drawn, works, strict=True):
        data, name = recordings.read(row), f"{row.call.sample_id}.json"
        audio = _as_here(_audio(row), data)
        rows.append(row.model_copy(update={"audio": audio}))
        write_atomic(root / audio.path, data)
        told_of = Rendering(made_from=made_from(work, render, here), audio=audio)
        write_atomic(root / layout.RENDERED / name, pretty_json(told_of.to_json()))
        heard = frozen.get(row.call.sample_id)
        if heard is not None and heard.audio_sha256 == audio.sha256 and not (root / layout.HEARD / name).exists():
            write_atomic(root / layout.HEARD / name, pretty_json(heard.to_json()))
    with Pool(request.concurrency, prepare, own.plan) as pool:
        made = voiced(pool, works, own, told)
    if [audio for audio, _ in made] != [row.audio for row in rows]:
        raise FileError(f"{root}: a recording was changed while it was heard: run the same command again")
    return _half(month, rows, own, DELIVERY)


def _as_here(audio: CallAudio, data: bytes) -> CallAudio:
    """What is known of a recording, of the bytes that are here: other ones than the frozen where sound was made again."""
    found = sha256(data)
    if found == audio.sha256:
        return audio
    return audio.model_copy(update={"sha256": found, "samples": len(sound_of(data, Path(audio.path)).samples)})


def _half(month: Snapshot, rows: Sequence[ManifestRow], sound: Sound, name: str) -> _Half:
    root, calls = sound.plan.root, [row.call for row in rows]
    heard = [kept_transcript(root, row.call, _audio(row), sound.hearing) for row in rows]
    transcripts = {each.sample_id: each for each in heard if each is not None}
    made = transcript_set(sound.recogniser_id, sound.hearing, sound.plan.language, calls, list(transcripts.values()))
    recordings = {row.call.sample_id: _audio(row).sha256 for row in rows}
    head = month.head.model_copy(
        update={
            "snapshot_id": f"{month.head.snapshot_id}-{name}",
            "root_sha256": content_hash({"month": month.head.root_sha256, "recordings": recordings}),
        }
    )
    return _Half(Snapshot(root, head, month.recipe, tuple(rows)), _Heard(sound.hearing, transcripts, rows), made.cer)


def _asked(
    request: AblationRequest,
    text: str,
    detector: Detector,
    mode: InputMode,
    first: _Half,
    second: _Half,
    progress: Callable[[int], ProgressBar],
) -> AblatedDetector:
    """A detector's answers about both halves."""
    shown = redacted(text)
    folder = request.out / EVALUATIONS / f"{_UNSAFE.sub('-', shown)[:48].strip('-')}-{content_hash(shown)[:6]}-{mode}"
    stores = []
    for name, half in ((DELIVERY, first), (NEUTRAL, second)):
        asked = Request(str(half.month.root), text, mode, folder / name, request.prompt)
        evaluate_month(asked, half.month, detector, half.hearing if mode is InputMode.ASR else None, progress)
        stores.append(EvaluationStore.open(folder / name))
    return compared(stores[0].run(), first.month.rows, *(store.responses() for store in stores))


def _result(
    config: AblationConfig,
    passed: tuple[Passed, ...],
    sound: Sound,
    first: _Half,
    second: _Half,
    found: tuple[AblatedDetector, ...],
) -> DeliveryAblation:
    rows = first.month.rows
    with_it, without = pooled_f1(found)
    return DeliveryAblation(
        config=config,
        trees=len({row.call.tree_id for row in rows}),
        calls=tuple(_both(row, other) for row, other in zip(rows, second.month.rows, strict=True)),
        passed_over=passed,
        hearing=sound.hearing,
        delivery_cer=first.cer,
        neutral_cer=second.cer,
        detectors=found,
        pooled_delivery_f1=with_it,
        pooled_neutral_f1=without,
        largest_change=largest_changes(found),
    )


def _both(row: ManifestRow, other: ManifestRow) -> AblatedCall:
    return AblatedCall(
        sample_id=row.call.sample_id,
        tree_id=row.call.tree_id,
        label=row.call.label,
        delivery_sha256=_audio(row).sha256,
        neutral_sha256=_audio(other).sha256,
        delivery_s=round(_audio(row).duration_s, 3),
        neutral_s=round(_audio(other).duration_s, 3),
    )


def _audio(row: ManifestRow) -> CallAudio:
    if row.audio is None:
        raise FileError(f"{layout.MANIFEST}: {row.call.sample_id}: a row without sound in a month with recordings")
    return row.audio


def _voices(row: ManifestRow) -> CallVoices:
    if row.voices is None:
        raise FileError(f"{layout.MANIFEST}: {row.call.sample_id}: a row without voices in a month with recordings")
    return row.voices
