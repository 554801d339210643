"""Caller isolation: nothing hidden may be reachable from the brief unless the caller knows it as a fact.

Looked for: leaf values of the backend state and of fixture results, values that expected actions pin, and whole sentences
of grader text (goal, statements, anchors). Left out, because they say nothing: booleans, numbers of fewer than three
digits, texts of fewer than four characters, words of a tool's published enum, and single plain words in fixture results
(`booked`, `accepted`), which are everyday vocabulary. Ids, codes, numbers, dates and times are found in words too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pydantic import JsonValue

from core.audits.walk import matchers_in, nested, values_of
from core.errors import InputError, UsageError
from core.jsonvalues import leaves
from core.matchers.whole import has_words, is_whole
from core.schemas.bundle import Agent
from core.schemas.scenario import Brief, Scenario
from core.spoken import Kind, Value, occurs, read
from core.text import collapse_spaces, nfkc_casefold

Finding = tuple[str, str]
MIN_TEXT = 4
MIN_DIGITS = 3
MIN_WORDS = 5
"""Shortest grader sentence, in words, that counts as leaked."""
_FORMS = {
    Kind.DATE: re.compile(r"\d{4}-\d{2}-\d{2}"),
    Kind.TIME: re.compile(r"\d{2}:\d{2}"),
    Kind.DIGITS: re.compile(r"(?=.*\d)[\d .-]{4,}"),
    Kind.CODE: re.compile(r"(?=.*\d)(?=.*[a-z])[a-z\d]+(?:[ .-][a-z\d]+)*"),
}
"""Plain forms of values that people say in words, in the order in which they are tried."""


def audit_isolation(scenario: Scenario, agent: Agent) -> Iterator[Finding]:
    """Every hidden value or grader sentence found in the caller's brief or its offline lines."""
    texts = list(_brief_texts(scenario))
    for field, value, source in leaked_values(scenario, agent):
        yield field, f"{value!r} ({source}) is in the caller's brief but is no known fact: the caller must not know it"
    for source, sentence in _grader_sentences(scenario):
        for field, text in texts:
            if sentence in text:
                yield field, f"grader text ({source}) is in the caller's brief: {sentence!r}"


def leaked_values(scenario: Scenario, agent: Agent) -> Iterator[tuple[str, JsonValue, str]]:
    """Every hidden value that the brief gives away: the field of the brief, the value, and where it is hidden."""
    texts = list(_brief_texts(scenario))
    known = {_plain(fact.value) for fact in scenario.caller.facts.values()}
    public = known | {_plain(word) for word in _enum_words(agent)}
    seen: set[tuple[str, str]] = set()
    first: dict[tuple[type, str], tuple[str, JsonValue]] = {}
    for source, value in _hidden_values(scenario):
        first.setdefault((type(value), _plain(value)), (source, value))
    for (_, plain), (source, value) in first.items():
        if not _telling(value) or plain in public or any(has_words(fact, plain) for fact in known):
            continue
        for field, text in texts:
            if _says(text, value, scenario.language) and (field, plain) not in seen:
                seen.add((field, plain))
                yield field, value, source


def _brief_texts(scenario: Scenario) -> Iterator[tuple[str, str]]:
    brief: Brief = scenario.caller
    yield "caller.context", _plain(brief.context)
    yield "caller.reason", _plain(brief.reason)
    for number, text in enumerate(brief.unknown):
        yield f"caller.unknown[{number}]", _plain(text)
    for number, step in enumerate(brief.plan):
        yield f"caller.plan[{number}].trigger", _plain(step.trigger)
        yield f"caller.plan[{number}].meaning", _plain(step.meaning)
    for name, offline in scenario.offline.steps.items():
        yield f"offline.steps.{name}.line", _plain(offline.line)


def _hidden_values(scenario: Scenario) -> Iterator[tuple[str, JsonValue]]:
    for leaf in leaves(scenario.backend.state):
        yield "backend state", leaf
    for tool, fixture in scenario.backend.fixtures.items():
        results = [fixture.default, *(part for entry in fixture.queue for part in (entry.result, entry.mismatch))]
        for leaf in leaves(list(results)):
            if not (isinstance(leaf, str) and re.fullmatch(r"[a-z_]+", leaf)):
                yield f"result of {tool}", leaf
    for expected in scenario.expected_state:
        for _, matcher in nested(expected.matcher, ""):
            for value in values_of(matcher):
                yield f"expected state {expected.id}", value
    for action in scenario.expected:
        for _, matcher in matchers_in(action.args, ""):
            for value in values_of(matcher):
                yield f"expected action {action.id}", value


def _telling(value: JsonValue) -> bool:
    if value is None or isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return sum(char.isdigit() for char in _plain(value)) >= MIN_DIGITS
    text = str(value)
    if text.startswith("$"):
        return False
    return len(text.strip()) >= MIN_TEXT


def _enum_words(agent: Agent) -> Iterable[str]:
    for tool in agent.tools:
        properties = tool.parameters.get("properties", {})
        for schema in properties.values() if isinstance(properties, dict) else ():
            allowed = schema.get("enum") if isinstance(schema, dict) else None
            yield from (str(item) for item in allowed) if isinstance(allowed, list) else ()


def _grader_sentences(scenario: Scenario) -> Iterator[tuple[str, str]]:
    sources = [("goal", scenario.goal)]
    for criterion in scenario.criteria:
        sources.append((f"criterion {criterion.id}", criterion.statement))
        sources.extend(
            (f"anchor of {criterion.id}", text)
            for text in (criterion.anchors.met, criterion.anchors.partial, criterion.anchors.not_met)
        )
    for source, text in sources:
        for sentence in re.split(r"(?<=[.!?])\s+", text):
            plain = _plain(sentence).rstrip(".!?")
            if len(plain.split()) >= MIN_WORDS:
                yield source, plain


def _plain(value: JsonValue) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return collapse_spaces(nfkc_casefold(str(value)))


def _says(text: str, value: JsonValue, language: str) -> bool:
    """Whether a plain text gives a value away: as it is written, grouped otherwise, or in words of the language."""
    plain = _plain(value)
    if has_words(text, plain):
        return True
    if isinstance(value, int | float):
        written = any(has_words(text, form) for form in (f"{value:.2f}", f"{value:,}", f"{value:,.2f}"))
        return written or any(value in _read(text, kind, language) for kind in (Kind.NUMBER, Kind.MONEY))
    kind = next((kind for kind, form in _FORMS.items() if form.fullmatch(plain)), None)
    if kind is None:
        return False
    if kind in (Kind.DATE, Kind.TIME):
        return _occurs(text, plain, kind, language)
    bare = re.sub(r"[ .-]", "", plain)
    grouped = re.finditer("[ .-]?".join(bare), text) if kind is Kind.DIGITS else ()
    return any(is_whole(text, *match.span()) for match in grouped) or bare.upper() in _read(text, kind, language)


def _occurs(text: str, plain: str, kind: Kind, language: str) -> bool:
    try:
        return occurs(plain, kind, text, language=language)
    except (UsageError, InputError):
        return False


@lru_cache(maxsize=4096)
def _read(text: str, kind: Kind, language: str) -> frozenset[Value]:
    """Every value of a kind that a listener understands."""
    try:
        return frozenset(reading.value for reading in read(text, kind, language=language))
    except UsageError:
        return frozenset()
