"""Channel recovery: damaged words and split turns were read right, or asked about, before anything was done with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pydantic import JsonValue

from core.grading.measured.english import ASKS_AGAIN, FILLER
from core.grading.measured.turns import HeardTurn, caller_turns, reply_after
from core.grading.views import ConversationView
from core.hearing import alignment
from core.jsonvalues import leaves
from core.schemas.base import Diagnostic
from core.schemas.call_trace import Role
from core.schemas.grade import Judgement
from core.text import normalise

LONG = 4
"""Characters from which a value is looked for inside an argument; a shorter one must be the whole argument."""

_NUMERIC = frozenset({"point"})


@dataclass(frozen=True)
class Damage:
    """One place where something else arrived than was said; normalised words."""

    turn: HeardTurn
    said: tuple[str, ...]
    heard: tuple[str, ...]

    @property
    def is_number(self) -> bool:
        """Whether a number was damaged."""
        return any(word.isdigit() for word in self.said)


def rate_channel_recovery(view: ConversationView) -> Judgement | None:
    """Rate recovery; None for languages whose questions it cannot read. Not applicable where nothing hung on the damage."""
    if view.language.split("-")[0] != "en":
        return None
    name = Diagnostic.CHANNEL_RECOVERY.value
    turns = caller_turns(view)
    outcomes = [(damage, _recovered(damage, view)) for turn in turns for damage in damages_of(turn)]
    weighed = [damage for damage, recovered in outcomes if recovered is not None]
    lost = [damage for damage, recovered in outcomes if recovered is False]
    hasty = [turn for turn in turns if _answered_inside(turn, view)]
    if not weighed and not hasty:
        harm = "no harm to a word of substance" if not outcomes else "harm on which nothing hung"
        return Judgement(id=name, not_applicable=True, reason=f"the line did {harm}")
    share = 1 - (len(lost) + len(hasty)) / (len(weighed) + len(hasty))
    reason = f"{len(weighed)} damaged places of weight, {len(lost)} neither read right nor asked about"
    if lost:
        reason += ": " + "; ".join(f"{' '.join(d.said)!r} heard as {' '.join(d.heard)!r}" for d in lost[:3])
    if hasty:
        reason += f"; {len(hasty)} turns answered before their last fragment"
    marked = [damage.turn for damage in lost or weighed] + hasty
    evidence = tuple(sorted({index for turn in marked for index in turn.messages}))
    return Judgement(id=name, rating=1 + int(4 * share), reason=reason, evidence=evidence)


def damages_of(turn: HeardTurn) -> Iterator[Damage]:
    """Every place of a turn where a word of substance or a number was changed, lost or added, and numbers cut by a pause."""
    stretches = alignment(turn.intended, turn.heard, "en-v4")
    said: list[str] = []
    heard: list[str] = []
    damaged = False
    for stretch in [*stretches, None]:
        # A damaged number is the whole number: equal digits on both sides of the damage belong to it.
        numeric = stretch is not None and all(_numeric(word) for word in (*stretch.reference, *stretch.heard))
        if stretch is None or (stretch.operation == "equal" and not numeric):
            edge = () if stretch is None else stretch.reference
            head, tail = _numeric_prefix(edge), _numeric_suffix(edge)
            said, heard = [*said, *head], [*heard, *head]
            if damaged and (damage := _narrowed(turn, said, heard)) is not None:
                yield damage
            said, heard, damaged = list(tail), list(tail), False
            continue
        said.extend(stretch.reference)
        heard.extend(stretch.heard)
        damaged = damaged or stretch.operation != "equal"
    yield from _cut_numbers(turn)


def _cut_numbers(turn: HeardTurn) -> Iterator[Damage]:
    """Numbers divided by a pause: each half is what a hasty reader takes for the whole."""
    pieces = [normalise(fragment, "en-v4").split() for fragment in turn.fragments]
    for before, after in pairwise(pieces):
        first, second = _numeric_suffix(before), _numeric_prefix(after)
        if first and second:
            yield Damage(turn, (*first, *second), tuple(first if len(first) >= len(second) else second))


def _recovered(damage: Damage, view: ConversationView) -> bool | None:
    """Whether the damage was read right or asked about; None where nothing tells, since nothing later hung on it.

    The last call that carries the right or the damaged form decides. Without one, the right form in later speech or a
    question in the reply is a recovery; a number that was neither is lost.
    """
    said, heard = "".join(damage.said), "".join(damage.heard)
    end = damage.turn.messages[-1]
    last: bool | None = None
    for call in view.calls:
        if call.message > end:
            values = [_compact(text) for text in _texts(call.arguments)]
            if any(_carries(value, said) for value in values):
                last = True
            elif damage.said and any(_carries(value, heard) for value in values):
                last = False
    if last is not None:
        return last
    later = [message for message in view.messages if message.role is Role.AGENT and message.index > end]
    if damage.said and any(_spoken(damage.said, message.content) for message in later):
        return True
    if any(ASKS_AGAIN.search(message.content) for message in reply_after(end, view).speech):
        return True
    return False if damage.is_number else None


def _spoken(wanted: tuple[str, ...], speech: str) -> bool:
    """Whether the words stand in the speech in one piece, a number not as part of a longer one."""
    words = normalise(speech, "en-v4").split()
    for start in range(len(words) - len(wanted) + 1):
        if tuple(words[start : start + len(wanted)]) == wanted:
            edges = [*words[max(0, start - 1) : start], *words[start + len(wanted) :][:1]]
            if not (_numeric(wanted[0]) and any(_numeric(edge) for edge in edges)):
                return True
    return False


def _compact(text: str) -> str:
    return normalise(text, "en-v4").replace(" ", "")


def _carries(value: str, wanted: str) -> bool:
    return bool(wanted) and (value == wanted or (len(wanted) >= LONG and wanted in value))


def _texts(value: JsonValue) -> Iterator[str]:
    """Every word and number of a call's arguments as text."""
    return (str(leaf) for leaf in leaves(value) if isinstance(leaf, str | int | float) and not isinstance(leaf, bool))


def _answered_inside(turn: HeardTurn, view: ConversationView) -> bool:
    first, last = turn.messages[0], turn.messages[-1]
    return any(message.role is Role.AGENT and first < message.index < last for message in view.messages)


def _narrowed(turn: HeardTurn, said: list[str], heard: list[str]) -> Damage | None:
    """The damage without equal ends, which stay only around a damaged number; None where only small words changed."""
    start = _common(said, heard)
    end = _common(said[start:][::-1], heard[start:][::-1])
    changed = [*said[start : len(said) - end], *heard[start : len(heard) - end]]
    if any(word.isdigit() for word in changed):
        return Damage(turn, tuple(said), tuple(heard))
    if any(len(word) >= LONG for word in changed if word not in FILLER):
        return Damage(turn, tuple(said[start : len(said) - end]), tuple(heard[start : len(heard) - end]))
    return None


def _common(a: list[str], b: list[str]) -> int:
    """Length of the common beginning."""
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _numeric(word: str) -> bool:
    return word.isdigit() or word in _NUMERIC


def _numeric_prefix(words: tuple[str, ...] | list[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        if not _numeric(word):
            break
        found.append(word)
    return found


def _numeric_suffix(words: tuple[str, ...] | list[str]) -> list[str]:
    return _numeric_prefix(list(reversed(words)))[::-1]
