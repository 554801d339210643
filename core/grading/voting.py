"""One judgement from several, for judges that vote and for people who label the same item.

Whether the item applies is decided first, by majority; a tie means that it does. Among those who say so:

- label: the one most voted for; among several, the lower middle of all label votes (met against not met gives not met);
- rating: the lower middle of all ratings.

So a tie is never in the agent's favour, and every outcome is one that somebody gave.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.schemas.grade import LABEL_VALUE, Judgement

VOTING_VERSION = "votes-1"
"""Version of these rules; part of the record, hence the key, of judges that vote."""


def decide(votes: Sequence[Judgement]) -> Judgement:
    """The judgement of the majority, as the first of those who gave it put it; `votes` holds at least one, all of one item."""
    applying = [vote for vote in votes if not vote.not_applicable]
    agreeing = _agreeing(applying) if 2 * len(applying) >= len(votes) else [vote for vote in votes if vote.not_applicable]
    spoken = agreeing[0]
    if len(votes) == 1:
        return spoken
    return spoken.model_copy(update={"reason": f"{len(agreeing)} of {len(votes)} votes: {spoken.reason}"})


def _agreeing(votes: Sequence[Judgement]) -> list[Judgement]:
    """The votes for the outcome."""
    ordered = sorted(votes, key=_worth)
    middle = ordered[(len(ordered) - 1) // 2]
    if middle.label is None:
        return [vote for vote in votes if vote.rating == middle.rating]
    counts = Counter(vote.label for vote in votes)
    most = [label for label, count in counts.items() if count == max(counts.values())]
    label = most[0] if len(most) == 1 else middle.label
    return [vote for vote in votes if vote.label is label]


def _worth(vote: Judgement) -> float:
    return float(vote.rating or 0) if vote.label is None else LABEL_VALUE[vote.label]
