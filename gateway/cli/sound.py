"""`ringback speak`, `hear` and `measure`: the speech layer by hand."""

from __future__ import annotations

import argparse

from core.errors import EXIT_OK
from core.hearing import alignment, char_errors, word_errors
from core.text import normaliser_of
from gateway.cli.common import print_json
from gateway.settings import read_settings


def speak(args: argparse.Namespace) -> int:
    """Say a text into a file."""
    from gateway.lines import speak_to_file

    seconds, words = speak_to_file(
        args.text, args.out, voice=args.voice, language=args.language, seed=args.seed, cache_root=read_settings().cache_root
    )
    print(f"{args.out}: {seconds:.2f} s, {args.voice} said: {words}")
    return EXIT_OK


def hear(args: argparse.Namespace) -> int:
    """Transcribe a file."""
    from gateway.lines import hear_file

    transcript = hear_file(
        args.file, language=args.language, channel=args.channel, seed=args.seed, cache_root=read_settings().cache_root
    )
    if args.json:
        print_json(transcript)
    else:
        print(transcript["text"])
    return EXIT_OK


def measure(args: argparse.Namespace) -> int:
    """Measure errors of hearing."""
    name = normaliser_of(args.language)
    words, raw = word_errors(args.reference, args.heard, name), word_errors(args.reference, args.heard, "raw-v1")
    chars = char_errors(args.reference, args.heard, name)
    steps = alignment(args.reference, args.heard, name)
    rows = [{"op": step.operation, "said": " ".join(step.reference), "heard": " ".join(step.heard)} for step in steps]
    if args.json:
        print_json({"wer": words.rate, "raw_wer": raw.rate, "cer": chars.rate, "normaliser": name, "alignment": rows})
        return EXIT_OK
    print(
        f"WER {_rate(words.rate)} ({words.substitutions} substituted, {words.deletions} deleted, {words.insertions} inserted"
        f" of {words.reference_units}; {name}), raw WER {_rate(raw.rate)}, CER {_rate(chars.rate)}"
    )
    for row in rows:
        print(f"  {row['op']:10} {row['said'] or '-':30} {row['heard'] or '-'}")
    return EXIT_OK


def _rate(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"
