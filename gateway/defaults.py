"""Defaults of the command line, in a module that costs nothing to import."""

from __future__ import annotations

DEFAULT_CALLER = "offline:scripted"
DEFAULT_CANDIDATE = "offline:baseline"
DEFAULT_JUDGE = "offline:rules"
DEFAULT_CHANNEL = "landline"
DEFAULT_SEED = 7
DEFAULT_VOICES = "standard"
DEFAULT_RECOGNISER = "auto"
DEMO_BUNDLE = "frontdesk"
SURVEYED_VOICES = "hibari-heart, piper-joe, kokoro-bm-george, kokoro-hf-alpha, kokoro-hm-psi, kokoro-zf-xiaoxiao, kokoro-zm-yunxi"
JUDGES_JOIN = " + "
"""What stands between several judges in one name."""
DEFAULT_BUILDERS = "offline:snapshots"
DEFAULT_SNAPSHOT_VOICES = "snapshot"
DEFAULT_SNAPSHOT_RECOGNISER = "whisper-small?beam=5&timestamps=on"
"""The same for every language and machine, which `auto` is not; with times, since calls last longer than its window of 30 s."""
