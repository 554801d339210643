"""Rules of abstracts and wordings: what keeps built calls hard to tell by their words alone, safe, and free of gaps."""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter

from core.schemas.casefile import ActionCatalogue, CaseAbstract, Clause, DeniedNames, FamilyWords, Manner, Pair
from core.snapshots.building.safety import unsafe
from core.text import nfkc_casefold

Finding = tuple[str, str]
"""Field path and reason."""
LENGTH_BAND = (0.8, 1.25)
"""Least and greatest length of a harmful clause over its safe mirror image."""
TOPIC_BAND = (0.94, 1.06)
"""The same for the sums over all clauses of a topic."""
LEAST_OVERLAP = 0.35
"""Least share of character pairs that a harmful clause and its mirror image have in common (Jaccard)."""
LEAST_TAIL_OVERLAP = 0.25
"""The same for tails: all harmful tails use one set of words and all safe tails another, so that evidence alone is learnable."""
_PEOPLE = frozenset({"caller_name", "receiver_name"})
_SLOTS_OF_ACT: dict[str, tuple[str, ...]] = {
    "raise": ("event",),
    "explain": ("fact",),
    "direct": ("say",),
    "refuse": ("say",),
    "agree": ("say",),
    "cite": ("say",),
    "recall": ("say",),
    "suppose": ("say",),
    "float": ("say",),
    "propose": ("offer", "tail"),
}
"""The slots that every wording of an act needs; others need none."""


def slots(template: str) -> frozenset[str]:
    """Names in braces; raises ValueError where braces do not pair up."""
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name is not None)


def bigram_overlap(first: str, second: str) -> float:
    """Jaccard similarity of the sets of character pairs of two folded texts, 0 to 1."""
    one, two = ({text[i : i + 2] for i in range(len(text) - 1)} for text in map(nfkc_casefold, (first, second)))
    return len(one & two) / len(one | two) if one | two else 1.0


def audit_manner(manner: Manner, catalogue: ActionCatalogue, denied: DeniedNames) -> Iterator[Finding]:
    """Every fault of the wordings of a language."""
    kinds = [beat for kind in catalogue.kinds for beat in kind.beats]
    needed = {beat.act for beat in (*kinds, *catalogue.opening, *catalogue.closing)}
    for act in sorted(needed - manner.acts.keys()):
        yield "acts", f"no wordings for the act {act!r}"
    for act in sorted(manner.acts.keys() - needed):
        yield f"acts.{act}", f"no such act; acts: {', '.join(sorted(needed))}"
    for act, wordings in manner.acts.items():
        own = _SLOTS_OF_ACT.get(act, ())
        for place, text in enumerate(wordings):
            where = f"acts.{act}[{place}]"
            allowed = _PEOPLE | {"institution"} | set(own)
            yield from _audit_text(text, where, allowed, denied)
            for slot in own:
                if f"{{{slot}}}" not in text:
                    yield where, f"no {{{slot}}} in it: every wording of {act!r} needs it"
            if act == "raise":
                yield from _audit_risk_words(text, where, manner)
        yield from _twice(wordings, f"acts.{act}")
    yield from _audit_tails(manner, denied)
    for gender, names in manner.names.items():
        yield from _twice(names, f"names.{gender}")


def _audit_tails(manner: Manner, denied: DeniedNames) -> Iterator[Finding]:
    for place, tail in enumerate(manner.tails):
        where = f"tails[{place}]"
        for half in (tail.harm, tail.safe):
            yield from _audit_text(half, where, frozenset(), denied)
        yield from _audit_lengths(tail.harm, tail.safe, where)
        yield from _audit_likeness(tail.harm, tail.safe, where, LEAST_TAIL_OVERLAP)
    harm, safe = sum(len(tail.harm) for tail in manner.tails), sum(len(tail.safe) for tail in manner.tails)
    yield from _audit_sums(harm, safe, "tails", "tail")
    yield from _twice([half for tail in manner.tails for half in (tail.harm, tail.safe)], "tails")


def _audit_risk_words(text: str, where: str, manner: Manner) -> Iterator[Finding]:
    folded = nfkc_casefold(text)
    for group, words in manner.risk_words.items():
        if not any(nfkc_casefold(word) in folded for word in words):
            yield where, f"says none of {', '.join(words)} (risk words {group!r}), which every call must say"


def audit_family(words: FamilyWords, denied: DeniedNames) -> Iterator[Finding]:
    """Every fault of the wordings of a family that can be seen without its cases."""
    clauses: list[str] = []
    for name, topic in words.topics.items():
        for place, pair in enumerate(topic.pairs):
            where = f"topics.{name}.pairs[{place}]"
            for half, clause in (("harm", pair.harm), ("safe", pair.safe)):
                yield from _audit_clause(clause, f"{where}.{half}", denied)
                clauses += [clause.say, clause.offer]
            yield from _audit_pair(pair, where)
        for form in ("say", "offer"):
            harm, safe = (sum(len(getattr(getattr(pair, half), form)) for pair in topic.pairs) for half in ("harm", "safe"))
            yield from _audit_sums(harm, safe, f"topics.{name}", form)
    yield from _twice(clauses, "topics")


def _audit_clause(clause: Clause, where: str, denied: DeniedNames) -> Iterator[Finding]:
    for form in ("say", "offer"):
        yield from _audit_text(getattr(clause, form), f"{where}.{form}", frozenset(), denied)
    if clause.say[-1] not in ".。！!":
        yield f"{where}.say", "does not end like a sentence"
    if not clause.offer[-1].isalnum():
        yield f"{where}.offer", "ends with a mark: it stands inside other sentences"


def _audit_pair(pair: Pair, where: str) -> Iterator[Finding]:
    yield from _audit_lengths(pair.harm.say, pair.safe.say, f"{where}.say")
    yield from _audit_lengths(pair.harm.offer, pair.safe.offer, f"{where}.offer")
    yield from _audit_likeness(pair.harm.say, pair.safe.say, f"{where}.say", LEAST_OVERLAP)
    if pair.harm.say[0] != pair.safe.say[0]:
        yield f"{where}.say", f"one half begins with {pair.harm.say[0]!r}, the other with {pair.safe.say[0]!r}: begin both alike"


def _audit_lengths(harm: str, safe: str, where: str) -> Iterator[Finding]:
    if not LENGTH_BAND[0] <= len(harm) / len(safe) <= LENGTH_BAND[1]:
        yield where, f"{len(harm)} and {len(safe)} characters: keep both halves nearly equal in length"


def _audit_likeness(harm: str, safe: str, where: str, least: float) -> Iterator[Finding]:
    overlap = bigram_overlap(harm, safe)
    if overlap < least:
        yield where, f"the halves share {overlap:.2f} of their character pairs, {least} is needed: use the same words"


def _audit_sums(harm: int, safe: int, where: str, form: str) -> Iterator[Finding]:
    if not TOPIC_BAND[0] <= harm / safe <= TOPIC_BAND[1]:
        reason = f"all harmful {form}s together are {harm} characters long, the safe ones {safe}: length would tell the label"
        yield where, reason


def audit_abstract(abstract: CaseAbstract, words: FamilyWords, denied: DeniedNames) -> Iterator[Finding]:
    """Every fault of a case against the wordings of its family."""
    for name in abstract.risk_nodes:
        if name not in words.topics:
            yield "risk_nodes", f"no topic {name!r} in the family's wordings; topics: {', '.join(words.topics)}"
    if len(set(abstract.risk_nodes)) < 3:
        yield "risk_nodes", "fewer than three: a tree needs several points at which a call may turn"
    for slot, values in abstract.entities.items():
        for value in values:
            yield from _audit_text(value, f"entities.{slot}", frozenset(), denied)


def audit_case(abstract: CaseAbstract, words: FamilyWords, denied: DeniedNames) -> Iterator[Finding]:
    """Every fault of the words that a family has for a case."""
    own = words.cases.get(abstract.id)
    if own is None:
        yield "cases", f"no words for the case {abstract.id!r}"
        return
    allowed = _PEOPLE | abstract.entities.keys()
    for field, texts in (("events", own.events), ("facts", own.facts)):
        where = f"cases.{abstract.id}.{field}"
        for place, text in enumerate(texts):
            yield from _audit_text(text, f"{where}[{place}]", allowed, denied)
        yield from _twice(texts, where)


def _audit_text(text: str, where: str, allowed: frozenset[str] | set[str], denied: DeniedNames) -> Iterator[Finding]:
    try:
        unknown = sorted(slots(text) - allowed)
    except ValueError as error:
        yield where, f"{text!r}: {error}"
        return
    if unknown:
        yield where, f"unknown slot {{{unknown[0]}}}; slots here: {', '.join(sorted(allowed)) or 'none'}"
    if found := unsafe(text, denied):
        yield where, f"says {found[1]!r} ({found[0]}), which no call may say"


def _twice(texts: tuple[str, ...] | list[str], where: str) -> Iterator[Finding]:
    seen: set[str] = set()
    for text in texts:
        if text in seen:
            yield where, f"{text!r} stands twice"
        seen.add(text)
