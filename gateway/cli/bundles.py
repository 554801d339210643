"""`ringback bundle new|check|lock|show`."""

from __future__ import annotations

import argparse

from core.authoring.describe import describe_agent, describe_scenario
from core.authoring.starter import write_starter
from core.bundle import Bundle, load_bundle, lock_bundle
from core.errors import EXIT_OK, BundleError, UsageError
from core.prompt import render_prompt
from core.schemas.base import sha256
from gateway.cli.common import bundle_folder, print_json
from gateway.lines import spoken_languages


def new(args: argparse.Namespace) -> int:
    """Write a first bundle."""
    for path in write_starter(args.folder, agent=args.agent, language=args.language):
        print(f"wrote {args.folder / path}")
    candidate = "" if args.language == "en" else " --candidate offline:reference"
    print(f"next: ringback bundle check {args.folder}; ringback run {args.folder}{candidate}")
    return EXIT_OK


def check(args: argparse.Namespace) -> int:
    """Check a bundle."""
    try:
        bundle = load_bundle(bundle_folder(args.bundle), spoken=spoken_languages())
    except BundleError as error:
        if not args.json:
            raise
        print_json({"faults": [{"file": fault.file, "field": fault.field, "reason": fault.reason} for fault in error.faults]})
        return error.exit_code
    if args.json:
        print_json(
            {
                "id": bundle.file.id,
                "version": bundle.file.version,
                "bundle_hash": bundle.bundle_hash,
                "locked": bundle.locked,
                "agents": len(bundle.agents),
                "scenarios": len(bundle.scenarios),
                "faults": [],
            }
        )
        return EXIT_OK
    state = "locked" if bundle.locked else "not locked: run `ringback bundle lock`"
    print(f"{bundle.file.id} {bundle.file.version}: {len(bundle.agents)} agents, {len(bundle.scenarios)} scenarios, no faults")
    print(f"bundle hash {bundle.bundle_hash} ({state})")
    return EXIT_OK


def lock(args: argparse.Namespace) -> int:
    """Lock a bundle."""
    bundle = load_bundle(bundle_folder(args.bundle), spoken=spoken_languages())
    path = lock_bundle(bundle)
    print(f"wrote {path}: {len(bundle.files)} files, bundle hash {bundle.bundle_hash}")
    return EXIT_OK


def show(args: argparse.Namespace) -> int:
    """Show one."""
    bundle = load_bundle(bundle_folder(args.bundle))
    if args.prompt:
        if args.prompt not in bundle.scenarios:
            raise UsageError(f"no scenario {args.prompt!r}; scenarios: {', '.join(bundle.scenarios)}")
        prompt = bundle.prompt(bundle.scenarios[args.prompt])
        print(prompt)
        print(f"-- sha256 {sha256(prompt)}, {len(prompt)} characters")
        return EXIT_OK
    if args.id:
        return _show_one(bundle, args.id, as_json=args.json)
    rows = [
        {
            "scenario": scenario.id,
            "agent": scenario.agent,
            "domain": bundle.agent_of(scenario).domain,
            "direction": bundle.agent_of(scenario).direction.value,
            "language": scenario.language,
            "difficulty": scenario.difficulty.value,
            "steps": len(scenario.caller.plan),
            "actions": len(scenario.expected),
            "criteria": len(scenario.criteria),
            "prompt_characters": len(render_prompt(bundle.templates[scenario.agent], scenario.variables)),
        }
        for scenario in bundle.scenarios.values()
    ]
    if args.json:
        print_json({"id": bundle.file.id, "version": bundle.file.version, "bundle_hash": bundle.bundle_hash, "scenarios": rows})
        return EXIT_OK
    print(f"{bundle.file.id} {bundle.file.version}  {bundle.file.title}\nbundle hash {bundle.bundle_hash}\n")
    head = f"{'scenario':34} {'agent':20} {'difficulty':10} {'language':8} {'steps':>5} {'actions':>7} {'criteria':>8}"
    print(head)
    for row in rows:
        print(
            f"{row['scenario']:34} {row['agent']:20} {row['difficulty']:10} {row['language']:8}"
            f" {row['steps']:>5} {row['actions']:>7} {row['criteria']:>8}"
        )
    return EXIT_OK


def _show_one(bundle: Bundle, name: str, *, as_json: bool) -> int:
    """Show an agent or a scenario; where both have the name, both."""
    agent, scenario = bundle.agents.get(name), bundle.scenarios.get(name)
    if agent is None and scenario is None:
        raise UsageError(
            f"no agent or scenario {name!r}; agents: {', '.join(bundle.agents)}; scenarios: {', '.join(bundle.scenarios)}"
        )
    if as_json:
        print_json({"agent": agent and agent.to_json(), "scenario": scenario and scenario.to_json()})
        return EXIT_OK
    texts = [describe_agent(agent, bundle.templates[name], bundle.scenarios)] if agent is not None else []
    texts += [describe_scenario(scenario, bundle.agent_of(scenario))] if scenario is not None else []
    print("\n\n".join(texts))
    return EXIT_OK
