"""`ringback measure`: what hearing cost, of words given, of two files, or of a run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from core.errors import EXIT_OK, FileError, UsageError
from core.files import read_bytes, write_atomic
from core.report.hearing import pairs_markdown, pairs_text, report_markdown, report_text
from core.runs.measure import Given, measure_pairs, measure_run
from core.runs.store import RunStore
from core.runs.trust import shipped_table
from core.schemas.base import Condition
from core.schemas.hearing import HearingReport, PairsReport
from core.spoken import Kind
from gateway.cli.common import print_json, split_run, terminal_width


def measure(args: argparse.Namespace) -> int:
    """Measure errors of hearing."""
    _one_form(args)
    if args.source is not None:
        _show(args, *_run(args))
    else:
        report = measure_pairs(_pairs(args), args.language, [_given(text) for text in args.value])
        _show(args, report, pairs_text(report, terminal_width()), pairs_markdown(report))
    return EXIT_OK


def _one_form(args: argparse.Namespace) -> None:
    """Refuse a mixture of the three forms, and halves of one."""
    texts, files = [args.reference, args.heard], [args.reference_file, args.heard_file]
    chosen = [
        name for name, parts in (("run", [args.source]), ("texts", texts), ("files", files)) if any(p is not None for p in parts)
    ]
    whole = None not in (texts if chosen == ["texts"] else files if chosen == ["files"] else [])
    if len(chosen) != 1 or not whole:
        raise UsageError("give a RUN, or --reference and --heard, or --reference-file and --heard-file: one of these three")
    if chosen == ["run"] and args.value:
        raise UsageError("--value names what was said in texts and files; a run knows the values of its callers")
    if chosen != ["run"] and args.turns:
        raise UsageError("--turns is for a RUN; texts and files are shown utterance by utterance")


def _run(args: argparse.Namespace) -> tuple[HearingReport, str, str]:
    folder, name = split_run(args.source)
    store = RunStore.open(folder)
    report = measure_run(store, store.bundle(), None if name is None else _named(name), shipped_table())
    return report, report_text(report, terminal_width(), args.turns, sys.stdout.isatty()), report_markdown(report)


def _named(name: str) -> Condition:
    try:
        return Condition(name)
    except ValueError:
        raise UsageError(f"no condition {name!r}: use one of {', '.join(Condition)}") from None


def _pairs(args: argparse.Namespace) -> list[tuple[str, str]]:
    """What was said and heard, one utterance from the texts or one of each line of the files."""
    if args.reference is not None:
        return [(args.reference, args.heard)]
    said, heard = (_lines(path) for path in (args.reference_file, args.heard_file))
    if len(said) != len(heard):
        raise UsageError(
            f"{args.reference_file} has {len(said)} lines and {args.heard_file} {len(heard)}: write one utterance on each line of"
            " both, and an empty line where nothing was heard"
        )
    return list(zip(said, heard, strict=True))


def _lines(path: Path) -> list[str]:
    try:
        text = read_bytes(path, "utterances").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: byte {error.start} is no UTF-8: save the file as UTF-8 text") from None
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def _given(text: str) -> Given:
    kind, equals, value = text.partition("=")
    if not equals or kind not in list(Kind):
        raise UsageError(f"{text!r}: write KIND=VALUE, the kind being one of {', '.join(Kind)}")
    return Kind(kind), value


def _show(args: argparse.Namespace, report: HearingReport | PairsReport, text: str, markdown: str) -> None:
    if args.markdown is not None:
        write_atomic(args.markdown, markdown.encode())
    if args.json:
        print_json(report.to_json())
    else:
        print(text, end="")
