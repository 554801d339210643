"""Defaults of the command line, in a module that costs nothing to import."""

from __future__ import annotations

DEFAULT_CALLER = "offline:scripted"
DEFAULT_CANDIDATE = "offline:baseline"
DEFAULT_JUDGE = "offline:rules"
DEFAULT_CHANNEL = "landline"
DEFAULT_SEED = 7
DEFAULT_VOICE = "hibari-heart"
DEFAULT_VOICES = "standard"
DEFAULT_RECOGNISER = "auto"
DEMO_BUNDLE = "frontdesk"
