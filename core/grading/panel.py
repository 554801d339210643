"""Several judges, or several votes of one: each is asked and checked on its own, then the majority decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from core.grading.asking import Answers, add_usage, ask, item_kinds
from core.grading.judges import Judge, Judged, ProgramJudge
from core.grading.views import ConversationView, TaskView
from core.grading.voting import VOTING_VERSION, decide
from core.metered import Metered, Told, check, usage_of
from core.schemas.base import content_hash
from core.schemas.call_trace import PartyRecord
from core.schemas.checks import Check
from core.schemas.grade import Judgement, JudgeReply, Vote
from core.schemas.usage import Usage
from core.seeds import derive


class Panel:
    """Implements `Judge` by a vote of its members; one named several times has several votes, each with a seed of its own.

    Fewer than half of the votes leave an item unjudged.
    """

    def __init__(self, members: Sequence[Judge]) -> None:
        self.members = tuple(members)

    def with_checks(self, checks: Mapping[str, Check]) -> Panel:
        """The panel of one call: members that are programs are handed the checks, the others see none."""
        return Panel([member.with_checks(checks) if isinstance(member, ProgramJudge) else member for member in self.members])

    def record(self) -> PartyRecord:
        """All members with their settings, and the rule by which they vote."""
        records = [member.record() for member in self.members]
        members: list[JsonValue] = [record.to_json() for record in records]
        counted = {record.party: sum(other.party == record.party for other in records) for record in records}
        named = " + ".join(party if count == 1 else f"{count} x {party}" for party, count in counted.items())
        return PartyRecord(party=named, settings={"voting": VOTING_VERSION, "members": members})

    def check(self) -> None:
        """Check every member that can be checked; raises OperatorError or ProviderError."""
        for member in self._different():
            check(member)

    def usage(self) -> Usage:
        """What the members used."""
        total = Usage()
        for member in self._different():
            total = total.plus(usage_of(member))
        return total

    def tell(self, told: Told) -> None:
        """Tell of what any member uses from now on."""
        for member in self._different():
            if isinstance(member, Metered):
                member.tell(told)

    def judge_task(self, view: TaskView, seed: int) -> Judged:
        """The majority's labels."""
        return self._vote(view, [ask(member.judge_task, view, its) for member, its in self._seated(seed)])

    def judge_conversation(self, view: ConversationView, seed: int) -> Judged:
        """The majority's ratings and labels."""
        return self._vote(view, [ask(member.judge_conversation, view, its) for member, its in self._seated(seed)])

    def _different(self) -> list[Judge]:
        return list({id(member): member for member in self.members}.values())

    def _seated(self, seed: int) -> list[tuple[Judge, int]]:
        """The members with their seeds: a judge's first vote has the seed it would have alone."""
        before: Counter[str] = Counter()
        seated = []
        for member in self.members:
            key = content_hash(member.record().to_json())
            seated.append((member, derive(seed, "vote", before[key]) if before[key] else seed))
            before[key] += 1
        return seated

    def _vote(self, view: TaskView | ConversationView, answers: Sequence[Answers]) -> Judged:
        judgements: list[Judgement] = []
        settled: dict[str, str] = {}
        votes: list[Vote] = []
        replies: list[JudgeReply] = []
        usage: Usage | None = None
        parties = [member.record().party for member in self.members]
        for number, answer in enumerate(answers):
            replies += [reply.model_copy(update={"vote": number}) for reply in answer.replies]
            usage = add_usage(usage, answer.usage)
        for name in item_kinds(view):
            given = [answer.valid[name] for answer in answers if name in answer.valid]
            if given and 2 * len(given) >= len(answers):
                judgements.append(decide(given))
            elif given or any(name in answer.unjudged for answer in answers):
                settled[name] = f"{len(given)} of {len(answers)} votes, less than half: {_first_fault(name, answers)}"
            votes += [
                Vote(
                    vote=number,
                    party=parties[number],
                    item=name,
                    judgement=answer.valid.get(name),
                    fault=answer.unjudged.get(name),
                )
                for number, answer in enumerate(answers)
            ]
        return Judged(tuple(judgements), settled=settled, replies=tuple(replies), votes=tuple(votes), usage=usage)


def _first_fault(name: str, answers: Sequence[Answers]) -> str:
    return next((answer.unjudged[name] for answer in answers if name in answer.unjudged), "the others gave no judgement")
