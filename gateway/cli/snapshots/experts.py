"""`ringback snapshot experts out` and `in`."""

from __future__ import annotations

import argparse
import textwrap

from core.errors import EXIT_OK
from core.files import write_atomic
from core.report.experts import NOTE, expert_lines
from core.schemas.base import pretty_json
from core.snapshots.experts.figures import expert_report
from core.snapshots.experts.filled import read_filled, read_key
from core.snapshots.experts.packets import KEY, draw_packets, write_packets
from gateway.cli.common import print_json, terminal_width
from gateway.cli.snapshots.months import month_calls

REPORT = "expert-report.json"
SHARED = 10
"""Of so many calls of a packet one is in all packets, where nothing else is asked for."""


def out(args: argparse.Namespace) -> int:
    """Write packets and their key."""
    month = month_calls(args.snapshot)
    shared = (args.items // SHARED if args.experts > 1 else 0) if args.shared is None else args.shared
    calls = [row.call for row in month.rows]
    made = draw_packets(
        calls, month.snapshot_id, month.root_sha256, items=args.items, experts=args.experts, shared=shared, seed=args.seed
    )
    write_packets(args.out, made)
    last = made.key.packets[-1].file
    span = made.key.packets[0].file + ("" if args.experts == 1 else f" to {last}")
    print(f"{args.out}: {span}, {args.items} calls each, {shared} of them in every packet; a page to read beside each")
    print(f"hand out a packet's .csv and .md, and never {KEY}, which names the labels")
    print(f"put filled packets in their place, then: ringback snapshot experts in {args.out}")
    return EXIT_OK


def read(args: argparse.Namespace) -> int:
    """Read filled packets and keep the report beside them."""
    key = read_key(args.folder)
    found = expert_report(key, read_filled(args.folder, key))
    path = args.folder / REPORT
    write_atomic(path, pretty_json(found.to_json()))
    if args.json:
        print_json(found.to_json())
        return EXIT_OK
    print("\n".join(expert_lines(found)))
    print("\n" + "\n".join(textwrap.wrap(NOTE, terminal_width())))
    print(f"\nreport  {path}")
    return EXIT_OK
