"""B and Gamma as chat models: what may happen next, from the actions that are possible, and whether a call goes on."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import JsonValue, TypeAdapter, ValidationError

from core.replies import json_object, without_thoughts
from core.schemas.casefile import RiskNode
from core.schemas.snapshots import PathState
from core.schemas.trees import Proposal
from core.seeds import generator
from core.snapshots.building.agents import Answer, Moment, Verdict
from core.snapshots.building.library import CaseLibrary
from core.snapshots.building.plot import Plot
from core.snapshots.building.safety import unsafe
from models.chat.client import ChatClient
from models.snapshots.chat_asking import Asker, an_object, one_of, shown_moment

_LONGEST = 300
"""Characters of anything that a model says of an action; what is longer is cut."""
_SHOWS = {PathState.AMBIGUOUS: "shows nothing", PathState.FRAUD: "shows fraud", PathState.NONFRAUD: "shows a lawful call"}
_SWITCH = TypeAdapter(bool)


class ChatBrancher:
    """Proposes actions out of those that are possible at a point."""

    def __init__(self, client: ChatClient, plot: Plot, name: str) -> None:
        self._asker = Asker(client, name)
        self._plot = plot

    def propose(self, moment: Moment, most: int, seed: int) -> Answer[tuple[Proposal, ...]]:
        """What the model proposes, possible or not: rho decides. Raises OperatorError or ProviderError."""
        possible = possible_actions(moment, self._plot)
        order = generator(seed, "order").permutation(len(possible))
        actions = [possible[place] for place in order]
        text: JsonValue = {"type": "string"}
        proposal = an_object({"action": one_of(actions), "meaning": text, "evidence": text})
        schema = an_object({"actions": {"type": "array", "items": proposal, "minItems": 1, "maxItems": most}})
        values = {
            **shown_moment(moment),
            "kinds": "\n".join(self._kind(name) for name in self._plot.kinds),
            "topics": "\n".join(_topic(node) for node in moment.profile.variable.risk_nodes),
            "actions": ", ".join(actions),
            "most": str(most) if most == 1 else f"2 to {most}",
        }
        last: list[tuple[Proposal, ...]] = []

        def read(raw: str) -> tuple[Proposal, ...]:
            found = proposals_in(raw)
            last.append(found)
            if not any(proposal.action in possible for proposal in found):
                raise ValueError(f"{found[0].action[:80]!r} is none of the actions to choose from")
            return found

        told = self._asker.read(values, seed, schema, read)
        if told.value is not None:
            return Answer(told.value, told.replies)
        if last:
            return Answer(last[-1], told.replies)  # rho says of each what is wrong with it
        return Answer((), told.replies, told.refusal)

    def _kind(self, name: str) -> str:
        kind = self._plot.kinds[name]
        where = ", at a topic" if kind.at_risk_node else ""
        ends = ", ends the call" if self._plot.ends(name) else ""
        return f"- {name} ({_SHOWS[self._plot.shows(name)]}{where}{ends}): {kind.meaning}"


class ChatTerminator:
    """Says whether a path goes on; where its action has ended the call or no other may follow, there is nothing to ask."""

    def __init__(self, client: ChatClient, library: CaseLibrary, name: str) -> None:
        self._asker = Asker(client, name)
        self._plot = Plot(library.catalogue)
        self._denied = library.denied

    def judge(self, moment: Moment, seed: int) -> Answer[Verdict]:
        """Whether the path may be expanded; raises OperatorError or ProviderError."""
        if moment.path and self._plot.ends(moment.path[-1]):
            return Answer(Verdict(False, self._plot.kind(moment.path[-1]).meaning))
        if moment.levels_left == 0:
            return Answer(Verdict(True, "No other action may follow."))
        schema = an_object({"open": {"type": "boolean"}, "reason": {"type": "string"}})
        told = self._asker.read(shown_moment(moment), seed, schema, self._verdict)
        return Answer(told.value or Verdict(False, ""), told.replies, told.refusal)

    def _verdict(self, raw: str) -> Verdict:
        """The verdict of a reply, whose reason is kept with the call and may say no more than the call; raises ValueError."""
        found = verdict_in(raw)
        if says := unsafe(found.reason, self._denied):
            raise ValueError(f'"reason" says {says[1]!r} ({says[0]})')
        return found


def possible_actions(moment: Moment, plot: Plot) -> tuple[str, ...]:
    """The actions that rho would keep at a point: none that happened, none that denies what was shown.

    Where only one may follow and nothing was shown, those that show nothing are left out: they would lead to no call.
    """
    nodes = [node.id for node in moment.profile.variable.risk_nodes]
    found = []
    for kind in plot.kinds.values():
        shown = plot.shows(kind.id)
        settled = moment.state is not PathState.AMBIGUOUS
        if settled and shown not in (PathState.AMBIGUOUS, moment.state):
            continue
        if not settled and moment.levels_left == 1 and shown is PathState.AMBIGUOUS:
            continue
        found += [f"{kind.id}.{node}" for node in nodes] if kind.at_risk_node else [kind.id]
    return tuple(action for action in found if action not in moment.path)


def proposals_in(raw: str) -> tuple[Proposal, ...]:
    """The proposals of a reply: a list under any one name in an object, a bare list, or one proposal by itself.

    Raises:
        ValueError: nothing of that kind can be read.
    """
    items = _items(raw)
    if not items:
        raise ValueError("no action is proposed")
    return tuple(_proposal(item) for item in items)


def verdict_in(raw: str) -> Verdict:
    """Whether a call goes on and why; `"false"` and `"no"` are false. Raises ValueError."""
    found = json_object(raw)
    try:
        goes_on = _SWITCH.validate_python(found.get("open"))
    except ValidationError:
        raise ValueError(f'"open" is {str(found.get("open"))[:40]!r}, neither true nor false') from None
    reason = found.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise ValueError('no "reason" is given')
    return Verdict(goes_on, reason.strip()[:_LONGEST])


def _items(raw: str) -> Sequence[JsonValue]:
    bare = _bare_list(raw)
    if bare is not None:
        return bare
    found = json_object(raw)
    if "action" in found:
        return [found]
    lists = [value for value in found.values() if isinstance(value, list)]
    if len(lists) != 1:
        raise ValueError('no list under "actions"')
    return lists[0]


def _bare_list(raw: str) -> list[JsonValue] | None:
    """A list that stands before any object; None where there is none."""
    text = without_thoughts(raw)
    start = text.find("[")
    if start < 0 or "{" in text[:start]:
        return None
    try:
        found, _ = json.JSONDecoder().raw_decode(text[start:])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def _proposal(item: JsonValue) -> Proposal:
    if isinstance(item, str):
        return Proposal(action=item.strip()[:_LONGEST])
    if not isinstance(item, dict) or not isinstance(item.get("action"), str):
        raise ValueError(f'{str(item)[:80]!r} is no object with an "action"')
    said = {name: item.get(name) for name in ("action", "meaning", "evidence")}
    return Proposal.model_validate({name: value.strip()[:_LONGEST] for name, value in said.items() if isinstance(value, str)})


def _topic(node: RiskNode) -> str:
    return f"- {node.id}: {node.topic}. Harmful course: {node.escalate} Safe course: {node.verify}"
