"""How hard sibling calls are: shallow classifiers on built calls, tree-disjoint, next to shortcuts and to an oracle.

python -m tests.bench.siblings LANGUAGE [--trees 48] [--seed 1] [--per-label 6] [--read 3] [--root FOLDER]

Aims: full text between 0.55 and 0.80 Macro-F1 for both classifiers, evidence turns at least 0.90, the oracle on recorded
actions 1.0, and every shortcut at most 0.55 with the upper end of its 95 % interval at most 0.60.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.schemas.snapshots import Label, Side, SnapshotCall
from core.schemas.trees import BuildConfig
from core.seeds import generator
from core.snapshots.building.build import build_calls
from core.snapshots.building.library import load_cases
from core.snapshots.building.plot import Plot
from models.snapshots.offline import offline_agents

FOLDS = 5
Feature = Callable[[SnapshotCall], Any]


def main(argv: Sequence[str]) -> None:
    """Build, sample, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("language")
    parser.add_argument("--trees", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-label", type=int, default=6)
    parser.add_argument("--read", type=int, default=0)
    parser.add_argument("--root", type=Path)
    args = parser.parse_args(argv)
    began = time.monotonic()
    library = load_cases(args.language, args.root)
    config = BuildConfig(namespace=f"bench-{args.seed}", seed=args.seed, language=args.language, trees=args.trees)
    built = list(build_calls(config, library, offline_agents(library)))
    calls = [call for tree in built for call in tree.calls]
    print(f"{len(calls)} calls of {len(built)} trees in {time.monotonic() - began:.1f} s; ", end="")
    print("left out:", dict(Counter(entry.code.value for tree in built for entry in tree.rejected)))
    sample = balanced(calls, args.per_label, args.seed)
    plot = Plot(library.catalogue)
    print(
        f"{len(sample)} sampled, half fraud, of {len({call.tree_id for call in sample})} trees; turns and characters per call: ",
        end="",
    )
    print(f"{np.mean([len(c.turns) for c in sample]):.1f}, {np.mean([len(c.text) for c in sample]):.0f}")
    right = sum(plot.replay(turn.action for turn in call.turns).label is call.label for call in calls)
    print(f"{'oracle on recorded actions':34} {right / len(calls):.3f}")
    measure(sample)
    depths = Counter(call.rationale.separating_turn for call in sample)
    print("separating turn:", dict(sorted(depths.items())), " early:", sum(call.stop.early for call in sample))
    for call in read_sample(sample, args.read, args.seed):
        print(f"\n--- {call.label.value} {' '.join(call.leaf_path)} evidence {call.rationale.evidence_turns}\n{call.text}")


def balanced(calls: Sequence[SnapshotCall], most: int, seed: int) -> list[SnapshotCall]:
    """As many calls of each label from every tree, at most `most`."""
    trees: dict[str, dict[Label, list[SnapshotCall]]] = defaultdict(lambda: {label: [] for label in Label})
    for call in calls:
        trees[call.tree_id][call.label].append(call)
    chosen = []
    for tree, halves in trees.items():
        count = min(most, *(len(half) for half in halves.values()))
        for label, half in halves.items():
            order = generator(seed, "sample", tree, label.value).permutation(len(half))
            chosen += [half[place] for place in order[:count]]
    return chosen


def read_sample(calls: Sequence[SnapshotCall], count: int, seed: int) -> list[SnapshotCall]:
    """A few calls for people to read."""
    order = generator(seed, "read").permutation(len(calls))
    return [calls[place] for place in order[:count]]


def _evidence(call: SnapshotCall) -> str:
    return "\n".join(call.turns[i].text for i in call.rationale.evidence_turns)


def _caller(call: SnapshotCall) -> str:
    return "\n".join(turn.text for turn in call.turns if turn.side is Side.CALLER)


TEXTS: dict[str, Feature] = {
    "full text": lambda call: call.text,
    "words without who speaks": lambda call: "\n".join(turn.text for turn in call.turns),
    "evidence turns": _evidence,
    "caller's words": _caller,
    "receiver's words": lambda call: "\n".join(turn.text for turn in call.turns if turn.side is Side.RECEIVER),
    "last caller turns (3)": lambda call: "\n".join([t.text for t in call.turns if t.side is Side.CALLER][-3:]),
    "opening": lambda call: "\n".join(turn.text for turn in call.turns[: call.opening_turns]),
    "closing": lambda call: "\n".join(turn.text for turn in call.turns[-2:]),
    "deliveries": lambda call: " ".join(
        f"{turn.side.value}{turn.delivery.value} {turn.i}{turn.delivery.value}" for turn in call.turns
    ),
}


def _lengths(call: SnapshotCall) -> list[float]:
    sides = [[len(t.text) for t in call.turns if t.side is side] for side in Side]
    return [len(call.turns), *(sum(side) for side in sides), *(max(side) for side in sides), len(call.turns[-1].text)]


def measure(calls: Sequence[SnapshotCall]) -> None:
    """Macro-F1 of out-of-fold answers, every tree in one fold."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC
    from sklearn.tree import DecisionTreeClassifier

    def grams() -> Any:
        return TfidfVectorizer(analyzer="char", ngram_range=(2, 4), sublinear_tf=True)

    for name, text in TEXTS.items():
        data = [text(call) for call in calls]
        models = {"LR": LogisticRegression(max_iter=2000, C=10.0)}
        if name in ("full text", "words without who speaks"):
            models["SVM"] = LinearSVC()
        words = name == "deliveries"
        for kind, model in models.items():
            vectors = TfidfVectorizer(token_pattern=r"\S+") if words else grams()
            show(f"{name}, {kind}", calls, data, partial(make_pipeline, vectors, model))
    numbers = np.array([_lengths(call) for call in calls])
    show("length, LR", calls, numbers, lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)))
    show("length, tree", calls, numbers, lambda: DecisionTreeClassifier(max_depth=4, random_state=0))


def show(name: str, calls: Sequence[SnapshotCall], data: Any, make: Callable[[], Any]) -> None:
    """Print Macro-F1 with its interval over resampled trees."""
    truth = np.array([call.label is Label.FRAUD for call in calls])
    trees = np.array([call.tree_id for call in calls])
    unique = np.unique(trees)
    fold = dict(zip(unique, generator(7, "folds").permutation(len(unique)) % FOLDS, strict=True))
    folds = np.array([fold[tree] for tree in trees])
    guess = np.zeros(len(calls), dtype=bool)
    for number in range(FOLDS):
        train, test = np.flatnonzero(folds != number), np.flatnonzero(folds == number)
        model = make()
        model.fit([data[i] for i in train], truth[train])
        guess[test] = model.predict([data[i] for i in test])
    members = [np.flatnonzero(trees == tree) for tree in unique]
    draw = generator(7, "interval")
    means = [
        macro_f1(truth[index], guess[index])
        for index in (np.concatenate([members[k] for k in draw.integers(len(members), size=len(members))]) for _ in range(500))
    ]
    low, high = np.percentile(means, [2.5, 97.5])
    print(f"{name:34} {macro_f1(truth, guess):.3f}  [{low:.3f}, {high:.3f}]", flush=True)


def macro_f1(truth: npt.NDArray[np.bool_], guess: npt.NDArray[np.bool_]) -> float:
    """Mean of the F1 of both labels."""
    scores = []
    for positive in (True, False):
        hits = int(np.sum((truth == positive) & (guess == positive)))
        scores.append(2 * hits / max(1, int(np.sum(truth == positive) + np.sum(guess == positive))))
    return sum(scores) / 2


if __name__ == "__main__":
    main(sys.argv[1:])
