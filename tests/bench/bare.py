"""The engines alone: says and hears everything that stands in a run once more, in two straight loops.

OPENBLAS_NUM_THREADS=1 python -m tests.bench.bare RUN CACHE     prints CPU and wall seconds of loading, saying, hearing as JSON
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from core.schemas.call_trace import Role, Trace
from models import registry
from models.specs import ModelKind
from speech import audiofile
from speech.asr.whisper import WhisperRecognizer
from speech.clip import Clip
from speech.spoken_form import spoken_form
from speech.studio import build_studio

Line = tuple[str, str]
"""A voice and what it says."""


def main() -> int:
    """Measure and print."""
    run, cache = map(Path, sys.argv[1:])
    studio = build_studio(cache)
    whisper = WhisperRecognizer(registry.get("whisper-base", ModelKind.RECOGNISER), cache)
    lines, clips = _work(run)
    voices = {name: studio.voice(registry.get(name, ModelKind.VOICE)) for name, _ in lines}
    started = _clocks()
    for voice in voices.values():
        voice.synthesize("Hello.", language="en", seed=0, pace=1.0)
    whisper.transcribe(clips[0], language="en")
    loaded = _clocks()
    for name, text in lines:
        voices[name].synthesize(text, language="en", seed=0, pace=1.0)
    said = _clocks()
    for clip in clips:
        whisper.transcribe(clip, language="en")
    heard = _clocks()
    stages = (("load", started, loaded), ("say", loaded, said), ("hear", said, heard))
    found = {f"{name}_{kind}": after[kind] - before[kind] for name, before, after in stages for kind in before}
    print(json.dumps({**found, "lines": len(lines), "clips": len(clips), "heard_s": sum(clip.duration_s for clip in clips)}))
    return 0


def _work(run: Path) -> tuple[list[Line], list[Clip]]:
    """Everything that was said, once for each time it had to be made, and every fragment that was heard."""
    lines: dict[tuple[object, ...], Line] = {}
    clips: list[Clip] = []
    for folder in sorted(path for path in (run / "cases").iterdir() if path.is_dir()):
        trace = Trace.model_validate_json((folder / "trace.json").read_bytes())
        for place, line in enumerate(_said(trace)):
            # a voice without a seed says the same in every call, which the caches know too
            lines[line if line[0] == "piper-joe" else (*line, trace.header.scenario, place)] = line
        heard = [message.index for message in trace.messages if message.role is Role.CALLER]
        clips.extend(audiofile.read(folder / "clips" / f"{index:03d}.flac") for index in heard)
    return list(lines.values()), clips


def _said(trace: Trace) -> Iterator[Line]:
    for turn in trace.caller_turns:
        if turn.audio is not None:
            yield from ((turn.audio.voice, piece) for piece in turn.audio.spoken.split(" | "))
    for message in trace.messages:
        if message.role is Role.AGENT and message.voice is not None:
            yield message.voice, spoken_form(message.content, trace.header.language)


def _clocks() -> dict[str, float]:
    return {"cpu": time.process_time(), "wall": time.perf_counter()}


if __name__ == "__main__":
    sys.exit(main())
