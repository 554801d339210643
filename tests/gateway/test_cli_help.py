"""`--help` of every command: defaults, one example that its own parser accepts, and nothing heavy imported."""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator

import pytest

from gateway.cli.arguments import build_parser
from models.chat.judge import judge_settings
from tests.repository.tree import ROOT

PROBE = """
import contextlib, io, json, sys
from gateway.cli.main import main
codes = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()):
        codes.append(main([*words, "--help"]))
print(json.dumps([codes, [name for name in ("numpy", "pydantic", "yaml", "core.bundle", "speech") if name in sys.modules]]))
"""


def _commands(
    parser: argparse.ArgumentParser, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    yield words, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from _commands(inner, (*words, name))


COMMANDS = dict(_commands(build_parser()))
NAMED = pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words) or "ringback")


def test_help_imports_nothing_heavy() -> None:
    """Help of every command exits 0 and touches neither numpy nor pydantic, nor any part that needs them."""
    command = [sys.executable, "-c", PROBE, json.dumps(list(COMMANDS))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert [[0] * len(COMMANDS), []] == json.loads(done.stdout)


@NAMED
def test_help_shows_an_example_that_works(words: tuple[str, ...]) -> None:
    """The epilog is one command line of this command, and the parser takes it as it stands."""
    example = (COMMANDS[words].epilog or "").removeprefix("example: ")
    first, *arguments = shlex.split(example)
    assert "ringback" == first
    assert list(words) == arguments[: len(words)]
    assert arguments[0] == build_parser().parse_args(arguments).command
    assert f"example: {example}" in COMMANDS[words].format_help()


@NAMED
def test_help_shows_every_default(words: tuple[str, ...]) -> None:
    """An option with a default that means something shows it, and every argument is explained."""
    text = " ".join(COMMANDS[words].format_help().split())
    for action in COMMANDS[words]._actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        assert action.help
        if action.option_strings and action.default not in (None, False, argparse.SUPPRESS, [], ""):
            assert f"(default: {action.default})" in text


def test_a_call_is_played_once_and_judged_once_unless_more_is_asked_for() -> None:
    """One rollout of each case and one judgement by each judge, as the benchmark's description has it; both can be raised."""
    played = [build_parser().parse_args(["run", "frontdesk", *more]).repeats for more in ([], ["--repeats", "3"])]
    assert [1, 3] == played
    assert [1, 5] == [judge_settings(options, "litellm:a/b").votes for options in ({}, {"votes": "5"})]
