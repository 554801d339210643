"""What is heard does not depend on the number of cores."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Command, cache_beside


@pytest.mark.engine
@pytest.mark.slow
def test_the_number_of_threads_changes_no_figure(tmp_path: Path, engine_cache: Path) -> None:
    """With numpy told to use one thread or two, from empty caches, the words and every figure behind them are the same."""
    Command(tmp_path, engine_cache).passes("speak", "The code is K D 4172, for the parcel at the depot.", "-o", "code.wav")
    heard = []
    for threads in ("1", "2"):
        command = Command(tmp_path, cache_beside(tmp_path / threads, engine_cache))
        heard.append(command.passes("hear", "code.wav", "--json", OPENBLAS_NUM_THREADS=threads))

    assert '"avg_logprob": -' in heard[0]
    assert heard[0] == heard[1]
