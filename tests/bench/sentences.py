"""Some hundred sentences of English callers, made of carriers and values by a seed: each holds one value that must survive.

Carriers come in two halves, so that what is tuned on one is told on the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.seeds import generator
from core.spoken import Kind, say

Half = Literal["tuned", "held_out"]

# Half, kind, carrier; `{}` is where the value is said.
CARRIERS: tuple[tuple[Half, Kind, str], ...] = (
    ("tuned", Kind.DIGITS, "My account number is {}."),
    ("tuned", Kind.DIGITS, "Sure, the meter shows {} right now."),
    ("tuned", Kind.DIGITS, "You can call me back on {} after lunch."),
    ("tuned", Kind.DIGITS, "It's {}, I read it off the card."),
    ("tuned", Kind.CODE, "The booking code is {}."),
    ("tuned", Kind.CODE, "On the label it says {}, I think."),
    ("tuned", Kind.MONEY, "I was charged {} for something I never ordered."),
    ("tuned", Kind.MONEY, "Could you move {} into my savings, please?"),
    ("tuned", Kind.DATE, "I'd like to come in on {} if that works."),
    ("tuned", Kind.DATE, "The letter is dated {}."),
    ("tuned", Kind.TIME, "Is {} still free?"),
    ("tuned", Kind.TIME, "I told them to be here at {} and nobody came."),
    ("tuned", Kind.NAME, "Hello, this is {}, I'm calling about my order."),
    ("tuned", Kind.NAME, "It should be under the name {}."),
    ("tuned", Kind.EMAIL, "Send it to {} please."),
    ("tuned", Kind.NUMBER, "There were {} boxes and two of them were wet."),
    ("tuned", Kind.TEXT, "No, I never agreed to that, and I want to speak to somebody else."),
    ("tuned", Kind.TEXT, "Could you say that again a little slower, please?"),
    ("tuned", Kind.TEXT, "The heating has been off since the day before yesterday."),
    ("tuned", Kind.TEXT, "Yes, that's right."),
    ("held_out", Kind.DIGITS, "The reference I was given is {}."),
    ("held_out", Kind.DIGITS, "Okay, so my policy number, that's {}."),
    ("held_out", Kind.DIGITS, "My old phone number was {}, can you still see it?"),
    ("held_out", Kind.DIGITS, "The last digits are {}."),
    ("held_out", Kind.CODE, "My confirmation is {}, if that helps."),
    ("held_out", Kind.CODE, "The serial number starts with {}."),
    ("held_out", Kind.MONEY, "They offered me {}, which is not enough."),
    ("held_out", Kind.MONEY, "It says {} at the bottom of the bill."),
    ("held_out", Kind.DATE, "I was born on {}."),
    ("held_out", Kind.DATE, "We moved out on {}, so please stop it then."),
    ("held_out", Kind.TIME, "Anything after {} would suit me."),
    ("held_out", Kind.TIME, "My train leaves at {}."),
    ("held_out", Kind.NAME, "Please put {} down as the second driver."),
    ("held_out", Kind.NAME, "I spoke with {} last week."),
    ("held_out", Kind.EMAIL, "My e-mail is {}."),
    ("held_out", Kind.NUMBER, "We need beds for {} people."),
    ("held_out", Kind.TEXT, "Hold on a second, I have to find my glasses."),
    ("held_out", Kind.TEXT, "I've been waiting for three quarters of an hour and nobody has told me anything."),
    ("held_out", Kind.TEXT, "Thanks for your help, goodbye."),
    ("held_out", Kind.TEXT, "Not really, the light on the front is red and it keeps beeping."),
)
FIRST = ("Robert", "Clara", "Daniel", "Mary", "Peter", "Susan", "Victor", "Helen", "Oscar", "Laura", "Simon", "Grace")
LAST = ("Whitfield", "Benson", "Carter", "Morgan", "Jensen", "Novak", "Turner", "Delgado", "Fisher", "Reyes", "Walsh", "Porter")
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


@dataclass(frozen=True)
class Sentence:
    """One thing a caller says."""

    half: Half
    """Whether it may be tuned on."""
    carrier: int
    """Position in CARRIERS: sentences of one carrier are not independent of each other."""
    number: int
    """Which sentence of its carrier it is, counted from 0."""
    text: str
    """The words."""
    kind: Kind
    """Kind of its value."""
    value: str | float | None
    """The value that must survive; None where there is none."""


def sentences(per_carrier: int, seed: int) -> Iterator[Sentence]:
    """`per_carrier` sentences of every carrier with a value, and each carrier without one once."""
    for place, (half, kind, carrier) in enumerate(CARRIERS):
        rng = generator(seed, "bench-sentences", place)
        for number in range(1 if kind is Kind.TEXT else per_carrier):
            value = None if kind is Kind.TEXT else _value(kind, rng)
            text = carrier if value is None else carrier.format(say(value, kind))
            yield Sentence(half, place, number, text, kind, value)


def _value(kind: Kind, rng: np.random.Generator) -> str | float:
    def pick(items: str | tuple[str, ...], count: int = 1) -> list[str]:
        return [items[int(at)] for at in rng.integers(len(items), size=count)]

    if kind is Kind.DIGITS:
        return "".join(pick("0123456789", int(rng.choice([4, 6, 8, 9, 10]))))
    if kind is Kind.CODE:
        return "".join([*pick(LETTERS, 2), *pick("23456789", 3), *pick(LETTERS)])
    if kind is Kind.MONEY:
        return float(rng.choice([int(rng.integers(5, 900)), round(float(rng.uniform(5, 400)), 2)]))
    if kind is Kind.DATE:
        return f"{rng.integers(1940, 2027)}-{rng.integers(1, 13):02d}-{rng.integers(1, 29):02d}"
    if kind is Kind.TIME:
        return f"{rng.integers(7, 20):02d}:{rng.choice([0, 10, 15, 20, 30, 45]):02d}"
    if kind is Kind.NUMBER:
        return int(rng.integers(3, 1000))
    first, last = *pick(FIRST), *pick(LAST)
    return f"{first} {last}" if kind is Kind.NAME else f"{first}.{last}@example.com".lower()
