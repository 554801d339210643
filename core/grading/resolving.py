"""Checks and matchers with their references replaced by values, so that a program judge needs neither brief nor state."""

from __future__ import annotations

from pydantic import JsonValue

from core.matchers.references import References
from core.schemas.checks import (
    AllChecks,
    AnyCheck,
    Called,
    CalledBody,
    Check,
    CheckRule,
    LastSpeech,
    LastSpeechBody,
    NotCheck,
    ResultBody,
    ResultCheck,
    Said,
    SaidBody,
)
from core.schemas.matchers import All, AnyOf, Bounds, Contains, Equals, Matcher, Not, OneOf, Range, Subset

NO_REFERENCES = References({}, {})
"""What a resolved matcher is evaluated with."""


def resolve_check(check: Check, references: References) -> Check:
    """The check with every reference replaced by its value; raises UnresolvedReference."""
    applies, partial = (None if rule is None else _rule(rule, references) for rule in (check.applies, check.partial))
    return Check(applies=applies, met=_rule(check.met, references), partial=partial)


def resolve_matcher(matcher: Matcher, references: References) -> Matcher:
    """The matcher with every reference replaced by its value, a literal `$` kept as `$$`; raises UnresolvedReference."""
    match matcher:
        case Equals():
            aliases = tuple(_literal(references.resolve(name)) for name in matcher.aliases)
            update = {"equals": _literal(references.resolve(matcher.equals)), "aliases": aliases}
            return matcher.model_copy(update={**update, **_reading(matcher, references)})
        case OneOf():
            values = tuple(_literal(references.resolve(value)) for value in matcher.one_of)
            return matcher.model_copy(update={"one_of": values, **_reading(matcher, references)})
        case Contains():
            wanted = _literal(references.resolve(matcher.contains))
            return matcher.model_copy(update={"contains": wanted, **_reading(matcher, references)})
        case Range():
            return Range(range=Bounds(min=_bound(matcher.range.min, references), max=_bound(matcher.range.max, references)))
        case Subset():
            return Subset(subset={name: resolve_matcher(item, references) for name, item in matcher.subset.items()})
        case All():
            return All(all=tuple(resolve_matcher(item, references) for item in matcher.all))
        case AnyOf():
            return AnyOf(any=tuple(resolve_matcher(item, references) for item in matcher.any))
        case Not():
            return Not.model_validate({"not": resolve_matcher(matcher.not_, references)})
        case _:
            return matcher


def _rule(rule: CheckRule, references: References) -> CheckRule:
    match rule:
        case Said():
            body = rule.said
            return Said(said=SaidBody.model_validate({**_fields(body), "matcher": resolve_matcher(body.matcher, references)}))
        case Called():
            args = {name: resolve_matcher(item, references) for name, item in rule.called.args.items()}
            return Called(called=CalledBody(tool=rule.called.tool, args=args))
        case ResultCheck():
            matcher = resolve_matcher(rule.result.matcher, references)
            return ResultCheck(result=ResultBody(tool=rule.result.tool, matcher=matcher))
        case LastSpeech():
            return LastSpeech(last_speech=LastSpeechBody(matcher=resolve_matcher(rule.last_speech.matcher, references)))
        case AllChecks():
            return AllChecks(all=tuple(_rule(item, references) for item in rule.all))
        case AnyCheck():
            return AnyCheck(any=tuple(_rule(item, references) for item in rule.any))
        case NotCheck():
            return NotCheck.model_validate({"not": _rule(rule.not_, references)})
        case _:
            return rule


def _fields(body: SaidBody) -> dict[str, object]:
    return {"role": body.role, "before": body.before, "after": body.after}


def _reading(matcher: Equals | OneOf | Contains, references: References) -> dict[str, str | None]:
    """Language and moment by which a matcher reads values, so that it needs no scenario."""
    if matcher.kind is None:
        return {}
    return {"language": matcher.language or references.language, "now": matcher.now or references.now}


def _literal(value: JsonValue) -> JsonValue:
    """A value written so that resolving it again gives the value: a leading `$` is doubled."""
    if isinstance(value, str):
        return f"${value}" if value.startswith("$") else value
    if isinstance(value, list):
        return [_literal(item) for item in value]
    if isinstance(value, dict):
        return {key: _literal(item) for key, item in value.items()}
    return value


def _bound(end: float | str | None, references: References) -> float | str | None:
    if not isinstance(end, str):
        return end
    value = references.resolve(end)
    return float(value) if isinstance(value, int | float) else str(value)
