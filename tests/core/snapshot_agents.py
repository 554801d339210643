"""Small agents for tests of trees: each does one plain thing, and any of them can be replaced by another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.schemas.casefile import Beat, CaseAbstract, Profile
from core.schemas.snapshots import Participant, PathState
from core.schemas.trees import BuildConfig, Proposal
from core.seeds import generator
from core.snapshots.building.agents import AgentSet, Answer, Moment, Verdict
from core.snapshots.building.library import load_cases
from core.snapshots.building.plot import Plot

LIBRARY = load_cases("en")
PLOT = Plot(LIBRARY.catalogue)
CASE = LIBRARY.abstracts["bank-unusual-payment"]


def config(**changes: object) -> BuildConfig:
    """A build of one tree of one case."""
    return BuildConfig.model_validate(
        {"namespace": "test", "seed": 1, "language": "en", "trees": 1, "abstracts": (CASE.id,), **changes}
    )


def profile_data(abstract: CaseAbstract = CASE) -> dict[str, object]:
    """A profile as a file would hold it."""
    person = Participant(role="somebody", gender="female", age=40)
    return {
        "format": 1,
        "abstract_id": abstract.id,
        "family_id": abstract.family,
        "language": abstract.language,
        "shared": {
            "caller": person.to_json(),
            "receiver": person.to_json(),
            "caller_name": "Vera Lindqvist",
            "receiver_name": "Alan Thackeray",
            "background": "Has an account.",
            "setting": "at home",
            "event": "A payment was stopped.",
            "early_context": "Such calls are made.",
            "entities": {"institution": "Larkfield Bank"},
            "opening": "The caller names the bank.",
        },
        "variable": {
            "objectives": ["settle it"],
            "persuasion": ["authority"],
            "risk_nodes": [
                {"id": name, "topic": name, "escalate": f"{name} is given.", "verify": f"{name} is kept.", "end": "It ends."}
                for name in abstract.risk_nodes
            ],
        },
    }


class PlainProfiler:
    """Always the same profile."""

    def profile(self, abstract: CaseAbstract, seed: int) -> Answer[Profile]:
        return Answer(Profile.model_validate(profile_data(abstract)))


class NamingPlayer:
    """Says which path and act it words, so that every text is its own."""

    def speak(self, moment: Moment, action: str, beat: Beat, seed: int) -> Answer[str]:
        # Actions at risk nodes are written with a space: what is joined by a dot is an address, which no call may say.
        return Answer(f"{beat.act} of {action} after {' and '.join(moment.path) or 'nothing'}.".replace(".", " "))


class SayingPlayer:
    """Says what an action and the number of the attempt are told to make; every attempt is kept as a raw reply."""

    def __init__(self, say: Callable[[str, int], str]) -> None:
        self._say = say
        self.asked = 0

    def speak(self, moment: Moment, action: str, beat: Beat, seed: int) -> Answer[str]:
        self.asked += 1
        text = self._say(action, self.asked)
        return Answer(text, (text,))


class GreedyBrancher:
    """Proposes five random actions at every node, good ones and bad ones."""

    def propose(self, moment: Moment, most: int, seed: int) -> Answer[tuple[Proposal, ...]]:
        draw = generator(seed, "greedy")
        nodes = [node.id for node in moment.profile.variable.risk_nodes] + ["elsewhere"]
        kinds = [*PLOT.kinds.values()]
        found = []
        for _ in range(5):
            kind = kinds[int(draw.integers(len(kinds)))]
            action = f"{kind.id}.{nodes[int(draw.integers(len(nodes)))]}" if kind.at_risk_node else kind.id
            found.append(Proposal(action=action, evidence="It is shown." if draw.random() < 0.8 else ""))
        return Answer(tuple(found))


Table = dict[tuple[str, ...], list[str | Proposal]]
"""Path to what is proposed there."""


class FixedBrancher:
    """Proposes what a table says for a path; nothing where it says nothing."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def propose(self, moment: Moment, most: int, seed: int) -> Answer[tuple[Proposal, ...]]:
        listed = self._table.get(moment.path, [])
        return Answer(tuple(Proposal(action=item, evidence="shown") if isinstance(item, str) else item for item in listed))


class OpenTerminator:
    """Never ends a path but after an ending."""

    def judge(self, moment: Moment, seed: int) -> Answer[Verdict]:
        ended = bool(moment.path) and PLOT.ends(moment.path[-1])
        return Answer(Verdict(not ended, "it was ended" if ended else "it may go on"))


class SettledTerminator:
    """Ends every path that has shown something."""

    def judge(self, moment: Moment, seed: int) -> Answer[Verdict]:
        return Answer(Verdict(moment.state is PathState.AMBIGUOUS, "it is settled"))


class ClosedTerminator:
    """Ends everything at once."""

    def judge(self, moment: Moment, seed: int) -> Answer[Verdict]:
        return Answer(Verdict(False, "nothing may happen"))


class FixedDeliverer:
    """Always the same delivery."""

    def __init__(self, said: str = "neutral") -> None:
        self._said = said
        self.asked = 0

    def deliver(self, moment: Moment, text: str, seed: int) -> Answer[str]:
        self.asked += 1
        return Answer(self._said, (self._said,))


def agents(**changes: object) -> AgentSet:
    """A full set, some of it replaced."""
    plain = AgentSet(
        profiler=PlainProfiler(),
        caller=NamingPlayer(),
        receiver=NamingPlayer(),
        brancher=GreedyBrancher(),
        terminator=OpenTerminator(),
        caller_delivery=FixedDeliverer(),
        receiver_delivery=FixedDeliverer(),
        parties={"caller": "python:test"},
    )
    return replace(plain, **changes)  # type: ignore[arg-type]  # each test names fields of the set
