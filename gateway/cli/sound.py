"""`ringback speak`, `hear` and `measure`: the speech layer by hand."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.errors import EXIT_OK
from core.hearing import alignment, char_errors, word_errors
from core.text import normaliser_of
from gateway.cli.common import Formatter, Subparsers, command, print_json, seed
from gateway.settings import read_settings


def add_commands(commands: Subparsers, formatter: Formatter) -> None:
    """Add `speak`, `hear` and `measure`."""
    made = command(
        commands, formatter, "speak", "say a text into a sound file", "ringback speak 'Hello there.' -o hello.wav", _speak
    )
    made.add_argument("text", metavar="TEXT", help="what is said; numbers are verbalised first")
    made.add_argument("-o", "--out", type=Path, required=True, metavar="FILE", help=".wav or .flac")
    made.add_argument("--voice", default="hibari-heart", metavar="ID", help="voice id from `ringback models list`")
    made.add_argument("--language", default="en", metavar="TAG", help="language of the text")
    made.add_argument("--seed", type=seed, default=0, metavar="N", help="seed of voices that use one")

    made = command(
        commands, formatter, "hear", "print what the recogniser understands of a sound file", "ringback hear hello.wav", _hear
    )
    made.add_argument("file", type=Path, metavar="FILE", help="a sound file")
    made.add_argument("--language", default="en", metavar="TAG", help="language spoken")
    made.add_argument("--channel", default="clean", metavar="PRESET", help="send it through a channel first")
    made.add_argument("--json", action="store_true", help="machine form with segments")

    made = command(
        commands,
        formatter,
        "measure",
        "word and character errors between what was said and what was heard",
        "ringback measure --reference 'at half past two' --heard 'at 2:30'",
        _measure,
    )
    made.add_argument("--reference", required=True, metavar="TEXT", help="what was said")
    made.add_argument("--heard", required=True, metavar="TEXT", help="what was heard")
    made.add_argument("--language", default="en", metavar="TAG", help="language, which chooses the normaliser")
    made.add_argument("--json", action="store_true", help="machine form")


def _speak(args: argparse.Namespace) -> int:
    from gateway.lines import speak_to_file

    seconds, voice = speak_to_file(
        args.text, args.out, voice=args.voice, language=args.language, seed=args.seed, cache_root=read_settings().cache_root
    )
    print(f"{args.out}: {seconds:.2f} s, voice {voice}")
    return EXIT_OK


def _hear(args: argparse.Namespace) -> int:
    from gateway.lines import hear_file

    transcript = hear_file(args.file, language=args.language, channel=args.channel, cache_root=read_settings().cache_root)
    if args.json:
        print_json(transcript)
    else:
        print(transcript["text"])
    return EXIT_OK


def _measure(args: argparse.Namespace) -> int:
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
