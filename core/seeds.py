"""Component seeds by keyed hash: the same on every machine, in every process, under every condition where they must be.

Caller, candidate, judge and backend seeds derive from (run seed, scenario, repeat, rerun, component). Only the line's
seed adds the condition. Line and speech omit the rerun. No candidate name enters a seed.
"""

from __future__ import annotations

import hashlib

import numpy as np

from core.schemas.base import Condition, canonical_json
from core.schemas.call_trace import Seeds

_KEY = b"ringback-seeds-1"


def derive(*parts: str | int) -> int:
    """A seed in [0, 2**63) from any number of strings and integers."""
    digest = hashlib.blake2b(canonical_json(list(parts)), key=_KEY, digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def generator(seed: int, *parts: str | int) -> np.random.Generator:
    """A numpy generator for one named use of a seed."""
    return np.random.Generator(np.random.PCG64(derive(seed, *parts)))


def component_seeds(run_seed: int, scenario: str, repeat: int, rerun: int, condition: Condition) -> Seeds:
    """The seeds of one case."""
    return Seeds(
        run=run_seed,
        caller=derive(run_seed, scenario, repeat, rerun, "caller"),
        candidate=derive(run_seed, scenario, repeat, rerun, "candidate"),
        judge=derive(run_seed, scenario, repeat, rerun, "judge"),
        backend=derive(run_seed, scenario, repeat, rerun, "backend"),
        line=derive(run_seed, scenario, repeat, "line", condition.value),
        speech=derive(run_seed, scenario, repeat, "speech"),
    )
