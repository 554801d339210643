"""Every sentence the candidate says. Nothing here decides anything."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime

from core.errors import InputError
from core.spoken import Kind, Value, say, say_text
from models.parties.baseline.schema_fields import Slot, second_person
from models.parties.words import humanised

MAX_LISTED = 6
"""Most choices that a question names."""
NEAR_DAYS = 300
"""Days within which a weekday says more than a year."""
ANYTHING_ELSE = "Is there anything else I can help you with?"
WHAT_ELSE = "Of course. What else can I do for you?"
HELLO_AGAIN = "Yes, I'm here."
TAKE_YOUR_TIME = "Of course, take your time."
NOTHING_HEARD = "Sorry, I didn't hear you."
NOT_UNDERSTOOD = "I'm sorry, I didn't catch that."
UNANSWERABLE = "I'm sorry, I don't have that information."
VERIFYING = "First I need to confirm a few details."
NO_LATER = "I'm sorry, I can't accept a later day."
WHICH_PART = "I'm sorry. Which part is wrong?"
GOODBYE = "Thank you for your call. Goodbye."
BARE_GOODBYE = "Goodbye."
CLOSING_FAILED = "I'm sorry, the call did not close. I'll try once more. Goodbye."
STILL_OPEN = "I'm sorry, I could not close the call from my side. You can hang up now. Goodbye."
NO_ANSWER = "The system did not answer."
TRYING_AGAIN = "Thank you. Let me try that again."
WORKING_READ = "One moment while I check that."
WORKING_WRITE = "One moment while I take care of that."
OFFER_HANDOFF = "Would you like me to put you through to a person?"
NO_HELP = "I'm sorry, I can't do that for you on this line."
PREPARED = "Thank you."
FOUND = "Here is what I found."
LIMIT = "I'm sorry, this is taking longer than it should."
WRONG_PERSON = "I'm sorry to have bothered you."
OFFER_CALLBACK = "Would you like us to call you back?"


_PREPOSITIONS = ("for", "to", "in", "of", "on", "at", "with", "by")


def greeting(company: str | None, agent: str | None) -> str:
    """The first words of an agent that is rung."""
    return f"Hello, {_from(company, agent)}How can I help you today?"


def introduction(company: str | None, agent: str | None, callee: str | None) -> str:
    """The first words of an agent that rings."""
    asked = f"Am I speaking with {callee}?" if callee else "Do you have a moment?"
    return f"Hello, {_from(company, agent)}{asked}"


def _from(company: str | None, agent: str | None) -> str:
    if company and agent:
        return f"this is {agent} from {company}. "
    return f"this is {company or agent}. " if company or agent else ""


def who(company: str | None, agent: str | None) -> str:
    """The answer to "who is this?"."""
    told = _from(company, agent).strip() or "this is an automated assistant."
    return told[0].upper() + told[1:]


def listing(items: Sequence[str], joint: str = "or") -> str:
    """ "a", "a or b", "a, b, or c"."""
    if len(items) < 3:
        return f" {joint} ".join(items)
    return f"{', '.join(items[:-1])}, {joint} {items[-1]}"


def question(slot: Slot) -> str:
    """How a slot is asked for."""
    noun = slot.noun
    if slot.kind is Kind.YES_NO:
        return _yes_no_question(slot)
    if slot.kind is Kind.CHOICE:
        options = [humanised(choice) for choice in slot.choices]
        named = f": {listing(options)}" if len(options) <= MAX_LISTED else ""
        return f"What {_be(slot)} {slot.owner} {noun}{named}?"
    if slot.kind is Kind.TEXT:
        asks_already = re.match(r"(what|how|why|where|when|who|which)\b", noun)
        return f"Could you tell me {noun}?" if asks_already else f"Could you tell me {slot.owner} {noun}?"
    return f"What {_be(slot)} {slot.owner} {noun}, please?"


def _yes_no_question(slot: Slot) -> str:
    text = second_person(slot.description or slot.noun).strip().rstrip(".")
    text = text[0].lower() + text[1:] if text else humanised(slot.name)
    if text.startswith("whether "):
        return f"Could you tell me {text}?"
    if re.search(r"\b(is|are|has|have|was|were|wants?|agrees?|accepts?|should|can|needs?)\b", text.split(",")[0]):
        return f"Is it right that {text}?"
    return f"Is there any {text}?"


def again(slot: Slot, heard: str | None) -> str:
    """How a slot is asked for a second time; `heard` is what was read of it but does not fit, such as nine digits of ten."""
    if heard is not None and slot.kind is Kind.CODE:
        return (
            f"I heard {say(heard, Kind.CODE)}, and that does not fit. Could you say {slot.owner} {slot.noun} once more, please?"
        )
    if heard is not None:
        count, length = say(len(heard), Kind.NUMBER), slot.length
        wanted = f"but there should be {say(length, Kind.NUMBER)}" if length is not None else "and they do not fit"
        return f"I heard {count} digits, {wanted}. Could you say {slot.owner} whole {slot.noun} once more, please?"
    if slot.kind is Kind.CHOICE and len(slot.choices) <= MAX_LISTED:
        return f"{NOT_UNDERSTOOD} Is it {listing([humanised(choice) for choice in slot.choices])}?"
    if slot.kind is Kind.YES_NO:
        return f"{NOT_UNDERSTOOD} {question(slot)}"
    return f"{NOT_UNDERSTOOD} Could you say {slot.owner} {slot.noun} once more, please?"


def once_more(slot: Slot) -> str:
    """After a refused call: the value in doubt, spelled where it can be."""
    if slot.kind in (Kind.NAME, Kind.EMAIL):
        return f"Could you spell {slot.owner} {slot.noun} for me, please?"
    return f"Could you tell me {slot.owner} {slot.noun} once more?"


def right_value(slot: Slot) -> str:
    """After a bare no to one value."""
    return f"I'm sorry. What {_be(slot)} the right {slot.noun}?"


def value_words(slot: Slot, value: Value, now: datetime | None) -> str:
    """A slot's value as it is said; names and addresses are spelled, days near enough come with their weekday."""
    try:
        if slot.kind is Kind.CHOICE:
            return humanised(str(value))
        if slot.kind in (Kind.NAME, Kind.EMAIL):
            return f"{say(value, slot.kind)}, spelled {say(value, slot.kind, spell=True)}"
        if slot.kind is Kind.DATE:
            return day(str(value), now)
        return say(value, slot.kind)
    except InputError:
        return str(value)


def day(value: str, now: datetime | None) -> str:
    """A date as it is said: within ten months of today by weekday, month and day, else by month, day and year."""
    spoken = say(value, Kind.DATE)
    when = date.fromisoformat(value)
    if now is None or abs((when - now.date()).days) > NEAR_DAYS:
        return spoken
    return f"{when:%A}, {spoken.split(', ')[0]}"


def read_back(values: Sequence[tuple[Slot, str]], corrected: bool) -> str:
    """Values to be confirmed together, each as it is said."""
    parts = [f"{slot.owner} {slot.noun} {_be(slot)} {said}" for slot, said in values]
    opening = "Thank you. So" if corrected else "Let me read that back:"
    return f"{opening} {listing(parts, 'and')}. Is that right?"


def _be(slot: Slot) -> str:
    return "are" if slot.plural else "is"


def working(changes: bool) -> str:
    """Said while a tool runs."""
    return WORKING_WRITE if changes else WORKING_READ


def outcome(status: str | None, tool: str) -> str:
    """The first sentence of a report, such as "Thank you. The meter reading is accepted"."""
    thing = humanised(tool).partition(" ")[2]
    if status is None or status in ("ok", "success", "successful", "done", "completed", "complete"):
        return "Thank you. That's done."
    if not thing or thing.split()[0] in _PREPOSITIONS:
        return f"Thank you. That is {status}."
    return f"Thank you. The {thing} is {status}."


def retrying(message: str | None, transfer: bool) -> str:
    """A call failed for no fault of the caller and is made again."""
    told = sentence(message) or NO_ANSWER
    if transfer:
        return f"I'm sorry, I could not put you through. {told} Let me try once more to connect you."
    return f"I'm sorry, that did not work. {told} Let me try that again."


def too_late(latest: str, now: datetime | None) -> str:
    """A day is later than allowed."""
    return f"I'm sorry, that day is not possible. The latest possible day is {day(latest, now)}. Would that day work for you?"


def above_limit(slot: Slot, limit: Value) -> str:
    """A value is larger than the tool allows."""
    return f"I'm sorry, I can only do that up to {say(limit, slot.kind)}."


def refused(message: str | None) -> str:
    """A call was refused."""
    return f"I'm sorry, that did not work. {sentence(message)}" if message else "I'm sorry, that did not work."


def not_found(message: str | None) -> str:
    """A lookup found nothing."""
    return f"I'm sorry, I could not find that. {sentence(message)}" if message else "I'm sorry, I could not find that."


def gave_up(message: str | None) -> str:
    """A call failed for good."""
    told = f" {sentence(message)}" if message else ""
    return f"I'm sorry, I was not able to do that.{told}"


def sentence(text: str | None) -> str:
    """A text from a tool as speakable sentences, without what it asks the agent to do."""
    plain = re.sub(r"[*_`#|<>\[\]{}]+", " ", text or "")
    parts = [part for part in re.split(r"(?<=[.!?])\s+", plain) if not re.match(r"(please )?(try|retry|check)\b", part, re.I)]
    plain = re.sub(r"\s+", " ", say_text(" ".join(parts))).strip()
    return plain if not plain or plain[-1] in ".?!" else f"{plain}."


def can_do(tools: Sequence[str]) -> str:
    """What the candidate can do, for a caller it did not understand."""
    deeds = [_deed(tool) for tool in tools[:4]]
    return f"{NOT_UNDERSTOOD} I can {listing(deeds)}. What would you like to do?"


def _deed(tool: str) -> str:
    """A tool's name as something to do: "book an appointment"."""
    verb, _, thing = humanised(tool).partition(" ")
    if not thing or thing.split()[0] in _PREPOSITIONS or re.search(r"[^su]s$", thing):
        return f"{verb} {thing}".strip()
    return f"{verb} {'an' if thing[0] in 'aeiou' else 'a'} {thing}"


def missing_value(slot: Slot) -> str:
    """A required value cannot be had."""
    return f"I'm sorry, I can't go on without {slot.owner} {slot.noun}."


def offers(options: Sequence[str]) -> str:
    """Alternatives to choose from."""
    if len(options) == 1:
        return f"I can offer {options[0]}. Would that work for you?"
    return f"I can offer {listing(options)}. Which one would you like?"


def listed(options: Sequence[str]) -> str:
    """What a lookup listed, where nothing is to be chosen."""
    return f"There is {listing(options, 'and')}."


def connecting(choice: str | None) -> str:
    """Before the caller is passed on."""
    return f"I'm putting you through to {choice} now. Goodbye." if choice else "I'm putting you through now. Goodbye."
