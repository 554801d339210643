"""SPEC 3, seeds: keyed, named by component, the same under every condition but the line's, free of candidate names."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.schemas.base import Condition
from core.schemas.call_trace import Seeds
from core.seeds import component_seeds, derive, generator
from tests.support.scenes import MINIMAL

ROOT = MINIMAL.parents[2]


def _seeds(run: int = 7, scenario: str = "renew-loan", repeat: int = 0, rerun: int = 0, condition: str = "text") -> Seeds:
    return component_seeds(run, scenario, repeat, rerun, Condition(condition))


def _parties(seeds: Seeds) -> tuple[int, ...]:
    return (seeds.caller, seeds.candidate, seeds.judge, seeds.backend)


def test_every_component_has_a_seed_of_its_own() -> None:
    """Five components, five different seeds, beside the run's."""
    seeds = _seeds()
    assert 5 == len({*_parties(seeds), seeds.line})
    assert 7 == seeds.run


@pytest.mark.parametrize("condition", ["authored", "asr", "audio"])
def test_only_the_lines_seed_knows_the_condition(condition: str) -> None:
    """Caller, candidate, judge and backend play the same call on every line."""
    text, other = _seeds(), _seeds(condition=condition)
    assert _parties(text) == _parties(other)
    assert text.line != other.line


@pytest.mark.parametrize("rerun", [1, 2, 3])
def test_only_the_lines_seed_omits_the_rerun(rerun: int) -> None:
    """A conversation that starts again has new parties' seeds on the same channel."""
    first, again = _seeds(), _seeds(rerun=rerun)
    assert first.line == again.line
    assert not set(_parties(first)) & set(_parties(again))


@pytest.mark.parametrize("other", [_seeds(run=8), _seeds(scenario="noisy-renewal"), _seeds(repeat=1)], ids=repr)
def test_run_seed_scenario_and_repeat_change_every_seed(other: Seeds) -> None:
    """Nothing is shared between two cases of different runs, scenarios or repeats."""
    assert not {*_parties(_seeds()), _seeds().line} & {*_parties(other), other.line}


def test_no_candidate_name_can_enter_a_seed() -> None:
    """The function that makes them is not told who answers, so every candidate meets the same call."""
    assert ["run_seed", "scenario", "repeat", "rerun", "condition"] == list(inspect.signature(component_seeds).parameters)


PARTS = st.lists(st.integers(0, 2**63) | st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=8), max_size=4)


@given(PARTS, PARTS)
def test_seeds_are_keyed_by_their_whole_list_of_parts(a: list[str | int], b: list[str | int]) -> None:
    """Equal parts give equal seeds; parts are never run together, and 1 is not "1"."""
    assert (_typed(a) == _typed(b)) == (derive(*a) == derive(*b))
    assert 0 <= derive(*a) < 2**63


def _typed(parts: Iterable[str | int]) -> list[tuple[str, str | int]]:
    return [(type(part).__name__, part) for part in parts]


def test_a_seed_is_the_same_in_every_process() -> None:
    """PYTHONHASHSEED does not reach it: two processes with different ones agree with this one."""
    probe = "from core.seeds import *; print(derive(7, 'renew-loan'), generator(7, 'turn', 1).integers(2**62))"
    expected = f"{derive(7, 'renew-loan')} {generator(7, 'turn', 1).integers(2**62)}"
    for salt in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", probe], cwd=ROOT, env={"PYTHONHASHSEED": salt}, capture_output=True, text=True, check=True
        )
        assert expected == done.stdout.strip()


def test_seeds_are_fixed_for_ever() -> None:
    """Published runs name their seed: the derivation is BLAKE2b keyed `ringback-seeds-1` over canonical JSON, 63 bits.

    Golden values computed once with hashlib from that sentence.
    """
    assert 5508402857752513419 == derive()
    assert 8419001700749389661 == derive(7, "renew-loan", 0, "line", "asr")


def test_a_generator_is_named_by_seed_and_use() -> None:
    """Each turn of a line has its own stream, the same whenever it is asked for."""
    first = generator(7, "turn", 1).integers(2**62, size=4).tolist()
    assert first == generator(7, "turn", 1).integers(2**62, size=4).tolist()
    assert first != generator(7, "turn", 2).integers(2**62, size=4).tolist()
    assert first != generator(8, "turn", 1).integers(2**62, size=4).tolist()
