"""Every measured rating by its diagnostic."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.grading.measured.channel_recovery import rate_channel_recovery
from core.grading.measured.closing import rate_closing
from core.grading.measured.language import rate_language
from core.grading.measured.memory import rate_memory
from core.grading.measured.spoken_form import rate_spoken_form
from core.grading.measured.tool_speech import rate_tool_speech
from core.grading.views import ConversationView
from core.schemas.base import Diagnostic
from core.schemas.grade import Judgement

RULES_VERSION = "rules-2"
"""Version of every rule of the measured ratings; any change of one needs a new version."""

MEASURED: Mapping[Diagnostic, Callable[[ConversationView], Judgement | None]] = {
    Diagnostic.MEMORY: rate_memory,
    Diagnostic.CHANNEL_RECOVERY: rate_channel_recovery,
    Diagnostic.TOOL_SPEECH: rate_tool_speech,
    Diagnostic.SPOKEN_FORM: rate_spoken_form,
    Diagnostic.LANGUAGE: rate_language,
    Diagnostic.CLOSING: rate_closing,
}
"""Diagnostic to its rule; a rule returns None for what it cannot know, which is then unjudged."""
