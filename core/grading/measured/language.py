"""Language: every message is in the required script and, where it can be told, in the required language."""

from __future__ import annotations

from core.grading.checks import agent_speech
from core.grading.sentences import right_language
from core.grading.views import ConversationView
from core.schemas.base import Diagnostic
from core.schemas.grade import Judgement


def rate_language(view: ConversationView) -> Judgement | None:
    """Rate by the share of messages in the right script and language; not applicable where the agent never spoke."""
    name = Diagnostic.LANGUAGE.value
    spoken = agent_speech(view)
    if not spoken:
        return Judgement(id=name, not_applicable=True, reason="the agent never spoke")
    wrong = tuple(message.index for message in spoken if not right_language(message.content, view.language, view.script))
    reason = f"{len(wrong)} of {len(spoken)} messages are not in {view.language} ({view.script})"
    return Judgement(id=name, rating=1 + int(4 * (1 - len(wrong) / len(spoken))), reason=reason, evidence=wrong)
