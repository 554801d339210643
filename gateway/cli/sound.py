"""`ringback speak`, `hear` and `measure`: the speech layer by hand."""

from __future__ import annotations

import argparse

from pydantic import JsonValue

from core.errors import EXIT_OK, UsageError
from core.hearing import KnownValue, alignment, char_errors, known_values, word_errors
from core.spoken import Kind, Reading, read
from core.text import normaliser_of
from gateway.cli.common import print_json
from gateway.settings import read_settings

_KINDS = (Kind.EMAIL, Kind.DATE, Kind.TIME, Kind.DIGITS, Kind.CODE, Kind.NUMBER)
"""Kinds that are read out of any words, beside amounts of money; names and choices need a list to be read from."""


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
    values = _values(args.reference, args.heard, args.language)
    if args.json:
        known = None if values is None else [_value_row(reading, value) for reading, value in values]
        found = {"wer": words.rate, "raw_wer": raw.rate, "cer": chars.rate, "normaliser": name}
        print_json({**found, "alignment": rows, "known_values": known})
        return EXIT_OK
    print(
        f"WER {_rate(words.rate)} ({words.substitutions} substituted, {words.deletions} deleted, {words.insertions} inserted"
        f" of {words.reference_units}; {name}), raw WER {_rate(raw.rate)}, CER {_rate(chars.rate)}"
    )
    for row in rows:
        print(f"  {row['op']:10} {row['said'] or '-':30} {row['heard'] or '-'}")
    if values is None:
        print(f"known values: not read in {args.language!r}")
        return EXIT_OK
    print(f"known values: {sum(value.survived for _, value in values)} of {len(values)} survived")
    for reading, value in values:
        state = "survived" if value.survived else "damaged"
        print(f"  {state:10} {value.said:30} {value.heard or '-':30} {reading.kind.value} {reading.value}")
    return EXIT_OK


def _values(reference: str, heard: str, language: str) -> list[tuple[Reading, KnownValue]] | None:
    """Every value that a listener reads out of the reference, and what became of it; None in a language without readings."""
    try:
        said = _readings(reference, language)
    except UsageError:
        return None
    facts = {str(number): (reading.value, reading.kind) for number, reading in enumerate(said)}
    return [(said[int(value.key)], value) for value in known_values(facts, reference, heard, language=language)]


def _readings(text: str, language: str) -> list[Reading]:
    """Readings of every kind that can be told apart, in order; of those that overlap, the longest, then the first kind's."""
    # Bare numbers count as amounts only where no currency is said at all, so one is said behind the text.
    amounts = [reading for reading in read(f"{text}\n$1", Kind.MONEY, language=language) if reading.end <= len(text)]
    found = amounts + [reading for kind in _KINDS for reading in read(text, kind, language=language)]
    chosen: list[Reading] = []
    for reading in sorted(found, key=lambda item: item.start - item.end):
        if all(reading.end <= other.start or other.end <= reading.start for other in chosen):
            chosen.append(reading)
    return sorted(chosen, key=lambda item: item.start)


def _value_row(reading: Reading, value: KnownValue) -> dict[str, JsonValue]:
    return {
        "kind": reading.kind.value,
        "value": reading.value,
        "said": value.said,
        "heard": value.heard,
        "survived": value.survived,
    }


def _rate(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"
