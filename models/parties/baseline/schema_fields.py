"""From a tool's JSON Schema to slots: what kind of value a parameter takes, how to ask for it and which values fit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import JsonValue

from core.schemas.tools import CONCLUDING_MESSAGE, Tool
from core.spoken import Kind, Value
from models.parties.words import humanised, stems, words

CRITICAL = frozenset({Kind.DIGITS, Kind.CODE, Kind.EMAIL, Kind.MONEY, Kind.DATE, Kind.TIME, Kind.NAME})
"""Kinds whose misreading changes what is done, so that they are read back before they are sent."""
IDENTIFYING = frozenset({Kind.DIGITS, Kind.CODE, Kind.EMAIL, Kind.NAME})
"""Kinds that say who or which, and stay true for a second request."""

_FORMATS = {"date": Kind.DATE, "time": Kind.TIME, "email": Kind.EMAIL, "idn-email": Kind.EMAIL}
_BY_WORD: tuple[tuple[Kind, frozenset[str]], ...] = (
    (Kind.EMAIL, frozenset({"email", "mail"})),
    (Kind.DIGITS, frozenset({"phone", "telephone", "mobile", "zip", "pin", "digits"})),
    (Kind.DATE, frozenset({"date", "day", "birthday"})),
    (Kind.TIME, frozenset({"time", "hour"})),
    (Kind.NAME, frozenset({"name", "surname"})),
    (Kind.CODE, frozenset({"number", "code", "reference", "id", "postcode", "plate", "serial"})),
    (Kind.MONEY, frozenset({"amount", "price", "cost", "payment", "refund", "fee", "deposit", "budget"})),
)
_MONEY = frozenset(
    {"amount", "price", "cost", "payment", "refund", "fee", "deposit", "budget", "bill", "balance", "money"}
) | frozenset({"dollars", "euros", "pounds", "total", "dollar", "euro", "pound"})
_TECHNICAL = re.compile(r"\b(iso ?8601|yyyy-mm-dd|hh:mm|24[- ]hour|e\.?164|in the format|format(ted)? as)\b.*", re.IGNORECASE)
_ROLES = (
    r"(?:caller|customer|patient|guest|client|card ?holder|account holder|user|member|recipient|person|resident|tenant|passenger)"
)
_WHOSE = re.compile(rf" of the {_ROLES}$", re.IGNORECASE)
_OWNER = re.compile(
    r"^(the |an? )?((caller|customer|patient|guest|client|user|member|holder)('s|s') |their |his or her )?", re.IGNORECASE
)
_PERSONAL = frozenset({"name", "surname", "email", "phone", "telephone", "mobile", "birth", "address", "birthday"})
MAX_NOUN_WORDS = 9


@dataclass(frozen=True)
class Slot:
    """One parameter of a tool, as something to ask for."""

    name: str
    """Property name."""
    kind: Kind
    """What sort of value it takes."""
    noun: str
    """How to call it, without article."""
    personal: bool
    """Whether it belongs to the caller."""
    description: str
    """Its description in the schema, possibly empty."""
    required: bool = False
    """Whether the tool needs it."""
    choices: tuple[str, ...] = ()
    """The allowed values of a choice."""
    json_type: str = "string"
    """Its JSON type; `array` wraps one value in a list."""
    pattern: str | None = None
    """Regular expression the value must contain, as JSON Schema has it."""
    least: float | None = None
    """Smallest allowed number."""
    most: float | None = None
    """Largest allowed number."""

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems by which speech about this slot is recognised."""
        return stems(self.name) | stems(self.noun)

    @property
    def critical(self) -> bool:
        """Whether it is read back before it is sent."""
        return self.kind in CRITICAL

    @property
    def owner(self) -> str:
        """`your` for what belongs to the caller, else `the`."""
        return "your" if self.personal else "the"

    @property
    def length(self) -> int | None:
        """How many digits the pattern asks for, where it asks for digits of one length only."""
        found = re.fullmatch(r"\^?(?:\[0-9\]|\\d)\{(\d+)\}\$?", self.pattern or "")
        return int(found.group(1)) if found else None

    @property
    def plural(self) -> bool:
        """Whether the noun takes "are"."""
        head = self.noun.split(" of ")[0].split(" to ")[0].split()
        return bool(head) and re.search(r"[^su]s$", head[-1]) is not None

    def fits(self, value: Value) -> bool:
        """Whether the schema's pattern and type allow the value."""
        if self.pattern is not None:
            return re.search(self.pattern, str(value)) is not None
        if self.json_type in ("integer", "number"):
            return self._number_fits(value)
        return True

    def _number_fits(self, value: Value) -> bool:
        if isinstance(value, str) and not value.isdigit():
            return False
        number = float(value)
        whole = self.json_type == "number" or number.is_integer()
        return whole and (self.least is None or number >= self.least) and (self.most is None or number <= self.most)

    def argument(self, value: Value) -> JsonValue:
        """The value in the JSON type of the schema."""
        if self.json_type == "array":
            return [value]
        if self.json_type == "integer":
            return int(value)
        if self.json_type == "number":
            return float(value) if not float(value).is_integer() else int(float(value))
        if self.json_type == "boolean":
            return bool(value)
        return str(value)


def slots_of(tool: Tool) -> tuple[Slot, ...]:
    """Every parameter of a tool that words can fill, in the order of the schema."""
    properties = tool.parameters.get("properties")
    required = tool.parameters.get("required")
    names = set(required) if isinstance(required, list) else set()
    if not isinstance(properties, dict):
        return ()
    found = [_slot(name, schema, name in names) for name, schema in properties.items() if isinstance(schema, dict)]
    return tuple(slot for slot in found if slot is not None and slot.name != CONCLUDING_MESSAGE)


def _slot(name: str, schema: Mapping[str, JsonValue], required: bool) -> Slot | None:
    json_type = _type(schema)
    item = schema.get("items") if json_type == "array" else schema
    if json_type == "object" or not isinstance(item, dict):
        return None
    choices = _choices(item)
    description = str(schema.get("description") or schema.get("title") or "").strip()
    pattern = item.get("pattern")
    kind = _kind(name, item, description, choices)
    noun = _noun(name, description)
    mine = set(words(noun))
    return Slot(
        name=name,
        kind=kind,
        noun=second_person(_WHOSE.sub("", noun)),
        personal=_WHOSE.search(noun) is not None or bool(mine & _PERSONAL and not mine & {"the", "your", "whom"}),
        description=description,
        required=required,
        choices=choices,
        json_type=json_type,
        pattern=pattern if isinstance(pattern, str) else None,
        least=_bound(item, "minimum", "exclusiveMinimum"),
        most=_bound(item, "maximum", "exclusiveMaximum"),
    )


def _bound(schema: Mapping[str, JsonValue], *names: str) -> float | None:
    values = [value for name in names if isinstance(value := schema.get(name), int | float) and not isinstance(value, bool)]
    return float(values[0]) if values else None


def _type(schema: Mapping[str, JsonValue]) -> str:
    declared = schema.get("type", "string")
    options = declared if isinstance(declared, list) else [declared]
    return next((str(option) for option in options if option != "null"), "string")


def _choices(schema: Mapping[str, JsonValue]) -> tuple[str, ...]:
    options = schema.get("enum", [])
    return tuple(option for option in options if isinstance(option, str)) if isinstance(options, list) else ()


def _kind(name: str, schema: Mapping[str, JsonValue], description: str, choices: Sequence[str]) -> Kind:
    """The kind by, in order: enumeration, type, format, pattern, the words of the name, the words of the description."""
    if choices:
        return Kind.CHOICE
    json_type = _type(schema)
    if json_type == "boolean":
        return Kind.YES_NO
    if str(schema.get("format")) in _FORMATS:
        return _FORMATS[str(schema.get("format"))]
    if isinstance(schema.get("pattern"), str):
        by_pattern = _kind_of_pattern(str(schema["pattern"]))
        if by_pattern is not None:
            return by_pattern
    named = set(words(humanised(name)))
    described = set(words(_first_clause(description)))
    if json_type in ("number", "integer"):
        return Kind.MONEY if (named | set(words(description))) & _MONEY else _kind_of_integer(json_type, named)
    for text in (named, described):
        for kind, marks in _BY_WORD:
            if text & marks:
                return Kind.DIGITS if kind is Kind.CODE and "digits" in words(description) else kind
    return Kind.TEXT


def _kind_of_integer(json_type: str, named: set[str]) -> Kind:
    """An integer called number or id is an identifier; any other number is a quantity."""
    return Kind.DIGITS if json_type == "integer" and named & {"id", "phone", "pin", "zip"} else Kind.NUMBER


def _kind_of_pattern(pattern: str) -> Kind | None:
    probes = ((Kind.DATE, "2026-03-14"), (Kind.TIME, "14:30"))
    for kind, probe in probes:
        if re.fullmatch(pattern, probe) and not re.fullmatch(pattern, "QX338805"):
            return kind
    if "@" in pattern:
        return Kind.EMAIL
    if re.search(r"\[A-Z|\[a-z|[A-Z]{2,}", pattern.replace("\\", "")):
        return Kind.CODE
    return Kind.DIGITS if re.search(r"\[0-9\]|\\d", pattern) else None


def second_person(text: str) -> str:
    """A description as said to the person it is about: "the customer agrees" becomes "you agree"."""
    text = re.sub(rf"\b[Tt]he {_ROLES}'s\b", "your", text)
    text = re.sub(rf"\b[Tt]he {_ROLES}\b", "you", text)
    for wrong, right in (("you is", "you are"), ("you has", "you have"), ("you was", "you were"), ("you does", "you do")):
        text = re.sub(rf"\b{wrong}\b", right, text)
    return re.sub(r"\byou ((?!was|is|has)\w{2,}[^s\W])s\b", r"you \1", text)


def _first_clause(description: str) -> str:
    """What a description names, without its additions and technical notes."""
    plain = _TECHNICAL.sub("", description).strip()
    clause = re.split(r"[,;(.:]|\s[-\u2013]\s|, such as| such as | e\.g\.", plain, maxsplit=1)[0].strip()
    return _OWNER.sub("", clause).strip()


def _noun(name: str, description: str) -> str:
    clause = _first_clause(description)
    if len(clause.split()) > MAX_NOUN_WORDS:
        clause = re.split(r" (?:for|when|so that|that|which|on which|used|under|to be)\b", clause, maxsplit=1)[0]
    if 0 < len(clause.split()) <= MAX_NOUN_WORDS and not re.match(r"(?i)(whether|if|set|optional|use|true|must|only)\b", clause):
        return clause if re.match(r"[A-Z]{2}", clause) else clause[0].lower() + clause[1:]
    return humanised(name)
