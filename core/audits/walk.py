"""Walking the matchers and checks of a file, each with its field path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from core.schemas.checks import AllChecks, AnyCheck, Called, CheckRule, LastSpeech, NotCheck, ResultCheck, Said
from core.schemas.matchers import All, AnyOf, Contains, Equals, Matcher, Not, OneOf, Range, Subset


def matchers_in(matchers: Mapping[str, Matcher], path: str) -> Iterator[tuple[str, Matcher]]:
    """Every matcher of a set, nested ones included."""
    for name, matcher in matchers.items():
        yield from nested(matcher, f"{path}.{name}")


def nested(matcher: Matcher, path: str) -> Iterator[tuple[str, Matcher]]:
    """A matcher and every matcher inside it."""
    yield path, matcher
    match matcher:
        case All():
            for number, item in enumerate(matcher.all):
                yield from nested(item, f"{path}.all[{number}]")
        case AnyOf():
            for number, item in enumerate(matcher.any):
                yield from nested(item, f"{path}.any[{number}]")
        case Not():
            yield from nested(matcher.not_, f"{path}.not")
        case Subset():
            yield from matchers_in(matcher.subset, f"{path}.subset")


def values_of(matcher: Matcher) -> list[JsonValue]:
    """The literal values or references a single matcher compares with."""
    match matcher:
        case Equals():
            return [matcher.equals, *matcher.aliases]
        case OneOf():
            return list(matcher.one_of)
        case Contains():
            return [matcher.contains]
        case Range():
            return [end for end in (matcher.range.min, matcher.range.max) if end is not None]
    return []


def rules_in(rule: CheckRule, path: str) -> Iterator[tuple[str, CheckRule]]:
    """A check and every check inside it."""
    yield path, rule
    match rule:
        case AllChecks():
            for number, item in enumerate(rule.all):
                yield from rules_in(item, f"{path}.all[{number}]")
        case AnyCheck():
            for number, item in enumerate(rule.any):
                yield from rules_in(item, f"{path}.any[{number}]")
        case NotCheck():
            yield from rules_in(rule.not_, f"{path}.not")


def check_matchers(rule: CheckRule, path: str) -> Iterator[tuple[str, Matcher]]:
    """Every matcher of one (not nested) check, with its field path."""
    match rule:
        case Said():
            yield from nested(rule.said.matcher, f"{path}.said.matcher")
        case Called():
            yield from matchers_in(rule.called.args, f"{path}.called.args")
        case ResultCheck():
            yield from nested(rule.result.matcher, f"{path}.result.matcher")
        case LastSpeech():
            yield from nested(rule.last_speech.matcher, f"{path}.last_speech.matcher")
