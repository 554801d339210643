"""Asks espeak-ng, in a fresh process per question.

What it says then depends on the question alone, and no GPL code enters this process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pydantic import JsonValue

from core.errors import EngineError
from speech import extras

CHILD = Path(__file__).with_name("espeak_child.py")
PACKAGE = "espeakng-loader"
SAMPLE_RATE = 22050
"""Hertz of what it speaks."""
TIMEOUT_S = 120
"""Seconds after which a question is given up; a minute of speech takes less than one."""
VOICES = {"en": "en-us", "fr": "fr", "no": "nb", "pt": "pt-br", "zh": "cmn"}
"""Primary language to its voice in espeak-ng, where the code alone is another one or none."""


def voice_of(language: str) -> str:
    """espeak-ng's name of the voice for a BCP 47 tag."""
    primary = language.split("-")[0].lower()
    return VOICES.get(primary, primary)


def samples(text: str, voice: str, *, rate: int, pitch: int, extra: str) -> bytes:
    """`text` spoken as 16-bit little-endian mono at 22050 Hz; `rate` in words per minute (80 to 450), `pitch` 0 to 99.

    Raises:
        MissingExtraError: espeak-ng is not installed.
        EngineError: it has no such voice or failed.
    """
    return _ask({"voice": voice, "text": text, "rate": rate, "pitch": pitch}, extra)


def phonemes(texts: Sequence[str], language: str, *, extra: str) -> list[str]:
    """Each text as IPA, diphthongs and affricates tied by `^`; words of a foreign script are read in their own language.

    Raises:
        MissingExtraError: espeak-ng is not installed.
        EngineError: it has no such voice or failed.
    """
    found: list[str] = json.loads(_ask({"voice": voice_of(language), "phonemes": list(texts)}, extra))
    return found


def _ask(request: dict[str, JsonValue], extra: str) -> bytes:
    loader = extras.load("espeakng_loader", package=PACKAGE, extra=extra, purpose="espeak-ng")
    # -I and -S: nothing of the user's environment or site reaches the child, and it starts in a twentieth of a second.
    command = [sys.executable, "-I", "-S", str(CHILD), loader.get_library_path(), loader.get_data_path()]
    try:
        done = subprocess.run(command, input=json.dumps(request).encode(), capture_output=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise EngineError(f"espeak-ng did not answer within {TIMEOUT_S} s about {request['voice']!r}: try again") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise EngineError(f"espeak-ng failed: {said[-1] if said else f'it ended with {done.returncode} and said nothing'}")
    return done.stdout
