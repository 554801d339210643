"""A bundle written by a chat model: the agent read, the drafts made, what is sound written with the record of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from core.audits.agent import audit_agent
from core.authoring.drafts import plan_slots
from core.authoring.files import write_agent, write_scenario, write_yaml
from core.authoring.starter import refuse_full
from core.bundle import load_bundle
from core.errors import BundleError, Fault, FileError, InputError, ProviderError, UsageError
from core.files import new_folder
from core.schemas.base import Slug, pretty_json
from core.schemas.bundle import Agent
from core.schemas.generation import Generation, Slot
from core.validation import validate
from core.yamlfile import read_data
from gateway.lines import spoken_languages
from gateway.parties import make_author

RECORD = "generation.json"
Read = tuple[Agent, str, str]
"""An agent, its instructions, and the licence they are under."""


def read_agent(agent: str, bundle: Path | None) -> Read:
    """An agent of a bundle by its id, or from a folder with agent.yaml and its instructions; raises InputError."""
    if bundle is not None:
        loaded = load_bundle(bundle)
        if agent not in loaded.agents:
            raise UsageError(f"no agent {agent!r} in {bundle}; agents: {', '.join(loaded.agents)}")
        return loaded.agents[agent], loaded.templates[agent], loaded.file.licence
    folder = Path(agent)
    read = validate(Agent, read_data(folder / "agent.yaml"))
    faults = list(read.faults)
    if read.value is None or faults:
        raise BundleError(agent, [Fault("agent.yaml", where, reason) for where, reason in faults])
    try:
        template = (folder / read.value.instructions).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise FileError(f"{folder / read.value.instructions}: no readable text here: write the agent's instructions") from None
    if found := list(audit_agent(read.value, template)):
        raise BundleError(agent, [Fault("agent.yaml", where, reason) for where, reason in found])
    return read.value, template, "LicenseRef-unknown"


def author(
    read: Read,
    model: str,
    folder: Path,
    *,
    count: int,
    languages: Sequence[str],
    rounds: int,
    seed: int,
    told: Callable[[Slot], None],
) -> Generation:
    """Write a bundle of `count` scenarios at most as `folder`.

    Raises:
        UsageError: an unknown party, a language without voices or script, or a folder whose name names no bundle.
        OperatorError: the model cannot be reached as it is named.
        ProviderError: it failed, and no scenario came of it.
        InputError: every draft was rejected; nothing is written.
    """
    agent, template, licence = read
    name = _bundle_id(folder)
    refuse_full(folder)
    voices = spoken_languages()
    if mute := [language for language in languages if language.split("-")[0] not in voices]:
        raise UsageError(f"no voice speaks {', '.join(mute)}; voices exist for {', '.join(sorted(voices))}")
    wanted = plan_slots(count, list(languages))
    scenarios, generation = make_author(model, agent, template).write(wanted, seed=seed, rounds=rounds, told=told)
    if not scenarios:
        failures = [slot.failure for slot in generation.slots if slot.failure]
        if failures:
            raise ProviderError(f"no scenario was written: {failures[-1]}")
        last = [f"  {slot.number}: {reason}" for slot in generation.slots for reason in slot.rejections[-1].reasons[:3]]
        raise InputError(f"all {generation.rejected} drafts were rejected, and nothing was written:\n" + "\n".join(last))
    with new_folder(folder) as work:
        write_agent(work, agent, template)
        for scenario in scenarios.values():
            write_scenario(work, scenario)
        (work / RECORD).write_bytes(pretty_json(generation.to_json()))
        write_yaml(
            work / "bundle.yaml",
            {
                "format": "ringback-bundle-1",
                "id": name,
                "version": "0.1.0",
                "title": f"{agent.name}: {len(scenarios)} drafted calls",
                "languages": sorted({scenario.language for scenario in scenarios.values()}),
                "licence": licence,
                "generation": {
                    "method": "drafted by a chat model, audited by a program; read each scenario before you trust it",
                    "model": generation.author.party,
                    "record": RECORD,
                    "seed": seed,
                    "accepted": generation.accepted,
                    "rejected_drafts": generation.rejected,
                },
            },
        )
    load_bundle(folder, spoken=voices)
    return generation


def _bundle_id(folder: Path) -> str:
    from pydantic import TypeAdapter, ValidationError

    name = folder.resolve().name
    try:
        return TypeAdapter(Slug).validate_python(name)
    except ValidationError:
        raise UsageError(f"{name!r} cannot name a bundle: use lower-case words joined by hyphens") from None
