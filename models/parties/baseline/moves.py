"""What the candidate can do next: ask, read back, call, propose, fall back, hand over, take leave."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from core.candidate import AgentTurn
from core.schemas.call_trace import ToolCall
from core.spoken import Kind, Value
from models.parties.baseline import closing, offers, wording
from models.parties.baseline.hearing import Utterance, values_in
from models.parties.baseline.memory import Known, Source
from models.parties.baseline.offers import Offer, Option
from models.parties.baseline.planning import Role
from models.parties.baseline.schema_fields import IDENTIFYING, Slot
from models.parties.baseline.state import Expect, State
from models.parties.words import humanised, overlap, stem, stems

MAX_ROUNDS = 2
"""Read-backs per value."""
BATCH = 3
"""Values in one read-back."""
PARTICULAR = frozenset({Kind.DATE, Kind.TIME, Kind.MONEY, Kind.NUMBER, Kind.CHOICE})
"""Kinds that say what, when and how much."""


class Moves:
    """Moves on one call's state; every one of them ends in a turn of the agent."""

    def __init__(self, state: State) -> None:
        self._state = state

    def say(self, speech: str, expect: Expect | None = None) -> AgentTurn:
        """Say something and expect an answer."""
        self._state.last = speech.strip()
        if expect is not None:
            self._state.expect = expect
        return AgentTurn(speech=speech.strip())

    def call(self, tool: str, arguments: Mapping[str, JsonValue], speech: str) -> AgentTurn:
        """Call a tool, never in silence."""
        self._state.attempts[tool] += 1
        self._state.last = speech.strip()
        return AgentTurn(speech=speech.strip(), calls=(ToolCall(id="call", tool=tool, arguments=dict(arguments)),))

    # -- towards a goal -----------------------------------------------------------------------------------------------

    def pursue(self, tool: str, heard: Utterance, prefix: str = "") -> AgentTurn:
        """Take up a goal, with every value that the request already carries."""
        state = self._state
        if state.toolbox.roles[tool] is Role.HANDOFF:
            return self.rescue(heard)
        if tool in state.succeeded:
            state.succeeded.discard(tool)
            state.memory.forget_particulars(state.toolbox.slots[tool])
        state.goal, state.request, state.misses = tool, heard.text, 0
        state.attempts.clear()
        state.asks.clear()
        state.doubted.clear()
        self.take(values_in(heard.text, state.open_slots(), None, state.brief.now))
        return self.advance(prefix)

    def take(self, values: Mapping[str, Value]) -> None:
        """Keep values heard, by slot name."""
        slots = {slot.name: slot for slot in self._state.open_slots()}
        for name, value in values.items():
            self._state.memory.hear(slots[name], value)

    def advance(self, prefix: str = "") -> AgentTurn:
        """The next move towards the goal: ask for a value, read values back, or call."""
        state = self._state
        if state.goal is None:
            return self.say(f"{prefix} {wording.ANYTHING_ELSE}", Expect.MORE)
        step = state.toolbox.next_step(state.goal, state.memory, state.succeeded)
        over = self._over_limit(step.tool)
        if over is not None:
            return self._refuse(*over, prefix)
        if step.missing is not None:
            return self.ask(step.missing, f"{prefix} {self._explanation(step.tool)}".strip())
        doubtful = self._to_confirm(step.tool)
        if doubtful:
            return self._read_back(doubtful, prefix)
        arguments = self.arguments(step.tool)
        doubted = self.doubtful(step.tool) if state.refused.get(step.tool) == arguments else None
        if doubted is not None:
            return self.doubt(doubted, prefix or wording.PREPARED)
        changes = state.toolbox.roles[step.tool] is not Role.READ
        return self.call(step.tool, arguments, f"{prefix} {wording.working(changes)}")

    def _explanation(self, tool: str) -> str:
        """Why details are asked for before anything else, said once."""
        state = self._state
        verifies = stem("verify") in stems(f"{humanised(tool)} {state.toolbox.tools[tool].description}")
        if not verifies or tool == state.goal or wording.VERIFYING in state.told:
            return ""
        state.told.add(wording.VERIFYING)
        return wording.VERIFYING

    def ask(self, slot: Slot, prefix: str = "") -> AgentTurn:
        """Ask for one value."""
        self._state.slot = slot
        return self.say(f"{prefix} {wording.question(slot)}", Expect.VALUE)

    def doubtful(self, tool: str, message: str = "") -> Slot | None:
        """The heard value of a refused call most likely to be wrong, each only once.

        That is one the caller never agreed to, else one the refusal names, else one that says who or which.
        """
        state = self._state
        heard: list[tuple[Slot, Known]] = []
        for slot in state.toolbox.slots[tool]:
            known = state.memory.get(slot)
            if (
                known is not None
                and known.source is Source.HEARD
                and slot.kind is not Kind.YES_NO
                and slot.name not in state.doubted
            ):
                heard.append((slot, known))

        def doubt(item: tuple[Slot, Known]) -> tuple[bool, int, bool, bool]:
            slot, known = item
            return not known.confirmed, overlap(slot.noun, message), slot.kind in IDENTIFYING, slot.critical

        return max(heard, key=doubt)[0] if heard else None

    def doubt(self, slot: Slot, prefix: str) -> AgentTurn:
        """Ask again for a value that may be wrong."""
        self._state.doubted.add(slot.name)
        self._state.slot = slot
        return self.say(f"{prefix} {wording.once_more(slot)}", Expect.VALUE)

    def _read_back(self, slots: tuple[Slot, ...], prefix: str) -> AgentTurn:
        state = self._state
        state.batch = slots
        corrected, state.corrected = state.corrected, False
        said = []
        for slot in slots:
            known = state.memory.get(slot)
            if known is not None:
                said.append((slot, known.spoken or wording.value_words(slot, known.value, state.brief.now)))
        return self.say(f"{prefix} {wording.read_back(said, corrected)}", Expect.CONFIRMATION)

    def _over_limit(self, tool: str) -> tuple[Slot, Value, Known] | None:
        """A value beyond what words allow, with the limit."""
        for slot in self._state.toolbox.slots[tool]:
            known = self._state.memory.get(slot)
            limit = self._state.limits.get((tool, slot.name))
            if known is not None and limit is not None and _beyond(known.value, limit):
                return slot, limit, known
        return None

    def _refuse(self, slot: Slot, limit: Value, known: Known, prefix: str) -> AgentTurn:
        """Make sure of an amount that is too large, then say so; for a day that is too late, offer the last one."""
        if slot.kind is Kind.DATE:
            self._state.memory.forget(slot)
            self._state.offer = Offer(({slot.name: limit},), refusal=wording.NO_LATER)
            return self.say(f"{prefix} {wording.too_late(str(limit), self._state.brief.now)}", Expect.PICK)
        if known.confirmed or known.rounds >= MAX_ROUNDS:
            return self.fall_back(wording.above_limit(slot, limit))
        known.rounds += 1
        return self._read_back((slot,), prefix)

    def _to_confirm(self, tool: str) -> tuple[Slot, ...]:
        """The next slots to read back, their rounds counted; a value out of rounds stands as it is.

        Before a tool that changes something, what was agreed or chosen already is said once more beside what is new, so that
        the caller hears the whole of it: what, when and how much, but not who.
        """
        state = self._state
        doubtful: list[Slot] = []
        agreed: list[Slot] = []
        for slot in state.toolbox.slots[tool]:
            known = state.memory.get(slot)
            if known is None or not (slot.required or known.source is Source.HEARD):
                continue
            open_to_doubt = not known.confirmed and slot.critical and known.rounds < MAX_ROUNDS
            if open_to_doubt and len(doubtful) < BATCH:
                known.rounds += 1
                doubtful.append(slot)
            elif slot.kind in PARTICULAR and not open_to_doubt:
                agreed.append(slot)
        if not doubtful or state.toolbox.roles[tool] is Role.READ:
            return tuple(doubtful)
        together = [*doubtful, *agreed[: max(0, BATCH - len(doubtful))]]
        return tuple(slot for slot in state.toolbox.slots[tool] if slot in together)

    def arguments(self, tool: str) -> dict[str, JsonValue]:
        """Values for every required slot, and for optional ones that the caller gave."""
        found: dict[str, JsonValue] = {}
        for slot in self._state.toolbox.slots[tool]:
            known = self._state.memory.get(slot)
            if known is not None and (slot.required or known.source is Source.HEARD):
                found[slot.name] = slot.argument(known.value)
        return found

    # -- alternatives -------------------------------------------------------------------------------------------------

    def useful(self, offer: Offer | None) -> bool:
        """Whether picking an alternative gives a slot of the goal its value."""
        return offer is not None and bool(offers.fillings(offer.options[0], self._state.open_slots()))

    def propose(self, offer: Offer, prefix: str = "") -> AgentTurn:
        """Let the caller choose; what it asked for already is taken without asking if it is among the alternatives."""
        state = self._state
        slots = state.open_slots()
        wished = {slot.name: known.value for slot in slots if (known := state.memory.get(slot)) is not None}
        option = offers.agreeing(offer.options, slots, wished)
        if option is not None:
            return self.take_option(option, prefix)
        state.offer = offer
        return self.say(f"{prefix} {wording.offers([offers.option_words(o) for o in offer.said])}", Expect.PICK)

    def take_option(self, option: Option, prefix: str = "") -> AgentTurn:
        """Fill slots from the alternative that was chosen."""
        state = self._state
        state.memory.learn(option)
        slots = {slot.name: slot for slot in state.open_slots()}
        for name, value in offers.fillings(option, tuple(slots.values())).items():
            state.memory.choose(slots[name], value, offers.option_words(option))
        return self.advance(prefix)

    # -- falling back -------------------------------------------------------------------------------------------------

    def fall_back(self, reason: str, status: str | None = None) -> AgentTurn:
        """The goal cannot be reached: offer a person or a call back, where a tool can arrange it."""
        state = self._state
        failed, state.goal = state.goal, None
        if failed is not None:
            state.deeds.append(closing.Deed(failed, False, status))
        rescue = self._rescue()
        if rescue is None or failed in (rescue, *state.toolbox.of_role(Role.HANDOFF)):
            return self.say(f"{reason} {wording.ANYTHING_ELSE}", Expect.MORE)
        offered = wording.OFFER_HANDOFF if state.toolbox.roles[rescue] is Role.HANDOFF else wording.OFFER_CALLBACK
        return self.say(f"{reason} {offered}", Expect.RESCUE)

    def _rescue(self) -> str | None:
        """A transfer whose destination can be told without asking, else a call back."""
        toolbox = self._state.toolbox
        transfers = [name for name in toolbox.of_role(Role.HANDOFF) if self._knows_where(name)]
        names = (*transfers, *toolbox.of_role(Role.CALLBACK))
        return names[0] if names else None

    def _knows_where(self, transfer: str) -> bool:
        known = self.hand_off_arguments(transfer)
        return all(slot.name in known or slot.kind is not Kind.CHOICE for slot in self._state.toolbox.required(transfer))

    def rescue(self, heard: Utterance) -> AgentTurn:
        """Hand over, or arrange the call back."""
        state = self._state
        callbacks = state.toolbox.of_role(Role.CALLBACK)
        if state.toolbox.of_role(Role.HANDOFF):
            state.request = f"{state.request} {heard.text}".strip()
            return self.hand_off()
        return self.pursue(callbacks[0], heard) if callbacks else self.advance(wording.NO_HELP)

    def hand_off(self) -> AgentTurn:
        """Pass the caller on; what a transfer needs to know is taken from the request, what it still lacks is asked for."""
        state = self._state
        names = state.toolbox.of_role(Role.HANDOFF)
        tool = state.toolbox.choose(state.request, names) or names[0]
        arguments = self.hand_off_arguments(tool)
        state.goal = tool
        missing = [slot for slot in state.toolbox.required(tool) if slot.name not in arguments]
        if missing:
            return self.ask(missing[0])
        return self.call(tool, arguments, wording.connecting(self._destination(tool, arguments)))

    def _destination(self, tool: str, arguments: Mapping[str, JsonValue]) -> str | None:
        """Where a transfer goes: "the claims department"."""
        for slot in self._state.toolbox.slots[tool]:
            if slot.kind is Kind.CHOICE and slot.name in arguments:
                return f"the {humanised(str(arguments[slot.name]))} {humanised(slot.name)}"
        return None

    def hand_off_arguments(self, tool: str) -> dict[str, JsonValue]:
        """Arguments of a transfer: what is known, and what the request tells."""
        state = self._state
        arguments = self.arguments(tool)
        about = " ".join([state.request, *(deed.tool for deed in state.deeds)])
        for slot in state.toolbox.required(tool):
            value = closing.inferred(slot, about, state.request)
            if value is None and slot.kind is Kind.CHOICE and state.deeds:
                value = state.toolbox.destination(slot.choices, state.deeds[-1].tool)
            if value is not None and slot.name not in arguments:
                arguments[slot.name] = slot.argument(value)
        return arguments

    # -- leaving ------------------------------------------------------------------------------------------------------

    def close(self, prefix: str = "") -> AgentTurn:
        """Say goodbye and hang up."""
        state = self._state
        if state.goal is not None:
            state.deeds.append(closing.Deed(state.goal, False, None))
            state.goal = None
        state.expect = Expect.CLOSED
        speech = f"{prefix} {wording.GOODBYE}"
        ends = state.toolbox.of_role(Role.END)
        return self.call(ends[0], self.closing_arguments(ends[0]), speech) if ends else self.say(speech)

    def closing_arguments(self, tool: str) -> dict[str, JsonValue]:
        """What the call-ending tool is told."""
        state = self._state
        return closing.arguments(state.toolbox.slots[tool], state.deeds, state.memory)


def _beyond(value: Value, limit: Value) -> bool:
    """Whether an amount is larger, or a day later, than allowed; ISO days compare as text."""
    return str(value) > limit if isinstance(limit, str) else float(value) > float(limit)
