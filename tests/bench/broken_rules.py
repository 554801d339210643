"""Central rules of the benchmark, broken one at a time in a copy of the tree: the test named for each has to fail.

python -m tests.bench.broken_rules       a table of rule, test and outcome; exit 1 where a break is not found, or does not apply

A break is one exact change of text. It counts as found only where pytest ran the named test and what it asserts did not hold; a
copy that cannot be imported, or a test that crashes, is no finding. Before anything is broken every named test has to pass in
the copy.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.repository.tree import ROOT, tracked

PASSED, FAILED = 0, 1
"""What pytest exits with."""
ASSERTED = re.compile(r"(assert |AssertionError|Failed: DID NOT RAISE)")
"""How the reason of a failed test begins where an assertion did not hold."""


@dataclass(frozen=True)
class Break:
    """One rule and how it is broken."""

    rule: str
    """The rule, in few words."""
    file: str
    """The file that keeps it."""
    old: str
    """Text that occurs there exactly once."""
    new: str
    """What takes its place."""
    test: str
    """The test that must fail then, as docs/seed-coverage.md names it."""


CALL, BACKEND, AUTHORED = "core/call.py", "core/backend.py", "core/authored.py"
LOOP, TOOLS, QUEUE = "tests/core/test_call_loop.py", "tests/core/test_call_tools.py", "tests/core/test_backend.py"
CHANNEL, GRADE, PLAYED = "tests/core/test_authored.py", "tests/core/test_grading_grade.py", "tests/core/test_runs_play.py"
FAULTS = "tests/core/test_bundle_faults.py"

BREAKS = (
    Break(
        "the candidate speaks first",
        CALL,
        "self._agent_speaks(stage.candidate.open(view, self.header.seeds.candidate))",
        "stage.candidate.open(view, self.header.seeds.candidate)",
        f"{LOOP}::test_the_candidate_speaks_first_after_the_system_message",
    ),
    Break(
        "ten chained calls at most",
        BACKEND,
        "CHAIN_LIMIT = 10",
        "CHAIN_LIMIT = 11",
        f"{TOOLS}::test_the_eleventh_call_gets_a_typed_chain_limit_result",
    ),
    Break(
        "thirty caller turns at most",
        CALL,
        "MAX_CALLER_TURNS = 30",
        "MAX_CALLER_TURNS = 31",
        f"{LOOP}::test_a_call_ends_at_thirty_caller_turns",
    ),
    Break(
        "a failed call-ending tool ends nothing",
        BACKEND,
        "return tool.success is not None and all(item.ok for item in match_arguments(tool.success, result, references))",
        "return tool.ends_call",
        f"{LOOP}::test_a_failed_call_ending_tool_hands_control_back",
    ),
    Break(
        "plan steps are taken in order",
        "core/caller.py",
        "elif plan.index(step) != len(expressed):",
        "elif plan.index(step) < len(expressed):",
        "tests/core/test_caller.py::test_more_than_one_step_a_step_out_of_order_or_twice_is_rejected",
    ),
    Break(
        "a rejected turn gets one more attempt",
        CALL,
        "for _attempt in range(2):",
        "for _attempt in range(3):",
        f"{LOOP}::test_a_caller_that_fails_twice_in_a_turn_ends_the_attempt",
    ),
    Break(
        "dropped after three reruns",
        "core/runs/play.py",
        "for rerun in range(MAX_RERUNS + 1):",
        "for rerun in range(MAX_RERUNS):",
        f"{PLAYED}::test_three_reruns_are_the_most",
    ),
    Break(
        "nothing half-finished is saved",
        "core/files.py",
        "        shutil.rmtree(work, ignore_errors=True)\n",
        "        pass\n",
        "tests/core/test_runs_store.py::test_a_case_that_cannot_be_saved_leaves_nothing",
    ),
    Break(
        "the caller sees its brief and no more",
        CALL,
        "brief=self.stage.scenario.caller,",
        'brief=self.stage.scenario.caller.model_copy(update={"context": repr(self.stage.scenario)}),',
        "tests/core/test_call_views.py::test_the_caller_sees_nothing_but_its_brief_and_the_public_conversation",
    ),
    Break(
        "the candidate hears what arrived, not what was meant",
        CALL,
        "Hearing(tuple(piece.text for piece in heard.fragments))",
        "Hearing((reply.speech,))",
        f"{CHANNEL}::test_the_intended_words_of_a_damaged_turn_never_reach_the_candidate",
    ),
    Break(
        "a judge sees no hidden state",
        "core/grading/building.py",
        "goal=scenario.goal,",
        "goal=repr(scenario.backend),",
        "tests/core/test_grading_views.py::test_no_secret_reaches_the_task_judge",
    ),
    Break(
        "the seeded mode spares known values",
        AUTHORED,
        " and not any(word.start < end and start < word.end for start, end in protected)",
        "",
        f"{CHANNEL}::test_the_word_is_long_enough_and_no_part_of_a_known_value",
    ),
    Break(
        "the seeded mode spares words under four letters",
        AUTHORED,
        "MIN_GRAPHEMES = 4",
        "MIN_GRAPHEMES = 3",
        f"{CHANNEL}::test_letters_are_counted_as_a_reader_sees_them",
    ),
    Break(
        "a turn arrives in three messages at most",
        AUTHORED,
        "[: MAX_FRAGMENTS - 1]",
        "",
        f"{CHANNEL}::test_a_turn_never_arrives_in_more_than_three_messages",
    ),
    Break(
        "call j meets entry j",
        BACKEND,
        "number = self._calls[tool_name]\n",
        "number = 0\n",
        f"{QUEUE}::test_the_jth_call_is_matched_against_the_jth_entry",
    ),
    Break(
        "an unreadable call gets the mismatch response",
        BACKEND,
        "return self._answer(tool, Outcome.PARSE_ERROR, entry.mismatch, number, number, ())",
        "return self._answer(tool, Outcome.PARSE_ERROR, entry.result, number, number, ())",
        f"{QUEUE}::test_arguments_that_are_no_object_are_a_parse_error_and_never_an_empty_object",
    ),
    Break(
        "the trace keeps every matcher's result",
        CALL,
        "matchers=answer.matchers,",
        "matchers=(),",
        f"{TOOLS}::test_a_tool_event_keeps_what_was_read_and_how_each_matcher_answered",
    ),
    Break(
        "as many actions are met as can be",
        "core/grading/counting.py",
        "for taker in takers[number]:",
        "for taker in takers[number][:1]:",
        "tests/core/test_grading_actions.py::test_matching_is_maximal",
    ),
    Break(
        "excerpts hold for one rendered prompt",
        "core/audits/scenario.py",
        "if excerpt.prompt_sha256 != prompt_hash:",
        "if False:",
        f"{FAULTS}::test_a_faulty_bundle_is_not_played",
    ),
    Break(
        "evidence cites messages that are there",
        "core/grading/asking.py",
        'return f"evidence {unknown} is not in the trace" if unknown else None',
        "return None",
        f"{GRADE}::test_a_mended_judgement_counts",
    ),
    Break(
        "not applicable enters neither side",
        "core/grading/scores.py",
        "if item.status is Status.NOT_APPLICABLE:",
        "if False:",
        f"{GRADE}::test_not_applicable_is_not_unjudged",
    ),
    Break(
        "ratings are (g - 1) / 4",
        "core/grading/scores.py",
        "return (rating - 1) / 4",
        "return rating / 5",
        f"{GRADE}::test_points_by_hand",
    ),
    Break(
        "both pillars weigh the same",
        "core/grading/scores.py",
        "(task + conversation) / 2",
        "(2 * task + conversation) / 3",
        f"{GRADE}::test_points_by_hand",
    ),
    Break(
        "samples redraw agents first",
        "core/stats/bootstrap.py",
        "agents = _Level.of([place.agent for place in places])",
        "agents = _Level.of([(place.agent, place.scenario) for place in places])",
        "tests/core/test_stats_bootstrap.py::test_agents_are_the_first_level",
    ),
)


@dataclass(frozen=True)
class Outcome:
    """What became of one break."""

    broken: Break
    """The break."""
    found: bool
    """Whether its test failed."""
    told: str
    """The outcome in few words."""


def applies(broken: Break, root: Path = ROOT) -> bool:
    """Whether the text of a break occurs exactly once in its file."""
    return 1 == (root / broken.file).read_text(encoding="utf-8").count(broken.old)


def outcomes(breaks: Sequence[Break] = BREAKS) -> Iterator[Outcome]:
    """Break each rule in one copy of the tree and mend it again; raises AssertionError where the sound copy fails."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for path in tracked():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, copy / path)
        done = _pytest(copy, sorted({broken.test for broken in breaks}))
        assert PASSED == done.returncode, f"unbroken, the tests already fail:\n{done.stdout}"
        for broken in breaks:
            yield _outcome(broken, copy)


def _outcome(broken: Break, copy: Path) -> Outcome:
    if not applies(broken, copy):
        return Outcome(broken, found=False, told="DOES NOT APPLY")
    path = copy / broken.file
    sound = path.read_text(encoding="utf-8")
    path.write_text(sound.replace(broken.old, broken.new), encoding="utf-8")
    done = _pytest(copy, [broken.test])
    path.write_text(sound, encoding="utf-8")
    if done.returncode != FAILED:
        told = "NOT FOUND" if done.returncode == PASSED else f"DID NOT RUN (pytest exit {done.returncode})"
        return Outcome(broken, found=False, told=told)
    reason = re.search(r"^E +(.*)$", done.stdout, re.MULTILINE)
    asserted = reason is not None and ASSERTED.match(reason[1]) is not None
    return Outcome(broken, found=asserted, told="found" if asserted else "CRASHED")


def _pytest(copy: Path, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """The tests over the copy alone: compiled files are not kept, since two changes in one second would look alike."""
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:randomly", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)


def main() -> int:
    """Print the table as it is measured."""
    print(f"{'rule':54} {'outcome':10} test", flush=True)
    missed = 0
    for outcome in outcomes():
        missed += not outcome.found
        print(f"{outcome.broken.rule:54} {outcome.told:10} {outcome.broken.test}", flush=True)
    print(f"{len(BREAKS) - missed} of {len(BREAKS)} broken rules were found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
