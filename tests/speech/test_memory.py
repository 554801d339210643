"""Freed memory is kept: a recogniser that has heard one turn asks the system for no more memory in the next."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tree import ROOT

FAULTS = """
import pathlib, resource, sys
import numpy as np
from models import registry
from speech.asr.whisper import WhisperRecognizer
from speech.clip import Clip
whisper = WhisperRecognizer(registry.get("whisper-base"), pathlib.Path(sys.argv[1]))
clip = Clip.of(0.1 * np.random.default_rng(1).standard_normal(32000), 16000)
faults = []
for _ in range(3):
    whisper.transcribe(clip, language="en")
    faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
print(faults[2] - faults[1])
"""


@pytest.mark.engine
@pytest.mark.slow
def test_a_turn_costs_no_page_faults(warm_root: Path) -> None:
    """The third turn of a process takes fewer than 2,000 page faults; without the setting it is some hundred thousand."""
    done = subprocess.run([sys.executable, "-c", FAULTS, str(warm_root)], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 2000
