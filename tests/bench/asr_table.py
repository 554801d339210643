"""What hearing costs with the real engines alone: every voice through every channel, word errors and known values.

python -m tests.bench.asr_table [--channels clean landline ...] [--sentences FILE] [--errors] [--cache DIR]

Without `--cache` it starts from empty caches. Two processes with different hash seeds must print the same digest.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from core.hearing import WordErrors, char_errors, known_values, pool, word_errors
from core.seeds import generator
from core.spoken import Kind
from models import registry
from models.specs import ModelSpec
from models.weights import locate
from speech.channel.presets import parse_channel
from speech.engines import cpu_features
from speech.line import open_line
from speech.recording import SAMPLE_RATE
from speech.spoken_form import spoken_form
from speech.studio import Studio, build_studio

CHANNELS = ("clean", "landline", "landline:snr=5,loss=0.05")
NOW = "2026-03-02T09:00"
NORMALISER, RAW = "en-v2", "raw-v1"

# What callers say, with the value that must survive. None of these stands in a shipped bundle.
SENTENCES: tuple[tuple[str, str | float, Kind], ...] = (
    ("Good morning, I'd like to change the address on my policy.", "", Kind.TEXT),
    ("The meter number is three zero eight, five five one, nine two four.", "308551924", Kind.DIGITS),
    ("My reference is seven one four four, zero nine six two.", "71440962", Kind.DIGITS),
    ("You can reach me at two oh six, five five five, zero one eight three.", "2065550183", Kind.DIGITS),
    ("The last four digits are eight eight one three.", "8813", Kind.DIGITS),
    ("It says one hundred and eighty four dollars and twenty cents.", 184.2, Kind.MONEY),
    ("I only owe sixty two fifty, not more.", 62.5, Kind.MONEY),
    ("They took nine hundred dollars out of my account.", 900, Kind.MONEY),
    ("It happened on the seventeenth of April.", "2026-04-17", Kind.DATE),
    ("I was born on November third, nineteen seventy four.", "1974-11-03", Kind.DATE),
    ("Would June the twenty second be possible?", "2026-06-22", Kind.DATE),
    ("A quarter past four in the afternoon would suit me.", "16:15", Kind.TIME),
    ("Please send somebody at nine thirty in the morning.", "09:30", Kind.TIME),
    ("I get home at half past six in the evening.", "18:30", Kind.TIME),
    ("My name is Henrietta Szymanska.", "Henrietta Szymanska", Kind.NAME),
    ("This is Robert Whitfield speaking.", "Robert Whitfield", Kind.NAME),
    ("You can write to clara dot benson at example dot org.", "clara.benson@example.org", Kind.EMAIL),
    ("The booking code is K, R, seven, two, P.", "KR72P", Kind.CODE),
    ("There are twenty three boxes on the pallet.", 23, Kind.NUMBER),
    ("No, I never agreed to that, and I want to speak to somebody else.", "", Kind.TEXT),
    ("Could you say that again a little slower, please?", "", Kind.TEXT),
    ("The heating has been off since the day before yesterday.", "", Kind.TEXT),
    ("Thanks for your help, goodbye.", "", Kind.TEXT),
    ("Hold on a second, I have to find my glasses.", "", Kind.TEXT),
)


@dataclass
class Row:
    """Sums over the sentences of one voice on one channel."""

    words: list[WordErrors] = field(default_factory=list)
    raw: list[WordErrors] = field(default_factory=list)
    chars: list[WordErrors] = field(default_factory=list)
    said: Counter[Kind] = field(default_factory=Counter)
    survived: Counter[Kind] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    cpu_s: float = 0.0

    def __str__(self) -> str:
        exact = sum(not item.edits for item in self.words)
        values = " ".join(f"{kind.value} {self.survived[kind]}/{self.said[kind]}" for kind in sorted(self.said))
        rates = [f"{pool(errors).rate * 100:5.1f}" for errors in (self.words, self.raw, self.chars)]
        return f"{' | '.join(rates)} | {exact}/{len(self.words)} | {self.cpu_s / len(self.words):.2f} | {values}"


def main() -> int:
    """Print the table, then whether another process arrives at the same samples and words."""
    args = _arguments()
    if args.digest:
        print(_play(build_studio(args.cache), args.channels, _sentences(args.sentences), None))
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        cache = args.cache or Path(scratch) / "first"
        _load_times(cache)
        rows: dict[tuple[str, str], Row] = {}
        first = _play(build_studio(cache), args.channels, _sentences(args.sentences), rows)
        print("\nvoice | channel | WER % | raw WER % | CER % | exact | CPU-s per turn heard | known values")
        for (voice, channel), row in rows.items():
            print(f"{voice} | {channel} | {row}")
            for line in row.wrong if args.errors else ():
                print(f"    {line}")
        second = Path(scratch) / "second"
        second.mkdir()
        (second / "weights").symlink_to((cache / "weights").resolve())
        other = _other_process(args, second)
    print(
        f"\nanother process, empty caches, other hash seed: {'the same bytes' if other == first else f'{other} is not {first}'}"
    )
    return 0 if other == first else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="word errors and known values, voice by channel")
    parser.add_argument("--channels", nargs="+", default=list(CHANNELS))
    parser.add_argument("--sentences", type=Path, help="a file with one sentence a line, instead of the built-in ones")
    parser.add_argument("--errors", action="store_true", help="print every sentence that was misheard")
    parser.add_argument("--cache", type=Path, help="cache folder to use and fill")
    parser.add_argument("--digest", action="store_true", help="print only the hash of all samples and words")
    return parser.parse_args()


def _sentences(path: Path | None) -> tuple[tuple[str, str | float, Kind], ...]:
    if path is None:
        return SENTENCES
    return tuple((line.strip(), "", Kind.TEXT) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def _load_times(cache: Path) -> None:
    print(f"CPU features: {' '.join(cpu_features())}")
    studio = build_studio(cache)
    for spec in registry.catalogue().values():
        start = time.perf_counter()
        locate(spec.id, cache)
        located = time.perf_counter()
        locate(spec.id, cache)
        print(f"{spec.id}: located in {located - start:.2f} s, verified again in {time.perf_counter() - located:.2f} s", end="")
        print(f", first sound after {_first_use(studio, spec):.2f} s")


def _first_use(studio: Studio, spec: ModelSpec) -> float:
    start = time.perf_counter()
    second = (
        studio.voice(registry.get("hibari-heart")).synthesize("Hello.", language="en", seed=0, pace=1.0).resampled(SAMPLE_RATE)
    )
    if spec.id == "whisper-base":
        studio.listener("en").recognizer.transcribe(second, language="en")
    elif spec.id == "silero-vad":
        studio.listener("en").detector.speech(second)
    elif spec.id != "hibari-heart":
        studio.voice(spec).synthesize("Hello.", language="en", seed=0, pace=1.0)
    return time.perf_counter() - start


def _play(
    studio: Studio,
    channels: list[str],
    sentences: tuple[tuple[str, str | float, Kind], ...],
    rows: dict[tuple[str, str], Row] | None,
) -> str:
    """Say and hear everything; returns a hash over all samples and words, and fills `rows`."""
    digest = hashlib.sha256()
    for spec in map(registry.get, ("hibari-heart", "piper-joe")):
        for channel in channels:
            row = Row()
            for number, (text, value, kind) in enumerate(sentences):
                spoken = studio.speaker.say(spoken_form(text, "en"), [studio.voice(spec)], language="en", seed=0, pace=1.0)
                sent = open_line([spoken.clip.resampled(SAMPLE_RATE)])
                clip = parse_channel(channel).apply(sent, generator(number, channel)).quantised()
                started = time.process_time()
                listener = studio.listener("en")
                heard = " ".join(listener.hear(clip.cut(*span), "en").text for span in listener.cut(clip))
                row.cpu_s += time.process_time() - started
                digest.update(f"{clip.sha256} {heard}\n".encode())
                _score(row, text, heard, value, kind)
            if rows is not None:
                rows[spec.id, channel] = row
    return digest.hexdigest()


def _score(row: Row, text: str, heard: str, value: str | float, kind: Kind) -> None:
    row.words.append(word_errors(text, heard, NORMALISER))
    row.raw.append(word_errors(text, heard, RAW))
    row.chars.append(char_errors(text, heard, NORMALISER))
    survived = None
    if value:
        for found in known_values({"fact_1": (value, kind)}, text, heard, now=NOW):
            survived = found.survived
            row.said[kind] += 1
            row.survived[kind] += survived
    if row.words[-1].edits or survived is False:
        row.wrong.append(f"{text} | {heard}" + (f" | lost {value!r}" if survived is False else ""))


def _other_process(args: argparse.Namespace, cache: Path) -> str:
    command = [sys.executable, "-m", "tests.bench.asr_table", "--digest", "--cache", str(cache), "--channels", *args.channels]
    if args.sentences:
        command += ["--sentences", str(args.sentences)]
    environment = {**os.environ, "PYTHONHASHSEED": "41"}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
