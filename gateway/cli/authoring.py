"""`ringback bundle author`."""

from __future__ import annotations

import argparse

from core.errors import EXIT_OK, UsageError
from core.schemas.generation import Slot
from gateway import authoring
from gateway.cli.common import Progress, bundle_folder, listed, print_json


def author(args: argparse.Namespace) -> int:
    """Draft scenarios."""
    languages = listed(args.languages)
    if not languages:
        raise UsageError("--languages names none: write codes with commas between, such as hi,en")
    read = authoring.read_agent(args.agent, bundle_folder(args.bundle) if args.bundle else None)
    progress = Progress(args.scenarios, quiet=args.quiet)
    try:
        generation = authoring.author(
            read,
            args.model,
            args.out,
            count=args.scenarios,
            languages=languages,
            rounds=args.rounds,
            seed=args.seed,
            told=lambda slot: progress.step(slot.scenario or f"none for {slot.number}"),
        )
    finally:
        progress.close()
    if args.json:
        print_json(generation.to_json())
        return EXIT_OK
    for slot in generation.slots:
        _tell(slot)
    print(f"{generation.accepted} of {len(generation.slots)} scenarios written, {generation.rejected} drafts rejected")
    print(f"wrote {args.out}, all of this in {args.out / authoring.RECORD}; read each scenario before you trust it")
    return EXIT_OK


def _tell(slot: Slot) -> None:
    print(f"{slot.number} {slot.language} {slot.difficulty.value}: {slot.scenario or slot.failure or 'none'}")
    for rejection in slot.rejections:
        for reason in rejection.reasons:
            print(f"    draft {rejection.round} rejected: {reason}")
