"""SPEC 2: every object is a frozen model that knows no other fields, documents each of its own, and has a JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from pydantic import TypeAdapter, ValidationError

from core.runs.store import trace_bytes
from core.schemas.base import (
    CONVERSATION_DIAGNOSTICS,
    TASK_DIAGNOSTICS,
    Diagnostic,
    Model,
    Pillar,
    Sha256,
    Slug,
    canonical_json,
    content_hash,
    encodable,
    is_json,
    pretty_json,
    sha256,
)
from core.schemas.bundle import Agent, BundleFile
from core.schemas.call_trace import EndReason, Outcome, Role, Trace
from core.schemas.run import RunFile
from core.schemas.scenario import Scenario
from gateway.cli.schemas import FOLDER, FORMATS, schema_bytes
from tests.support.parties import GREETING, call, play, turn
from tests.support.runs import run_file
from tests.support.scenes import AGENT_FILE, SCENARIO_FILE, agent, data_of, minimal, scenario


def _models() -> Iterator[type[Model]]:
    waiting: list[type[Model]] = [Model]
    while waiting:
        for model in waiting.pop().__subclasses__():
            if model.__module__.startswith("core."):
                yield model
            waiting.append(model)


MODELS = sorted(set(_models()), key=lambda model: f"{model.__module__}.{model.__qualname__}")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_model_is_frozen_closed_and_documented_field_by_field(model: type[Model]) -> None:
    """No object of a file format changes, takes an unknown field, or has a field that says nothing of itself."""
    assert (True, "forbid") == (model.model_config.get("frozen"), model.model_config.get("extra"))
    assert model.__doc__ or model.__name__.startswith("_")
    assert [] == [name for name, info in model.model_fields.items() if not (info.description or "").strip()]


def test_there_are_models_to_look_at() -> None:
    """The list above is not empty by mistake."""
    assert {"Scenario", "Agent", "Trace", "Grade", "RunFile", "Summary", "Tool", "Equals", "CallerReply"} <= {
        m.__name__ for m in MODELS
    }


@pytest.mark.parametrize("name", FORMATS)
def test_the_published_schema_is_the_models(name: str) -> None:
    """`bundles/schema/` holds what `ringback schema` exports, byte for byte, and each format documents every field."""
    assert schema_bytes(name) == (FOLDER / f"{name}.json").read_bytes()
    schema = json.loads(schema_bytes(name))
    assert "https://json-schema.org/draft/2020-12/schema" == schema["$schema"]
    parts = schema.get("$defs", {})
    for part in [schema, *parts.values()]:
        for field, info in part.get("properties", {}).items():
            # Where field and type say the same, pydantic says it once, in the definition.
            assert "description" in info | parts.get(info.get("$ref", "").removeprefix("#/$defs/"), {}), field


def test_every_format_of_the_specification_is_published() -> None:
    """Bundle, agent, tool, scenario, trace, grade and run are there, and nothing else lies in the folder."""
    assert {"bundle", "agent", "tool", "scenario", "trace", "grade", "run"} <= set(FORMATS)
    assert {f"{name}.json" for name in FORMATS} == {path.name for path in FOLDER.iterdir()}


# -- unknown and missing fields ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("model", "file"), [(Agent, AGENT_FILE), (Scenario, SCENARIO_FILE), (BundleFile, "bundle.yaml")])
def test_an_unknown_field_is_an_error_at_any_depth(model: type[Model], file: str) -> None:
    """Wherever an object of a file holds a field too many, it is refused."""

    def objects(node: object) -> Iterator[dict[str, object]]:
        if isinstance(node, dict):
            yield node
            for key, item in node.items():
                # Free-form JSON may hold anything: schemas, states, results, and whatever is keyed by an author's names.
                if key not in {"parameters", "state", "result", "mismatch", "default", "generation", "variables"}:
                    yield from objects(item)
        elif isinstance(node, list):
            for item in node:
                yield from objects(item)

    data = data_of(file)
    for node in list(objects(data)):
        node["zz_unknown"] = 1
        with pytest.raises(ValidationError):
            model.model_validate(data)
        del node["zz_unknown"]
    model.model_validate(data)


def test_a_frozen_object_cannot_be_changed() -> None:
    """Loaded once, the same for everybody."""
    with pytest.raises(ValidationError, match="frozen"):
        scenario().title = "Changed"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("model", "written"),
    [
        (Agent, agent()),
        (Scenario, scenario()),
        (Scenario, minimal().scenarios["noisy-renewal"]),
        (RunFile, run_file()),
        (BundleFile, minimal().file),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_object_written_as_json_reads_back_equal(model: type[Model], written: Model) -> None:
    """Aliases such as `not` and `with` included; every field is written, also those left at their default."""
    data = json.loads(canonical_json(written.to_json()))
    assert written == model.model_validate(data)
    assert {info.alias or name for name, info in model.model_fields.items()} == set(data)


# -- names and words --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("good", ["a", "renew-loan", "a1-2b", "0"])
def test_a_slug(good: str) -> None:
    """Lower-case words joined by single hyphens."""
    assert good == TypeAdapter(Slug).validate_python(good)


@pytest.mark.parametrize("bad", ["", "A", "a--b", "-a", "a-", "a_b", "a b", "a\n", "é", "a" * 81])
def test_what_is_no_slug(bad: str) -> None:
    """`--` is kept for the names of case folders."""
    with pytest.raises(ValidationError):
        TypeAdapter(Slug).validate_python(bad)


def test_the_words_of_the_specification() -> None:
    """Roles, ends, outcomes and diagnostics are closed sets with exactly these members."""
    assert {"system", "agent", "caller", "tool"} == {item.value for item in Role}
    assert {"tool_end", "caller_done", "turn_limit", "agent_disconnected", "protocol_error", "agent_idle"} == {
        item.value for item in EndReason
    }
    queue, program = {"matched", "mismatch", "default"}, {"answered", "tool_error"}
    assert queue | program | {"parse_error", "unknown_tool", "chain_limit"} == {item.value for item in Outcome}
    assert ["tool_choice", "arguments", "outcome", "rules"] == [item.value for item in TASK_DIAGNOSTICS]
    assert ["memory", "channel_recovery", "tool_speech", "spoken_form", "language", "closing"] == [
        item.value for item in CONVERSATION_DIAGNOSTICS
    ]
    assert set(Diagnostic) == {*TASK_DIAGNOSTICS, *CONVERSATION_DIAGNOSTICS}
    assert {Pillar.TASK} == {item.pillar for item in TASK_DIAGNOSTICS}
    assert {Pillar.CONVERSATION} == {item.pillar for item in CONVERSATION_DIAGNOSTICS}


# -- bytes ------------------------------------------------------------------------------------------------------------------


def test_equal_values_have_equal_bytes_and_hashes() -> None:
    """Keys are sorted, text is UTF-8, and there is one way to write a value."""
    assert b'{"a":"\xc3\xa9","b":[1,1.5,null,true]}' == canonical_json({"b": [1, 1.5, None, True], "a": "é"})
    assert b'{\n  "a": 1,\n  "b": 2\n}\n' == pretty_json({"b": 2, "a": 1})
    assert content_hash({"a": 1, "b": 2}) == content_hash({"b": 2, "a": 1}) == sha256(b'{"a":1,"b":2}')


def test_sha256_is_the_published_one() -> None:
    """FIPS 180-2 appendix B.1: the digest of "abc"."""
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert digest == sha256("abc") == sha256(b"abc") == TypeAdapter(Sha256).validate_python(digest)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {"a": ["\udfff"]}, {1: {2, 3}}])
def test_what_no_file_can_carry(value: object) -> None:
    """Infinite numbers, halves of surrogate pairs and Python's own types are no JSON."""
    assert not is_json(value)
    with pytest.raises((ValueError, TypeError)):
        pretty_json(value)


def test_half_a_surrogate_pair_becomes_its_escape() -> None:
    """Everything else of a text stays as it is."""
    assert "a\\ud800b é 😀" == encodable("a\ud800b é 😀")


def test_a_trace_shows_every_field_and_reads_back() -> None:
    """The format is final: a reader of a trace finds every field, and the version stands in it."""
    trace = play([turn(GREETING), turn("Look.", call("find_card", card_number="1")), turn("Bye.")])
    data = json.loads(trace_bytes(trace))
    assert "ringback-trace-1" == data["format"]
    assert {"format", "header", "messages", "caller_turns", "tool_events", "end", "end_detail", "recording"} == set(data)
    fields = "index role content tool_calls tool_call_id caller_turn audio interrupted_by voice spoken retakes attempts raw"
    assert set(fields.split()) == set(data["messages"][0])
    assert trace == Trace.model_validate_json(trace_bytes(trace))
