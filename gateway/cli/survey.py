"""`ringback survey`: how well each voice is heard through each channel by each recogniser, in each language."""

from __future__ import annotations

import argparse

from core.errors import EXIT_OK, UsageError
from core.files import write_atomic
from core.hearing_table import merged, read_table
from core.phrases import phrase_languages, read_phrases
from core.report.text import table
from core.schemas.base import pretty_json
from core.schemas.phrases import HearingRow, HearingTable
from core.text import headline_of
from gateway import survey as surveying
from gateway.cli.common import Progress, listed, print_json
from gateway.settings import read_settings
from speech.channel.presets import NAMES, parse_channel
from speech.naming import AUTO


def survey(args: argparse.Namespace) -> int:
    """Measure and print the table."""
    if args.add and args.out is None:
        raise UsageError("--add needs --out: it names the table to add to")
    settings = read_settings()
    plan = surveying.Plan(settings.cache_root, args.seed, args.phrases, settings.endpoint)
    languages = (read_phrases(args.phrases).language,) if args.phrases else listed(args.languages) or phrase_languages()
    channels = [str(parse_channel(text)) for text in args.channel or NAMES]
    work = surveying.plan_work(languages, listed(args.voices), channels, args.recogniser or [AUTO])
    kept = read_table(args.out) if args.add and args.out.exists() else None
    bar = Progress(len(work), quiet=args.quiet)
    try:
        made = merged(kept, surveying.play(work, plan, args.concurrency, bar.step))
    finally:
        bar.close()
    if args.out is not None:
        write_atomic(args.out, pretty_json(made.to_json()))
    if args.json:
        print_json(made.to_json())
    else:
        print("\n".join(lines(made)))
    return EXIT_OK


def lines(made: HearingTable) -> list[str]:
    """The table for a terminal, the language's headline rate with its interval first."""
    head = ["lang", "recogniser", "voice", "channel", "half", "n", "headline", "95 %", "WER", "CER", "folded", "values", "empty"]
    return table([head, *map(_cells, made.rows)], right=(5, 6, 8, 9, 10, 11, 12))


def _cells(row: HearingRow) -> list[str]:
    name = headline_of(row.language)
    rate = row.wer if name == "wer" else row.cer
    survived = sum(each.survived for each in row.known_values.values())
    occurring = sum(each.occurring for each in row.known_values.values())
    return [
        row.language,
        row.recogniser,
        row.voice,
        row.preset if row.channel == str(parse_channel(row.preset)) else row.channel,
        row.split.value,
        str(row.n),
        f"{name.upper()} {rate.rate:.3f}",
        f"{rate.low:.3f}-{rate.high:.3f}",
        f"{row.wer.rate:.3f}",
        f"{row.cer.rate:.3f}",
        "" if row.folded_cer is None else f"{row.folded_cer.rate:.3f}",
        f"{survived}/{occurring}",
        str(row.empty),
    ]
