"""`ringback speak` and `hear`: the speech layer by hand."""

from __future__ import annotations

import argparse

from core.errors import EXIT_OK
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
