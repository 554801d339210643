"""The offline agents that build calls: the same six roles as chat agents, from wordings that ship, without any network.

Nothing here reads a label. Which half of a pair is quoted, supposed or taken back depends on how many of each half a path
carries so far, never on what the path has shown; endings, replies and frames come from one list for both labels.
"""

from __future__ import annotations

from core.schemas.casefile import CaseAbstract, Cast, Profile, RiskNode, SharedContext, Variable
from core.schemas.snapshots import Delivery, Participant
from core.seeds import generator
from core.snapshots.building.agents import AgentSet, Answer, Moment, Verdict
from core.snapshots.building.library import CaseLibrary
from core.snapshots.building.plot import Plot
from models.snapshots.offline_plots import OfflineBrancher
from models.snapshots.offline_words import OfflinePlayer

PARTY = "offline:snapshots-1"
"""Name and version of these agents; any change of what they say or choose goes up in it."""
_STOPPING = 0.12
"""Share of labelled paths that end before the greatest depth without an ending of their own."""


def offline_agents(library: CaseLibrary) -> AgentSet:
    """All agents for one language."""
    plot = Plot(library.catalogue)
    roles = ("profiler", "caller", "receiver", "brancher", "terminator", "caller_delivery", "receiver_delivery")
    return AgentSet(
        profiler=OfflineProfiler(library),
        caller=OfflinePlayer(library),
        receiver=OfflinePlayer(library),
        brancher=OfflineBrancher(plot),
        terminator=OfflineTerminator(plot),
        caller_delivery=OfflineDeliverer(),
        receiver_delivery=OfflineDeliverer(),
        parties=dict.fromkeys(roles, PARTY),
        settings={"wordings": library.sha256},
    )


class OfflineProfiler:
    """Settles one person, place and thing of each kind from the fields of a case."""

    def __init__(self, library: CaseLibrary) -> None:
        self._library = library

    def profile(self, abstract: CaseAbstract, seed: int) -> Answer[Profile]:
        """The profile of a case."""
        draw = generator(seed, "profile")

        def one(options: tuple[str, ...]) -> str:
            return options[int(draw.integers(len(options)))]

        def person(cast: Cast) -> Participant:
            gender = cast.genders[int(draw.integers(len(cast.genders)))]
            age = int(draw.integers(cast.youngest, cast.oldest + 1))
            return Participant(role=cast.role, gender=gender, age=age, tones=cast.tones)

        caller, receiver = person(abstract.caller), person(abstract.receiver)
        names = self._library.manner.names
        caller_name = one(names[caller.gender])
        receiver_name = one(tuple(name for name in names[receiver.gender] if name != caller_name))
        topics = self._library.families[abstract.family].topics
        nodes = tuple(
            RiskNode(id=name, topic=words.topic, escalate=words.escalate, verify=words.verify, end=words.end)
            for name, words in topics.items()
            if name in abstract.risk_nodes
        )
        shared = SharedContext(
            caller=caller,
            receiver=receiver,
            caller_name=caller_name,
            receiver_name=receiver_name,
            background=abstract.receiver.background,
            setting=one(abstract.settings),
            event=abstract.event,
            early_context=abstract.early_context,
            entities={slot: one(values) for slot, values in sorted(abstract.entities.items())},
            opening=abstract.opening,
        )
        variable = Variable(objectives=abstract.objectives, persuasion=abstract.persuasion, risk_nodes=nodes)
        profile = Profile(
            abstract_id=abstract.id, family_id=abstract.family, language=abstract.language, shared=shared, variable=variable
        )
        return Answer(profile)


class OfflineTerminator:
    """Gamma: a path goes on until its action ended the call; some labelled paths end a little early."""

    def __init__(self, plot: Plot) -> None:
        self._plot = plot

    def judge(self, moment: Moment, seed: int) -> Answer[Verdict]:
        """Whether the path may be expanded."""
        if moment.path and self._plot.ends(moment.path[-1]):
            kind = self._plot.kind(moment.path[-1])
            return Answer(Verdict(False, kind.meaning))
        if moment.state.label is not None and generator(seed, "stop").random() < _STOPPING:
            return Answer(Verdict(False, "Enough was said, and the call ends naturally."))
        return Answer(Verdict(True, "Something may still happen."))


class OfflineDeliverer:
    """E_c or E_r: draws a delivery from the seed alone, which is the same for all siblings at the same turn."""

    def deliver(self, moment: Moment, text: str, seed: int) -> Answer[str]:
        """A delivery."""
        known = tuple(Delivery)
        return Answer(known[int(generator(seed, "delivery").integers(len(known)))].value)
