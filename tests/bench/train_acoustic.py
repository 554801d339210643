"""Training of `offline:acoustic`, the baseline on sound alone: calls of their own, spoken by rule, then logistic regression.

python -m tests.bench.train_acoustic FOLDER [--trees 25] [--write]

FOLDER keeps the recordings, so that a second training takes seconds; the first one takes about five minutes of one core. Without
--write nothing is changed: what would be written is held against what ships.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.bundle import shipped_bundle
from core.files import write_atomic
from core.schemas.acoustic import AcousticModel, CrossValidation, TrainedOn
from core.schemas.base import pretty_json
from core.schemas.snapshots import Label, SnapshotCall
from core.schemas.trees import BuildConfig, BuiltTree
from core.schemas.voicing import RenderConfig
from core.seeds import generator
from core.snapshots.building.build import build_calls
from core.snapshots.building.library import load_cases
from core.snapshots.evaluating.inputs import sound_of
from models.detectors import acoustic
from models.snapshots.offline import offline_agents
from speech import render
from speech.render import Rendered
from speech.studio import build_studio

LANGUAGES = ("zh", "en")
SEED = 20_261_130
FOLDS = 5
PENALTY = 1.0
"""Of squared weights, beside the summed losses."""
CONFIG = RenderConfig(seed=SEED, voices="espeak-f2,espeak-f4,espeak-m3,espeak-m7")
"""Voices by rule speak fast; months are spoken by others."""
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Example:
    """A call to learn from."""

    language: str
    tree_id: str
    label: Label
    figures: dict[str, float]


def main(argv: Sequence[str]) -> None:
    """Speak, learn, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trees", type=int, default=25)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args(argv)
    found = [example for language in LANGUAGES for example in examples(language, args.trees, args.folder)]
    path = shipped_bundle("snapshots") / acoustic.FILE
    version = acoustic.read_model(path).version if path.exists() else 0
    model = trained(found, version + args.write)
    print(f"{model.trained_on.calls} calls of {len(model.trained_on.trees)} trees; balanced accuracy on other trees:")
    for name, value in model.cross_validation.balanced_accuracy.items():
        print(f"  {name:4} {value:.3f}")
    for name, weight in sorted(zip(model.features, model.weights, strict=True), key=lambda each: -abs(each[1])):
        print(f"  {name:28} {weight:+.3f}")
    data = pretty_json(model.to_json())
    if args.write:
        write_atomic(path, data)
    print(
        "written" if args.write else f"what ships is {'the same' if path.exists() and path.read_bytes() == data else 'another'}"
    )


def examples(language: str, trees: int, folder: Path) -> Iterator[Example]:
    """One call of each label from each tree, drawn by seed; a tree is left out where one fails quality control."""
    library = load_cases(language)
    config = BuildConfig(namespace=namespace(language), seed=SEED, language=language, trees=trees)
    built = [tree for tree in build_calls(config, library, offline_agents(library)) if tree.calls]
    studio = build_studio(folder / "cache", channel="clean")
    voices = render.assign([call for tree in built for call in tree.calls], CONFIG, studio)
    for tree in built:
        pair = []
        for label in Label:
            call = drawn(tree, label)
            path = folder / language / f"{call.sample_id}.wav"
            if not path.exists():
                made = render.render_call(call, voices[call.tree_id], CONFIG, studio)
                if not isinstance(made, Rendered):
                    print(f"left out: {call.tree_id}: {'; '.join(made.reasons)}", file=sys.stderr)
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(made.wav)
            sound = sound_of(path.read_bytes(), path)
            pair.append(Example(language, tree.tree_id, label, acoustic.figures(sound.samples, sound.sample_rate)))
        if len(pair) == len(Label):
            yield from pair


def namespace(language: str) -> str:
    """Of the build that is learned from, which is no month."""
    return f"training-{language}"


def drawn(tree: BuiltTree, label: Label) -> SnapshotCall:
    """A call of a label."""
    calls = [call for call in tree.calls if call.label is label]
    return calls[int(generator(SEED, tree.tree_id, label.value).integers(len(calls)))]


def trained(found: Sequence[Example], version: int) -> AcousticModel:
    """The coefficients, with what they reach on trees that they did not see."""
    numbers = np.array([[example.figures[name] for name in acoustic.NAMES] for example in found])
    fraud = np.array([example.label is Label.FRAUD for example in found])
    mean, scale, weights, bias = fitted(numbers, fraud)
    trees = sorted({example.tree_id for example in found})
    return AcousticModel(
        version=version,
        figures=acoustic.FIGURES,
        features=acoustic.NAMES,
        mean=rounded(mean),
        scale=rounded(scale),
        weights=rounded(weights),
        bias=rounded(np.array([bias]))[0],
        trained_on=TrainedOn(
            namespaces=tuple(map(namespace, LANGUAGES)),
            seed=SEED,
            trees=tuple(trees),
            calls=len(found),
            render=render.VERSION,
            voices=CONFIG.voices,
            channels=CONFIG.channels,
        ),
        cross_validation=CrossValidation(folds=FOLDS, balanced_accuracy=validated(found, numbers, fraud, trees)),
    )


def validated(found: Sequence[Example], numbers: Numbers, fraud: npt.NDArray[np.bool_], trees: Sequence[str]) -> dict[str, float]:
    """Balanced accuracy by language and over all; no tree is learned from and asked about in one fold."""
    order = generator(SEED, "folds").permutation(len(trees))
    fold_of = {trees[place]: number % FOLDS for number, place in enumerate(order)}
    folds = np.array([fold_of[example.tree_id] for example in found])
    called = np.zeros(len(found), bool)
    for fold in range(FOLDS):
        mean, scale, weights, bias = fitted(numbers[folds != fold], fraud[folds != fold])
        called[folds == fold] = (numbers[folds == fold] - mean) / scale @ weights + bias >= 0
    languages = np.array([example.language for example in found])
    parts = {"all": np.ones(len(found), bool), **{language: languages == language for language in LANGUAGES}}
    recalls = {
        name: [(called == fraud)[part & (fraud == label)].mean() for label in (True, False)] for name, part in parts.items()
    }
    return {name: round(float(np.mean(both)), 4) for name, both in recalls.items()}


def fitted(numbers: Numbers, fraud: npt.NDArray[np.bool_]) -> tuple[Numbers, Numbers, Numbers, float]:
    """Mean, scale, weights and bias, by Newton's method; the bias is not drawn towards zero."""
    mean, scale = numbers.mean(axis=0), numbers.std(axis=0)
    rows = np.column_stack([(numbers - mean) / scale, np.ones(len(numbers))])
    penalty = PENALTY * np.diag([*np.ones(numbers.shape[1]), 0.0])
    weights = np.zeros(rows.shape[1])
    for _step in range(25):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (chance - fraud) + penalty @ weights
        weights -= np.linalg.solve((rows.T * (chance * (1 - chance))) @ rows + penalty, slope)
    return mean, scale, weights[:-1], float(weights[-1])


def rounded(numbers: Numbers) -> tuple[float, ...]:
    """Six digits after the point, which the last bits of a processor do not reach."""
    return tuple(round(float(number), 6) for number in numbers)


if __name__ == "__main__":
    main(sys.argv[1:])
