"""How hard sibling calls are: the audit's own probes on built calls, next to an oracle, over one build or over many seeds.

python -m tests.bench.siblings LANGUAGE [--trees 48] [--seed 1] [--per-label 6] [--read 3] [--root FOLDER]
python -m tests.bench.siblings LANGUAGE [--seeds 10]  side doors alone, over seeds 1 to 10

Aims: full text between 0.55 and 0.80 Macro-F1, evidence turns at least 0.90, the oracle on recorded actions 1.0, and every
side door at most 0.55 with the upper end of its 95 % interval at most 0.60. Voices are assigned as for a month, nobody speaks.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from scipy import stats

from core.schemas.audits import Probe
from core.schemas.snapshots import CallVoices, Label, Side, SnapshotCall
from core.schemas.trees import BuildConfig, BuiltTree
from core.schemas.voicing import RenderConfig
from core.seeds import generator
from core.snapshots.audits.dependence import voice_dependence
from core.snapshots.audits.features import Features, call_metadata, delivery_features, length_features, voice_features
from core.snapshots.audits.learning import EVIDENCE, FREE, HARD_TIER, SIDE_DOOR, Bounds, Learner, probe
from core.snapshots.audits.samples import Part, samples
from core.snapshots.building.build import build_calls
from core.snapshots.building.library import load_cases
from core.snapshots.building.plot import Plot
from models.baselines.learners import feature_learners, text_learner
from models.snapshots.offline import offline_agents
from speech import render
from speech.studio import build_studio
from tests.bench.figures import Figure

T = TypeVar("T")
FREELY = 300
"""Calls of each label in a sample that does not balance trees: where voices and people could tell which trees hold more fraud."""


def main(argv: Sequence[str]) -> None:
    """Build, sample, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("language")
    parser.add_argument("--trees", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--per-label", type=int, default=6)
    parser.add_argument("--read", type=int, default=0)
    parser.add_argument("--root", type=Path)
    args = parser.parse_args(argv)
    if args.seeds:
        for figure in over_seeds(args.language, args.trees, args.per_label, args.seeds, args.root):
            print(figure, flush=True)
        return
    trees = build(args.language, args.trees, args.seed, args.root)
    calls = [call for tree in trees for call in tree.calls]
    left_out = Counter(entry.code.value for tree in trees for entry in tree.rejected)
    print(f"{len(calls)} calls of {len(trees)} trees; left out: {dict(left_out)}")
    sample = balanced(calls, args.per_label, args.seed)
    print(f"{len(sample)} sampled, half fraud, of {len({call.tree_id for call in sample})} trees")
    turns, characters = np.mean([len(call.turns) for call in sample]), np.mean([len(call.text) for call in sample])
    print(f"{turns:.1f} turns and {characters:.0f} characters a call")
    print(f"{'oracle on recorded actions':26} {oracle(calls, args.language, args.root):.3f}")
    voices = assigned(calls, args.seed)
    for found in (*text_probes(sample, args.seed), *doors(sample, voices, args.seed)):
        show(found)
    for bits in voice_dependence(sample, {call.sample_id: voices[call.tree_id] for call in sample}, args.seed):
        print(f"{bits.name:26} {bits.bits:.4f} bits, {bits.by_chance:.4f} by chance, p {bits.p_between}")
    separating = Counter(call.rationale.separating_turn for call in sample)
    print("separating turn:", dict(sorted(separating.items())), " early:", sum(call.stop.early for call in sample))
    for call in read_sample(sample, args.read, args.seed):
        print(f"\n--- {call.label.value} {' '.join(call.leaf_path)} evidence {call.rationale.evidence_turns}\n{call.text}")


def build(language: str, trees: int, seed: int, root: Path | None = None) -> list[BuiltTree]:
    """The trees of a build by the offline agents."""
    library = load_cases(language, root)
    config = BuildConfig(namespace=f"bench-{seed}", seed=seed, language=language, trees=trees)
    return list(build_calls(config, library, offline_agents(library)))


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


def freely(calls: Sequence[SnapshotCall], most: int, seed: int) -> list[SnapshotCall]:
    """As many calls of each label, at most `most`, whatever their trees."""
    halves = [[call for call in calls if call.label is label] for label in Label]
    count = min(most, *map(len, halves))
    draw = generator(seed, "freely")
    return [half[place] for half in halves for place in draw.permutation(len(half))[:count]]


def read_sample(calls: Sequence[SnapshotCall], count: int, seed: int) -> list[SnapshotCall]:
    """A few calls for people to read."""
    order = generator(seed, "read").permutation(len(calls))
    return [calls[place] for place in order[:count]]


def oracle(calls: Sequence[SnapshotCall], language: str, root: Path | None = None) -> float:
    """Share of calls whose label follows from their recorded actions."""
    plot = Plot(load_cases(language, root).catalogue)
    return sum(plot.replay(turn.action for turn in call.turns).label is call.label for call in calls) / len(calls)


def assigned(calls: Sequence[SnapshotCall], seed: int) -> dict[str, CallVoices]:
    """Both voices of every tree as a month assigns them; loads no engine and needs no weights."""
    return render.assign(calls, RenderConfig(seed=seed), build_studio(Path("no-cache"), channel="clean"))


def text_probes(calls: Sequence[SnapshotCall], seed: int) -> Iterator[Probe]:
    """The whole call by three learners, then parts of it by the first."""
    yield _words(calls, Part.WHOLE, HARD_TIER, seed)
    yield _words(calls, Part.EVIDENCE, EVIDENCE, seed)
    for name in ("tfidf-svm", "frozen-encoder"):
        yield _words(calls, Part.WHOLE, HARD_TIER, seed, name)
    linear = text_learner("tfidf-lr")
    for side in Side:
        words = ["\n".join(turn.text for turn in call.turns if turn.side is side) for call in calls]
        yield _probe(f"{side.value}'s words", words, calls, linear, seed, FREE)
    yield _probe("words without speakers", ["\n".join(t.text for t in call.turns) for call in calls], calls, linear, seed, FREE)
    yield _probe("closing", ["\n".join(t.text for t in call.turns[-2:]) for call in calls], calls, linear, seed, FREE)


def doors(calls: Sequence[SnapshotCall], voices: dict[str, CallVoices], seed: int) -> Iterator[Probe]:
    """Every side door, by the learners of an audit."""
    yield _words(calls, Part.OPENING, SIDE_DOOR, seed)
    features: dict[str, Callable[[SnapshotCall], Features]] = {
        "length": length_features,
        "delivery": delivery_features,
        "voice": lambda call: voice_features(voices[call.tree_id]),
        "metadata": call_metadata,
    }
    for name, feature in features.items():
        items = [feature(call) for call in calls]
        for learner in feature_learners():
            yield _probe(name, items, calls, learner, seed, SIDE_DOOR)


def _words(calls: Sequence[SnapshotCall], part: Part, bounds: Bounds, seed: int, learner: str = "tfidf-lr") -> Probe:
    texts = [sample.text for sample in samples(calls, part)]
    return _probe(part.value, texts, calls, text_learner(learner), seed, bounds)


def _probe(name: str, items: Sequence[T], calls: Sequence[SnapshotCall], learner: Learner[T], seed: int, bounds: Bounds) -> Probe:
    return probe(name, items, [call.label for call in calls], [call.tree_id for call in calls], learner, seed, bounds)


def show(found: Probe) -> None:
    """Print a probe's Macro-F1 and balanced accuracy with their intervals."""
    intervals = " ".join(
        f"{value:.3f} [{of.low:.3f}, {of.high:.3f}]"
        for value, of in ((found.metrics.macro_f1, found.macro_f1), (found.metrics.balanced_accuracy, found.balanced_accuracy))
        if of is not None
    )
    print(f"{found.name + ', ' + found.learner.split()[0]:34} {intervals}{'' if found.holds else '  OUT OF BOUNDS'}", flush=True)


def over_seeds(language: str, trees: int, per_label: int, seeds: int, root: Path | None = None) -> Iterator[Figure]:
    """Every side door over seeds, trees balanced and not: the greater of balanced accuracy and Macro-F1, mean and t-interval."""
    found: dict[tuple[str, str], list[Probe]] = defaultdict(list)
    sizes: dict[str, list[int]] = defaultdict(list)
    for seed in range(1, seeds + 1):
        calls = [call for tree in build(language, trees, seed, root) for call in tree.calls]
        voices = assigned(calls, seed)
        for way, sample in (("even", balanced(calls, per_label, seed)), ("free", freely(calls, FREELY, seed))):
            sizes[way].append(len(sample))
            for done in doors(sample, voices, seed):
                found[way, f"{done.name} {done.learner.split()[0]}"].append(done)
    for (way, name), probes in found.items():
        values = [max(one.metrics.balanced_accuracy, one.metrics.macro_f1) for one in probes]
        mean, half = float(np.mean(values)), half_width(values)
        balance = "as much fraud in every tree" if way == "even" else "whatever the trees"
        meaning = (
            f"+-{half:.3f} over {len(values)} seeds of {trees} trees, {np.mean(sizes[way]):.0f} calls, {balance}; "
            f"greatest {max(values):.3f}; within bounds {sum(one.holds for one in probes)} times"
        )
        yield Figure(f"siblings {language} {way}: {name}", f"{mean:.3f}", meaning)


def half_width(values: Sequence[float]) -> float:
    """Half of Student's 95 % interval of a mean; 0 for a single value, which says nothing about spread."""
    if len(values) < 2:
        return 0.0
    return float(stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))


def figures(language: str, trees: int = 48, per_label: int = 6) -> Iterator[Figure]:
    """One build in four lines: what the words tell, what the evidence tells, the widest side door, the oracle."""
    calls = [call for tree in build(language, trees, 1) for call in tree.calls]
    sample = balanced(calls, per_label, 1)
    about = f"{len(sample)} sibling calls of {trees} trees"
    for part, bounds, aim in ((Part.WHOLE, HARD_TIER, "0.55 to 0.80"), (Part.EVIDENCE, EVIDENCE, "0.90 or more")):
        told = f"Macro-F1 of TF-IDF and logistic regression on {about}, never trained on a call's tree; aim {aim}"
        yield Figure(f"siblings {language}: {part.value}", f"{_words(sample, part, bounds, 1).metrics.macro_f1:.3f}", told)
    widest = max(doors(sample, assigned(calls, 1), 1), key=lambda one: one.metrics.balanced_accuracy)
    told = f"balanced accuracy of {widest.name} ({widest.learner.split()[0]}), the widest of nine of {about}; aim 0.55 or less"
    yield Figure(f"siblings {language}: side doors", f"{widest.metrics.balanced_accuracy:.3f}", told)
    told = f"labels read off the recorded actions of all {len(calls)} calls; aim 1"
    yield Figure(f"siblings {language}: oracle", f"{oracle(calls, language):.3f}", told)


if __name__ == "__main__":
    main(sys.argv[1:])
