"""How much of their wording calls share: character pairs between classes, near-duplicates between calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from core.schemas.audits import DuplicatePair, NearDuplicates
from core.seeds import generator
from core.snapshots.audits.samples import Sample
from core.snapshots.plain import plain

SHINGLE = 5
"""Characters in a shingle."""
THRESHOLD = 0.8
"""Jaccard index from which on calls are nearly equal."""
LISTED = 100
"""Pairs that a report names."""
EXACT = 400
"""Calls up to which every pair is compared; above, MinHash proposes the pairs."""
BANDS, ROWS = 40, 3
"""A pair with Jaccard 0.8 escapes forty bands of three rows once in 10^12 times, one with 0.5 once in 200."""


def grams(text: str, size: int) -> frozenset[str]:
    """The set of character n-grams of the plain words; the whole text where it is shorter."""
    words = plain(text)
    return frozenset(words[i : i + size] for i in range(max(1, len(words) - size + 1)))


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Share of the common members in all members, 0 to 1."""
    return len(first & second) / len(first | second)


def bigram_overlap(fraud: Sequence[str], lawful: Sequence[str]) -> tuple[float, float]:
    """Jaccard index of character-pair sets: mean over all pairs of a fraud and a lawful text, and mean of each fraud text's best.

    Raises:
        ValueError: one side has no texts.
    """
    if not fraud or not lawful:
        raise ValueError(f"overlap needs texts of both kinds, not {len(fraud)} and {len(lawful)}")
    sets = [np.unique([_pair_code(gram) for gram in grams(text, 2)]) for text in lawful]
    sizes = np.array([len(found) for found in sets], dtype=np.float64)
    codes = np.concatenate(sets)
    order = np.argsort(codes, kind="stable")
    owners = np.repeat(np.arange(len(sets)), [len(found) for found in sets])[order]
    codes = codes[order]
    means, best = [], []
    for text in fraud:
        own = np.unique([_pair_code(gram) for gram in grams(text, 2)])
        first, last = np.searchsorted(codes, own, "left"), np.searchsorted(codes, own, "right")
        shared = np.concatenate([owners[start:end] for start, end in zip(first, last, strict=True)])
        common = np.bincount(shared, minlength=len(sets)).astype(np.float64)
        found = common / (sizes + len(own) - common)
        means.append(float(found.mean()))
        best.append(float(found.max()))
    return float(np.mean(means)), float(np.mean(best))


def _pair_code(gram: str) -> int:
    """A number that stands for up to two characters alone."""
    return sum((ord(char) + 1) << (21 * place) for place, char in enumerate(gram))


def near_pairs(texts: Sequence[str], seed: int, threshold: float = THRESHOLD) -> list[tuple[float, int, int]]:
    """Jaccard index and places of every two texts whose shingles agree at least to `threshold`, lower place first; not sorted.

    Raises:
        ValueError: the threshold is not between 0.5, below which MinHash would miss pairs, and 1.
    """
    if not 0.5 <= threshold <= 1:
        raise ValueError(f"a threshold of {threshold} is not between 0.5 and 1")
    sets = [grams(text, SHINGLE) for text in texts]
    compared = ((jaccard(sets[first], sets[second]), first, second) for first, second in _candidates(sets, seed))
    return [pair for pair in compared if pair[0] >= threshold]


def near_duplicates(calls: Sequence[Sample], seed: int, threshold: float = THRESHOLD) -> NearDuplicates:
    """Pairs of calls whose shingles agree at least to `threshold`, compared exactly.

    Raises:
        ValueError: see `near_pairs`.
    """
    found = near_pairs([call.text for call in calls], seed, threshold)
    found.sort(key=lambda pair: (-pair[0], calls[pair[1]].id, calls[pair[2]].id))
    pairs = [
        DuplicatePair(
            first=calls[first].id, second=calls[second].id, jaccard=shared, same_group=calls[first].group == calls[second].group
        )
        for shared, first, second in found
    ]
    words = [plain(call.text) for call in calls]
    return NearDuplicates(
        shingle=SHINGLE,
        threshold=threshold,
        pairs=len(pairs),
        across_groups=sum(not pair.same_group for pair in pairs),
        equal=sum(words[first] == words[second] for _shared, first, second in found),
        listed=tuple(pairs[:LISTED]),
    )


def _candidates(sets: Sequence[frozenset[str]], seed: int) -> Iterable[tuple[int, int]]:
    """Pairs worth comparing, each once, lower index first."""
    if len(sets) <= EXACT:
        return ((first, second) for first in range(len(sets)) for second in range(first + 1, len(sets)))
    signatures = _signatures(sets, seed)
    pairs: set[tuple[int, int]] = set()
    for band in range(BANDS):
        buckets: defaultdict[bytes, list[int]] = defaultdict(list)
        for index, signature in enumerate(signatures[:, band * ROWS : (band + 1) * ROWS]):
            buckets[signature.tobytes()].append(index)
        for members in buckets.values():
            pairs.update((a, b) for place, a in enumerate(members) for b in members[place + 1 :])
    return sorted(pairs)


def _signatures(sets: Sequence[frozenset[str]], seed: int) -> npt.NDArray[np.uint64]:
    """MinHash signatures of shape (sets, BANDS * ROWS)."""
    vocabulary = {gram: number for number, gram in enumerate(sorted(frozenset().union(*sets)))}
    # Each column is a random order of all shingles: the lowest rank in a set is its MinHash, with no hash function to doubt.
    rng = generator(seed, "minhash")
    members = [np.fromiter((vocabulary[gram] for gram in found), dtype=np.int64, count=len(found)) for found in sets]
    signatures = np.empty((len(sets), BANDS * ROWS), dtype=np.uint64)
    for column in range(BANDS * ROWS):
        ranks = rng.permutation(len(vocabulary)).astype(np.uint64)
        signatures[:, column] = [ranks[found].min() for found in members]
    return signatures
