"""The chat judge: both views of a call as a model reads them, asked by one of two protocols."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field, JsonValue, ValidationError

from core.errors import UsageError
from core.grading.judges import Judged
from core.grading.views import ConversationView, TaskView
from core.metered import Meter, Told
from core.replies import json_object
from core.schemas.base import Model
from core.schemas.call_trace import PartyRecord
from core.schemas.grade import Judgement, JudgeReply, View
from core.schemas.usage import Usage
from models.chat.client import CHECK_SCHEMA, ChatClient, Json
from models.chat.judging.decomposed import DECOMPOSED_VERSION, QUESTIONS, decomposed_requests
from models.chat.judging.holistic import VERDICTS, Per, holistic_requests
from models.chat.judging.reading import Request
from models.chat.judging.rubric import RATINGS, rubrics_sha256
from models.chat.judging.transcript import LAYOUT_VERSION, shown_call
from models.chat.prompts import hashes, prompt
from models.chat.settings import JUDGES_ONLY

TASK, CONVERSATION = "judge-task-1", "judge-conversation-1"


class Protocol(StrEnum):
    """How a judge is asked."""

    HOLISTIC = "holistic"
    DECOMPOSED = "decomposed"


class JudgeSettings(Model):
    """How a chat judge is asked."""

    protocol: Protocol = Protocol.HOLISTIC
    """A label or rating against the anchors, or yes/no questions."""
    per: Per = "view"
    """Holistic: one request for all items of a view, or one for each. Decomposed is always one for each."""
    votes: int = Field(default=1, ge=1, le=15)
    """How often each view is judged, with a seed of its own each time."""


def judge_settings(options: Mapping[str, str], shown: str) -> JudgeSettings:
    """The judge's own options among a party's; raises UsageError, `shown` being what it calls the party."""
    try:
        return JudgeSettings.model_validate({name: options[name] for name in JUDGES_ONLY if name in options})
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        raise UsageError(f"{shown!r}: {name}={options[name]!r}: {first['msg']}") from None


class ChatJudge:
    """Implements `core.grading.judges.Judge`; a judgement depends on nothing but the view and the seed."""

    def __init__(self, client: ChatClient, settings: JudgeSettings) -> None:
        self._client = client
        self._settings = settings
        self._meter = Meter()

    def record(self) -> PartyRecord:
        """The model with all its settings, how it is asked, and the prompts by hash."""
        decomposed = self._settings.protocol is Protocol.DECOMPOSED
        asked: dict[str, JsonValue] = {"questions": DECOMPOSED_VERSION} if decomposed else {"per": self._settings.per}
        words = hashes(TASK, CONVERSATION, QUESTIONS if decomposed else VERDICTS)
        return self._client.record(
            {
                "role": "judge",
                "protocol": self._settings.protocol.value,
                **asked,
                "layout": LAYOUT_VERSION,
                "prompts": {**words, RATINGS: rubrics_sha256()},
            }
        )

    def check(self) -> None:
        """Ask the endpoint for the smallest reply; raises OperatorError or ProviderError."""
        self._meter.add(self._client.check(schema=CHECK_SCHEMA))

    def usage(self) -> Usage:
        """What this judge used so far."""
        return self._meter.total()

    def tell(self, told: Told) -> None:
        """Tell of what is used from now on."""
        self._meter.tell(told)

    def judge_task(self, view: TaskView, seed: int) -> Judged:
        """Labels for the task criteria; raises OperatorError or ProviderError."""
        return self._judge(view, View.TASK, seed)

    def judge_conversation(self, view: ConversationView, seed: int) -> Judged:
        """Ratings and labels for the conversation; raises OperatorError or ProviderError."""
        return self._judge(view, View.CONVERSATION, seed)

    def _judge(self, view: TaskView | ConversationView, shown: View, seed: int) -> Judged:
        requests, judgements = self._requests(view)
        faults: dict[str, str] = {}
        replies: list[JudgeReply] = []
        used = Usage()
        for request in requests:
            reply = self._client.complete(_messages(view, shown, request), schema=request.schema, seed=seed)
            cut = f", {reply.ending}" if reply.ending else ""
            read, wrong = _read(reply.text, request, cut)
            judgements += read
            faults |= wrong
            replies.append(JudgeReply(view=shown, items=request.items, raw=reply.raw, attempts=reply.attempts))
            used = used.plus(reply.usage)
            self._meter.add(reply.usage)  # at once, since the next request may fail
        return Judged(tuple(judgements), faults, replies=tuple(replies), usage=used)

    def _requests(self, view: TaskView | ConversationView) -> tuple[list[Request], list[Judgement]]:
        rejected = (
            f"Your last answer was not accepted: {'; '.join(view.rejections)}. Do it again, rightly. " if view.rejections else ""
        )
        if self._settings.protocol is Protocol.DECOMPOSED:
            return decomposed_requests(view, rejected)
        return holistic_requests(view, rejected, self._settings.per), []


def _messages(view: TaskView | ConversationView, shown: View, request: Request) -> list[Json]:
    """What does not change from call to call first, then the call, then what is asked: as much as can be cached."""
    rules = prompt(TASK if shown is View.TASK else CONVERSATION).text
    return [{"role": "system", "content": rules}, {"role": "user", "content": f"{shown_call(view)}\n\n{request.text}"}]


def _read(text: str, request: Request, cut: str) -> tuple[list[Judgement], dict[str, str]]:
    try:
        return request.read(json_object(text))
    except ValueError as error:
        return [], dict.fromkeys(request.items, f"{error}{cut}")
