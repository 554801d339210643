"""The chat author: scenarios for an agent, drafted by a model, audited by a program, and sent back with their faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache

from pydantic import JsonValue

from core.authoring.drafts import AUDITS, Wanted, read_draft
from core.errors import ProviderError
from core.schemas.base import content_hash, sha256
from core.schemas.bundle import Agent
from core.schemas.call_trace import PartyRecord
from core.schemas.generation import Generation, Rejection, Slot
from core.schemas.scenario import Scenario
from core.schemas.usage import Usage
from core.seeds import derive
from models.chat.client import CHECK_SCHEMA, ChatClient
from models.chat.naming import language_and_script
from models.chat.prompts import hashes, prompt
from models.chat.reply import Json

SYSTEM, DRAFT, REPAIR = "author-1", "author-draft-1", "author-repair-1"


class ChatAuthor:
    """Writes scenarios for one agent."""

    def __init__(self, client: ChatClient, agent: Agent, template: str) -> None:
        self._client = client
        self._agent = agent
        self._template = template
        self._usage = Usage()
        self._taken: dict[str, Scenario] = {}

    def record(self) -> PartyRecord:
        """The model with all its settings, and the prompts by hash."""
        return self._client.record({"role": "author", "prompts": dict(hashes(SYSTEM, DRAFT, REPAIR))})

    def write(
        self, wanted: Sequence[Wanted], *, seed: int, rounds: int, told: Callable[[Slot], None]
    ) -> tuple[dict[str, Scenario], Generation]:
        """A scenario for each that is wanted, where one of its drafts is sound, and the record of all drafts.

        `rounds` is the most often that a draft goes back with its faults; `told` hears of each slot as it ends. A provider that
        fails ends a slot, not the work, and replies that were paid for are kept: to ask for them again costs nothing.

        Raises:
            OperatorError: the key, the model or the address is wrong, found before the first draft.
        """
        self._usage = self._usage.plus(self._client.check(schema=CHECK_SCHEMA))
        slots = []
        for want in wanted:
            slots.append(self._slot(want, seed, rounds))
            told(slots[-1])
        generation = Generation(
            author=self.record(),
            agent=self._agent.id,
            agent_files={"agent": content_hash(self._agent.to_json()), "instructions": sha256(self._template)},
            seed=seed,
            rounds=rounds,
            audits=AUDITS,
            slots=tuple(slots),
            usage=self._usage,
        )
        return dict(self._taken), generation

    def _slot(self, want: Wanted, seed: int, rounds: int) -> Slot:
        messages = [*self._opening(), {"role": "user", "content": self._request(want)}]
        seeds: list[int] = []
        rejections: list[Rejection] = []
        scenario: Scenario | None = None
        failure = ""
        for number in range(rounds + 1):
            seeds.append(derive(seed, self._agent.id, want.number, number, "author"))
            try:
                reply = self._client.complete(messages, schema=draft_schema(), seed=seeds[-1])
            except ProviderError as error:
                failure = str(error)
                break
            self._usage = self._usage.plus(reply.usage)
            found = read_draft(reply.raw, want, self._agent, self._template, self._taken)
            if isinstance(found, Scenario):
                scenario = self._taken[found.id] = found
                break
            rejections.append(Rejection(round=number, reasons=tuple(found)))
            faults = "\n".join(f"- {reason}" for reason in found)
            messages += [reply.message, {"role": "user", "content": prompt(REPAIR).fill(faults=faults)}]
        return Slot(
            number=want.number,
            language=want.language,
            difficulty=want.difficulty,
            seeds=tuple(seeds),
            scenario=scenario.id if scenario else None,
            rejections=tuple(rejections),
            failure=failure,
        )

    def _opening(self) -> list[Json]:
        tools = [tool.model_dump(mode="json", exclude_defaults=True) for tool in self._agent.tools]
        words = prompt(SYSTEM).fill(
            agent=f"{self._agent.id} ({self._agent.name}, {self._agent.domain}, {self._agent.direction.value} calls)",
            instructions=self._template,
            tools=json.dumps(tools, ensure_ascii=False, indent=1),
            variables=", ".join(self._agent.variables) or "none",
        )
        return [{"role": "system", "content": words}]

    def _request(self, want: Wanted) -> str:
        return prompt(DRAFT).fill(
            number=str(want.number),
            language=language_and_script(want.language, want.script),
            difficulty=want.difficulty.value,
            taken="; ".join(f"{item.id} ({item.title})" for item in self._taken.values()) or "none",
        )


@cache
def draft_schema() -> dict[str, JsonValue]:
    """JSON Schema of a reply: that of a scenario's file."""
    return Scenario.model_json_schema(by_alias=True)
