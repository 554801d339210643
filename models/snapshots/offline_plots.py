"""B offline: what may happen next on a path, in mirrored pairs, and words of risk that even out what was said before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.schemas.casefile import Content
from core.schemas.snapshots import PathState, Side
from core.schemas.trees import Proposal
from core.seeds import generator
from core.snapshots.building.agents import Answer, Moment
from core.snapshots.building.plot import Plot

_PARTING = {4: 0.4, 3: 0.75, 2: 1.0, 1: 1.0}
"""Chance that fraud and lawful actions stand side by side at an ambiguous node, by actions that may still follow."""
_MODES = (("demand", "advise"), ("block-check", "decline-offer"), ("take-offer", "allow-check"))
"""Mirrored kinds of evidence: unasked, against what the receiver proposed, in agreement with it."""
_EARLY, _LAST = (0.44, 0.33, 0.23), (0.25, 0.46, 0.29)
"""Shares of the modes where words of risk may still follow, and where they cannot."""
_EVENING = 0.65
"""How often a word of risk carries the half that its speaker said less often so far; else either."""
_CUES = {Side.CALLER: ("cite", "float"), Side.RECEIVER: ("recall", "suppose")}
_CALLER = 0.6
"""Share of the caller's among words of risk."""
_ENDINGS = ("break-off", "complete")
_EXPLAINING = 0.12
"""Share of context among actions that show nothing."""
_LOSING = 0.06
"""Share of ambiguous nodes at which the call may end without having shown anything."""


class OfflineBrancher:
    """Proposes actions from the path alone."""

    def __init__(self, plot: Plot) -> None:
        self._plot = plot

    def propose(self, moment: Moment, most: int, seed: int) -> Answer[tuple[Proposal, ...]]:
        """At most `most` actions."""
        draw = generator(seed, "plot")
        options = self._ambiguous if moment.state is PathState.AMBIGUOUS else self._settled
        chosen = options(moment, draw)[:most]
        order = draw.permutation(len(chosen))
        return Answer(tuple(self._proposal(moment, chosen[place]) for place in order))

    def _ambiguous(self, moment: Moment, draw: np.random.Generator) -> list[str]:
        """The most needed first: a mirrored pair, then what leaves the path ambiguous."""
        actions: list[str] = []
        if draw.random() < _PARTING.get(moment.levels_left, _PARTING[4]):
            modes = _LAST if moment.levels_left == 1 else _EARLY
            node = self._node(moment, draw)
            actions += [f"{kind}.{node}" for kind in _MODES[int(draw.choice(len(_MODES), p=modes))]]
        if moment.levels_left > 1 or draw.random() < _LOSING:
            ending = draw.random() < _LOSING or moment.levels_left == 1
            actions.append(_ENDINGS[int(draw.integers(2))] if ending else self._cue(moment, draw, actions))
        while len(actions) < 3 and moment.levels_left > 1:
            actions.append(self._cue(moment, draw, actions))
        return actions

    def _settled(self, moment: Moment, draw: np.random.Generator) -> list[str]:
        """What may follow when the path has shown its label: more of it, words of risk, an ending."""
        which = 0 if moment.state is PathState.FRAUD else 1
        modes = _LAST if moment.levels_left == 1 else _EARLY
        more = f"{_MODES[int(draw.choice(len(_MODES), p=modes))][which]}.{self._node(moment, draw)}"
        options = [self._cue(moment, draw, []), more, _ENDINGS[int(draw.integers(2))]]
        first = int(draw.choice(3, p=(0.5, 0.25, 0.25)))
        second = (first + 1 + int(draw.integers(2))) % 3
        return [options[first], options[second]]

    def _cue(self, moment: Moment, draw: np.random.Generator, beside: Sequence[str]) -> str:
        """Words of risk, or context, that do not stand beside each other already."""
        while True:
            if draw.random() < _EXPLAINING:
                action = "explain"
            else:
                side = Side.CALLER if draw.random() < _CALLER else Side.RECEIVER
                tally = self._tally(moment.path, side)
                evening = tally != 0 and draw.random() < _EVENING
                safe = tally > 0 if evening else bool(draw.integers(2))
                nodes = [node.id for node in moment.profile.variable.risk_nodes]
                half = Content.SAFE if safe else Content.HARM
                action = f"{_CUES[side][int(draw.integers(2))]}-{half.value}.{nodes[int(draw.integers(len(nodes)))]}"
            if action not in beside and (action == "explain" or action not in moment.path):
                return action

    def _tally(self, path: Sequence[str], side: Side) -> int:
        """Harmful halves less safe ones that one side said on a path."""
        halves = [half for action in path for half in self._plot.contents(action, side)]
        return halves.count(Content.HARM) - halves.count(Content.SAFE)

    def _node(self, moment: Moment, draw: np.random.Generator) -> str:
        """A risk node at which nothing was shown on the path yet, if there is one left."""
        used = {self._plot.risk_node(action) for action in moment.path if self._plot.shows(action) is not PathState.AMBIGUOUS}
        nodes = [node.id for node in moment.profile.variable.risk_nodes]
        pool = [node for node in nodes if node not in used] or nodes
        return pool[int(draw.integers(len(pool)))]

    def _proposal(self, moment: Moment, action: str) -> Proposal:
        kind = self._plot.kind(action)
        node = next((known for known in moment.profile.variable.risk_nodes if known.id == self._plot.risk_node(action)), None)
        shown = self._plot.shows(action)
        evidence = ""
        if node is not None and shown is not PathState.AMBIGUOUS:
            evidence = node.escalate if shown is PathState.FRAUD else node.verify
        return Proposal(action=action, meaning=kind.meaning, evidence=evidence)
