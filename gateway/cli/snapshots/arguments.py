"""The arguments of `ringback snapshot ...`. Nothing heavy is imported: `--help` answers at once."""

from __future__ import annotations

import argparse
from pathlib import Path

from gateway.cli.argument_parts import Subparsers, command, natural, recogniser, up_to
from gateway.defaults import DEFAULT_BUILDERS, DEFAULT_SEED, DEFAULT_SNAPSHOT_RECOGNISER, DEFAULT_SNAPSHOT_VOICES

OWN_TRANSCRIPTS = "auto (the month's own transcripts)"
"""What `--recogniser auto` is where a month is asked about."""


def add_snapshots(commands: Subparsers) -> None:
    """Add the group."""
    help_ = "build, freeze, check and evaluate months of labelled recorded calls (telecom fraud against lawful calls)"
    group = command(commands, "snapshot", help_, "ringback snapshot demo", None)
    inner = group.add_subparsers(dest="action", metavar="ACTION", required=True)
    _making(inner)
    _keeping(inner)
    _evaluating(inner)
    _examining(inner)


def _making(inner: Subparsers) -> None:
    help_ = "build, freeze, verify, evaluate and report a small month, offline"
    demo = command(inner, "demo", help_, "ringback snapshot demo", "snapshots.demo:demo")
    demo.add_argument("--out", type=Path, metavar="DIR", help="folder; without it, the next free runs/snapshot*; again to go on")
    _sized(demo)
    demo.set_defaults(language="en")  # the language that a fresh install has people's voices in
    _at_once(demo)

    help_ = "cases to voiced calls that passed quality control, not yet frozen; run it again on the same folder to go on"
    build = command(inner, "build", help_, "ringback snapshot build --small --out builds/first", "snapshots.build:build")
    _sized(build)
    build.add_argument("--small", action="store_true", help="40 fraud and 20 lawful calls instead of 600 and 300")
    for name, label in (("--fraud", "fraud"), ("--nonfraud", "lawful")):
        build.add_argument(name, type=up_to(100_000), metavar="N", help=f"{label} calls, instead of the contract's")
    build.add_argument("--month", metavar="YYYY-MM", help="month it stands for; without it, this one")
    build.add_argument("--id", metavar="NAME", help="name of the snapshot; without it, made of month, language and size")
    build.add_argument("--trees", type=up_to(100_000), metavar="N", help="trees to grow; without it, as many as the calls need")
    help_ = "who writes: offline:snapshots, or a chat model in all roles; <role>=PARTY for one of them, may be repeated"
    build.add_argument("--agents", action="append", metavar="PARTY", help=f"{help_} (default: {DEFAULT_BUILDERS})")
    build.add_argument("--voices", default=DEFAULT_SNAPSHOT_VOICES, metavar="LIST", help="voices to cast from")
    help_ = "telephone channel, drawn for each tree; may be repeated; without it, landline, mobile, voip and speakerphone"
    build.add_argument("--channel", action="append", metavar="PRESET", help=help_)
    build.add_argument("--text-only", action="store_true", help="no recordings and no transcripts")
    recogniser(build, DEFAULT_SNAPSHOT_RECOGNISER)
    _at_once(build)
    build.add_argument("--out", type=Path, required=True, metavar="BUILD", help="folder of the build")

    help_ = "make the recordings of a month again from its words and recipe, and say how near they are to the frozen ones"
    made = command(inner, "rebuild", help_, "ringback snapshot rebuild 2026-11-zh-small --out rebuilt", "snapshots.build:rebuild")
    made.add_argument("snapshot", metavar="SNAPSHOT", help="folder, or the name of a month that ships")
    made.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the whole month; again to go on")
    _at_once(made)
    made.add_argument("--json", action="store_true", help="machine form")


def _sized(made: argparse.ArgumentParser) -> None:
    made.add_argument("--language", choices=("zh", "en"), default="zh", help="language of the calls")
    made.add_argument("--seed", type=natural, default=DEFAULT_SEED, metavar="N", help="seed of cases, words and sound")


def _at_once(made: argparse.ArgumentParser) -> None:
    made.add_argument("--concurrency", type=up_to(64), default=2, metavar="N", help="processes that speak and hear")


def _keeping(inner: Subparsers) -> None:
    help_ = "turn a finished build into a month that never changes again; refuses where the contract is not met"
    made = command(inner, "freeze", help_, "ringback snapshot freeze builds/first", "snapshots.keep:freeze")
    made.add_argument("build", type=Path, metavar="BUILD", help="folder of a finished build")
    made.add_argument("--out", type=Path, metavar="DIR", help="folder of the snapshot; without it, snapshots/<id>")
    help_ = "a month that this one amends or follows, its root hash is recorded; may be repeated"
    made.add_argument("--parent", type=Path, action="append", default=[], metavar="SNAPSHOT", help=help_)

    help_ = "hold a month against its hashes, its contract and its own labels; exit 1 where anything differs"
    made = command(inner, "verify", help_, "ringback snapshot verify 2026-11-zh-small", "snapshots.keep:verify")
    made.add_argument("snapshot", metavar="SNAPSHOT", help="folder, or the name of a month that ships")
    help_ = "hear recordings that were made again elsewhere; without it nothing tells that they say the same (exit 1)"
    made.add_argument("--hear", action="store_true", help=help_)
    made.add_argument("--json", action="store_true", help="machine form")

    help_ = "compare the contracts and contents of two months, and what they share"
    made = command(inner, "diff", help_, "ringback snapshot diff snapshots/a snapshots/b", "snapshots.keep:diff")
    for name in ("before", "after"):
        made.add_argument(name, metavar=name.upper(), help="folder, or the name of a month that ships")
    made.add_argument("--json", action="store_true", help="machine form")


def _evaluating(inner: Subparsers) -> None:
    help_ = "ask a detector about every call of a month; run it again on the same folder to go on"
    example = "ringback snapshot evaluate snapshots/a --detector offline:tfidf-lr --mode asr --out evals/a-lr"
    made = command(inner, "evaluate", help_, example, "snapshots.evaluate:evaluate")
    made.add_argument("snapshot", metavar="SNAPSHOT", help="folder, or the name of a month that ships")
    help_ = "offline:<name>, litellm:<provider>/<model>, audio-chat:<provider>/<model>, or a class of yours"
    made.add_argument("--detector", required=True, metavar="PARTY", help=help_)
    help_ = "what it is given: the recording, its transcript, or the words as written"
    made.add_argument("--mode", choices=("audio", "asr", "ref"), default="asr", help=help_)
    made.add_argument("--prompt", choices=("zh", "en"), help="language of a chat model's prompt; without it, the calls'")
    recogniser(made, auto=OWN_TRANSCRIPTS)
    made.add_argument("--concurrency", type=up_to(64), metavar="N", help="calls at once; without it 8 for chat models, else 1")
    made.add_argument("--again", action="store_true", help="ask again where no answer came, or none in time")
    made.add_argument("--out", type=Path, required=True, metavar="EVAL", help="folder of the evaluation")

    help_ = "tables and page of evaluations: both recalls, collapse, class priors, intervals over trees, months side by side"
    made = command(inner, "report", help_, "ringback snapshot report evals/a-lr evals/a-svm", "snapshots.report:report")
    made.add_argument("evaluations", type=Path, nargs="+", metavar="EVAL", help="folders of evaluations")
    help_ = "a month that was evaluated, for --joined and --only; may be repeated"
    made.add_argument("--snapshot", action="append", default=[], metavar="SNAPSHOT", help=help_)
    help_ = "count these calls alone: those agreed on in an expert-report.json, or those of a list of ids; needs --snapshot"
    made.add_argument("--only", type=Path, metavar="FILE", help=help_)
    help_ = "a report of `ringback snapshot audit` to show too; may be repeated"
    made.add_argument("--audit", type=Path, action="append", default=[], metavar="FILE", help=help_)
    help_ = "order of the rows; never fraud F1 alone, which whoever calls everything fraud wins"
    orders = ("balanced_accuracy", "macro_f1", "weaker_recall")
    made.add_argument("--sort", choices=orders, default=orders[0], help=help_)
    made.add_argument("--joined", action="store_true", help="print one JSON row for each call and evaluation")
    made.add_argument("--html", type=Path, metavar="FILE", help="write the page here")
    help_ = "write the tables here; without FILE, print them"
    made.add_argument("--json", type=Path, metavar="FILE", nargs="?", const=Path("-"), help=help_)

    help_ = "what delivery changes: the same calls said in their deliveries and without, and each detector on both"
    example = "ringback snapshot ablate snapshots/a --detector offline:acoustic --out ablation"
    made = command(inner, "ablate", help_, example, "snapshots.ablate:ablate")
    made.add_argument("snapshot", metavar="SNAPSHOT", help="folder, or the name of a month that ships")
    made.add_argument("--detector", action="append", required=True, metavar="PARTY", help="who answers; may be repeated")
    made.add_argument("--mode", choices=("audio", "asr"), action="append", help="may be repeated; without it, what it can take")
    made.add_argument("--prompt", choices=("zh", "en"), help="language of a chat model's prompt; without it, the calls'")
    made.add_argument("--calls", type=up_to(100_000), default=15, metavar="N", help="calls")
    made.add_argument("--seed", type=natural, default=DEFAULT_SEED, metavar="N", help="seed of the choice of calls")
    recogniser(made, auto=OWN_TRANSCRIPTS)
    _at_once(made)
    made.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of all of it; again to go on")
    made.add_argument("--json", action="store_true", help="machine form")


def _examining(inner: Subparsers) -> None:
    help_ = "how hard the lawful calls of a month are, and whether anything but the evidence gives a label away; exit 1 if so"
    made = command(inner, "audit", help_, "ringback snapshot audit snapshots/a", "snapshots.audit:audit")
    made.add_argument("snapshot", metavar="SNAPSHOT", help="folder of a snapshot or of a finished build, or a month that ships")
    help_ = "calls.jsonl of `ringback snapshot import`: ordinary lawful calls for the comparison of tiers; may be repeated"
    made.add_argument("--ordinary", type=Path, action="append", default=[], metavar="FILE", help=help_)
    made.add_argument("--seed", type=natural, default=DEFAULT_SEED, metavar="N", help="seed of folds and shuffles")
    help_ = "write the report here; without FILE, print it"
    made.add_argument("--json", type=Path, metavar="FILE", nargs="?", const=Path("-"), help=help_)

    help_ = "read labelled calls of others: arrays of TeleAntiFraud 2.0, or the text release of its 28k"
    made = command(inner, "import", help_, "ringback snapshot import release.tar.xz --out ordinary", "snapshots.audit:import_")
    made.add_argument("source", type=Path, metavar="FILE", help="a JSON array, or a folder or archive of the release")
    made.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder for calls.jsonl and the report")
    made.add_argument("--json", action="store_true", help="machine form")

    example = "ringback snapshot experts out snapshots/a --out packets"
    experts = command(inner, "experts", "let people label calls blind", example, None)
    kinds = experts.add_subparsers(dest="direction", metavar="DIRECTION", required=True)
    help_ = "write packets of calls without labels, shuffled, one for each expert, and the key beside them"
    made = command(kinds, "out", help_, example, "snapshots.experts:out")
    made.add_argument("snapshot", metavar="SNAPSHOT", help="folder, or the name of a month that ships")
    made.add_argument("--items", type=up_to(100_000), default=100, metavar="N", help="calls in a packet")
    made.add_argument("--experts", type=up_to(1000), default=1, metavar="N", help="packets")
    help_ = "calls that all packets hold, so that people can be compared (default: a tenth of a packet)"
    made.add_argument("--shared", type=natural, metavar="N", help=help_)
    made.add_argument("--seed", type=natural, default=DEFAULT_SEED, metavar="N", help="seed of choice and order")
    made.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    help_ = "read filled packets: agreement with the labels, for each packet and over all, and the calls people doubt"
    made = command(kinds, "in", help_, "ringback snapshot experts in packets", "snapshots.experts:read")
    made.add_argument("folder", type=Path, metavar="DIR", help="folder of the packets")
    made.add_argument("--json", action="store_true", help="machine form")
