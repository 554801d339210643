"""`ringback speak` and `hear`: the speech layer by hand."""

from __future__ import annotations

import argparse

from core.errors import EXIT_OK
from gateway.cli.common import print_json
from gateway.settings import read_settings


def speak(args: argparse.Namespace) -> int:
    """Say a text into a file."""
    from gateway.lines import speak_to_file

    seconds, voice, words = speak_to_file(
        args.text, args.out, voice=args.voice, language=args.language, seed=args.seed, settings=read_settings()
    )
    print(f"{args.out}: {seconds:.2f} s, {voice} said: {words}")
    return EXIT_OK


def hear(args: argparse.Namespace) -> int:
    """Transcribe a file."""
    from gateway.lines import LineSettings, hear_file

    settings = read_settings()
    lines = LineSettings(settings.cache_root, args.channel, recogniser=args.recogniser, endpoint=settings.endpoint)
    transcript = hear_file(args.file, language=args.language, seed=args.seed, settings=lines)
    if args.json:
        print_json(transcript)
    else:
        print(transcript["text"])
    return EXIT_OK
