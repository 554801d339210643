"""A user's own candidate, named on the command line: whatever it does, the call is graded as it stands and never dropped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import EXIT_INFRASTRUCTURE, EXIT_INPUT
from core.schemas.base import sha256
from gateway.cli.main import main
from tests.support.command import Command, files_of
from tests.support.scenes import MINIMAL

RENEW = ("run", str(MINIMAL), "--scenarios", "renew-loan", "--concurrency", "1", "--out", "run", "--candidate")
CASE = "renew-loan--text--r0"


def _played(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The trace of a call that a candidate of tests/support/candidates.py answered, once it is known to be graded."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RINGBACK_CACHE", str(folder / "cache"))
    assert 0 == main((*RENEW, f"python:tests.support.candidates:{name}"))
    condition = json.loads((folder / "run" / "summary.json").read_bytes())["conditions"]["text"]
    assert (1, {}, 0) == (condition["n"], condition["dropped"], condition["ungraded"])
    assert condition["overall"]["score"] is not None
    return json.loads((folder / "run" / "cases" / CASE / "trace.json").read_bytes())


@pytest.mark.parametrize(
    ("name", "end", "detail"),
    [
        ("Leaves", "agent_disconnected", "the socket was closed"),
        ("Crashes", "protocol_error", "ZeroDivisionError: division by zero"),
        ("Silent", "agent_idle", "turns without speech or tool call"),
    ],
)
def test_a_candidate_that_fails_is_graded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, end: str, detail: str
) -> None:
    """The call ends with the candidate's own reason, and what was said before stands."""
    trace = _played(tmp_path, name, monkeypatch)
    assert end == trace["end"]
    assert detail in trace["end_detail"]
    assert f"python:{name}" == trace["header"]["candidate"]["party"]


def test_a_candidate_that_hangs_is_gone_and_graded(ringback: Command, tmp_path: Path) -> None:
    """In worker processes, each of which goes on with its next call: the end has a name, and nothing is dropped."""
    both = ("run", str(MINIMAL), "--repeats", "2", "--concurrency", "2", "--out", tmp_path / "run", "--turn-timeout", "0.5")
    ringback.passes(*both, "--candidate", "python:tests.support.candidates:Hangs")
    traces = [json.loads(path.read_bytes()) for path in (tmp_path / "run").glob("cases/*/trace.json")]
    gone = [trace["end_detail"] for trace in traces if trace["end"] == "agent_disconnected"]
    assert {"turn_timeout: no answer within 0.5 s"} == set(gone)
    assert 2 <= len(gone)
    condition = json.loads((tmp_path / "run" / "summary.json").read_bytes())["conditions"]["text"]
    assert ({}, 4) == (condition["dropped"], condition["n"])


def test_what_a_candidate_says_that_it_used_is_counted(ringback: Command, tmp_path: Path) -> None:
    """A cent for each of three turns, in call and summary; a budget holds it as it holds a model's."""
    one = ("run", str(MINIMAL), "--scenarios", "renew-loan", "--repeats", "3", "--concurrency", "1", "--out", tmp_path / "run")
    paid = ("--candidate", "python:tests.support.candidates:Paid")
    done = ringback(*one, *paid, "--budget", "0.04")
    assert 1 == done.returncode, done.stderr
    used = json.loads((tmp_path / "run" / "summary.json").read_bytes())["usage"]["candidate"]
    turns = used["requests"]
    assert (4 <= turns < 9, 100 * turns) == (True, used["prompt_tokens"])
    assert pytest.approx(0.01 * turns) == used["cost_usd"]
    timing = json.loads((tmp_path / "run" / "cases" / CASE / "timing.json").read_bytes())
    assert 0.01 <= timing["usage"]["candidate"]["cost_usd"] < used["cost_usd"]


def test_broken_arguments_are_recorded_and_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arguments that are no JSON keep their raw text, get a parse error and the entry's mismatch response."""
    event = _played(tmp_path, "BrokenJson", monkeypatch)["tool_events"][0]
    assert '{"card_number": "0441' == event["raw_arguments"]
    assert event["arguments"] is None
    assert event["parse_error"]
    assert ("parse_error", {"status": "not_found"}) == (event["outcome"], event["result"])


def test_an_unknown_tool_is_answered_with_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The call is recorded with an outcome of its own, and the candidate reads of its error."""
    trace = _played(tmp_path, "UnknownTool", monkeypatch)
    event = trace["tool_events"][0]
    assert ("open_vault", "unknown_tool") == (event["tool"], event["outcome"])
    assert "unknown_tool" in next(m["content"] for m in trace["messages"] if m["role"] == "agent" and "I got" in m["content"])


def test_the_eleventh_chained_call_meets_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten calls in a row are answered; the eleventh gets the limit and does not advance its tool's queue."""
    events = _played(tmp_path, "Chains", monkeypatch)["tool_events"]
    outcomes = [event["outcome"] for event in events]
    assert 11 == len(events)
    assert ["matched", "matched", *["default"] * 8, "chain_limit"] == outcomes
    assert events[10]["call_number"] is None


def test_a_module_of_ones_own_is_found_on_the_path_by_every_process(ringback: Command, tmp_path: Path) -> None:
    """A class in a folder on PYTHONPATH takes options, plays in worker processes, and stands in trace and manifest."""
    (tmp_path / "lib").mkdir()
    source = "from tests.support.candidates import Polite\n\n\nclass Mine(Polite):\n    pass\n"
    (tmp_path / "lib" / "my_agent.py").write_text(source, encoding="utf-8")
    path = f"{tmp_path / 'lib'}:{ringback.environment()['PYTHONPATH']}"
    arguments = (*RENEW[:4], "--repeats", "2", "--out", "run", "--candidate", "python:my_agent:Mine?words=Say%20more.")
    assert "python:Mine" in ringback.passes(*arguments, PYTHONPATH=path)
    for repeat in range(2):
        trace = json.loads((tmp_path / "run" / "cases" / f"renew-loan--text--r{repeat}" / "trace.json").read_bytes())
        assert {"words": "Say more."} == trace["header"]["candidate"]["settings"]
        assert "Say more." in [message["content"] for message in trace["messages"]]


def _refusal(folder: Path, source: str, role: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command says of a module that holds a party `Mine`, in its one line of error."""
    name = f"party_{sha256(source)[:12]}"
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    assert EXIT_INPUT == main((*RENEW[:-1], f"--{role}", f"python:{name}:Mine"))
    (line,) = capsys.readouterr().err.splitlines()
    head = f"ringback: error: 'python:{name}:Mine': "
    assert head == line[: len(head)]
    return line.removeprefix(head)


def test_worker_processes_log_as_the_command_was_told(ringback: Command) -> None:
    """A note of a worker has the shape of any other, and -q keeps it back."""
    arguments = (*RENEW[:4], "--concurrency", "2", "--candidate", "python:tests.support.candidates:Crashes", "--out")
    (line,) = ringback(*arguments, "loud").stderr.splitlines()
    assert line.startswith("WARNING ringback.gateway.")
    assert "ZeroDivisionError" in line
    assert "" == ringback("-q", *arguments, "quiet").stderr


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise RuntimeError('no licence')", "no licence"),
        ("import a_module_nobody_has", "a_module_nobody_has"),
        ("def Mine(:", "invalid syntax"),
        ("Other = 1", "has no 'Mine'"),
        ("Mine = 1", "not callable"),
        ("class Mine:\n    def __init__(self, key): pass", "missing a required argument: 'key'"),
        ("class Mine:\n    def __init__(self): raise OSError('no port')", "cannot be made: OSError: no port"),
        ("class Mine: pass", "a Mine has no method record, open, respond"),
        (
            "class Mine:\n    def record(self): return 1\n    open = respond = record",
            "record answered with a int, not a PartyRecord",
        ),
    ],
)
def test_a_candidate_that_cannot_be_used_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], source: str, reason: str
) -> None:
    """A module that fails, an object that is missing or no candidate: an input error before anything is written."""
    assert reason in _refusal(tmp_path, source, "candidate", monkeypatch, capsys)
    assert not (tmp_path / "run").exists()


PARTY = """
from core.schemas.call_trace import PartyRecord
class Mine:
    def record(self): return PartyRecord(party="python:Mine")
    def {methods}(self, view, seed): {body}
"""


def test_a_caller_or_judge_without_its_methods_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are refused like a candidate, before anything is written."""
    source = PARTY.format(methods="judge_task", body="return ()")
    assert "a Mine has no method speak" == _refusal(tmp_path, source, "caller", monkeypatch, capsys)
    assert "a Mine has no method judge_conversation" == _refusal(tmp_path, source, "judge", monkeypatch, capsys)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return 1 / 0", "speak raised ZeroDivisionError: division by zero"),
        ("return None", "speak answered with a NoneType, not a str"),
    ],
)
def test_a_caller_that_fails_drops_the_call(ringback: Command, tmp_path: Path, body: str, reason: str) -> None:
    """Its turns are invalid: after three reruns the case is dropped for the simulation's sake, with what was raised."""
    (tmp_path / "mine.py").write_text(PARTY.format(methods="speak", body=body), encoding="utf-8")
    ringback.passes(*RENEW[:-1], "--caller", "python:mine:Mine")
    line = json.loads((tmp_path / "run" / "journal.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert ("dropped", "simulation") == (line["state"], line["drop_class"])
    assert f"caller_invalid: 'python:mine:Mine': {reason}" == line["reason"]


def test_a_judge_that_fails_is_one_line_and_costs_no_call(ringback: Command, tmp_path: Path) -> None:
    """Exit 3, the party named; the finished calls stay, and another judge grades them."""
    body = "return 1 / 0\n    def judge_conversation(self, view, seed): return ()"
    (tmp_path / "mine.py").write_text(PARTY.format(methods="judge_task", body=body), encoding="utf-8")
    line = ringback.fails(EXIT_INFRASTRUCTURE, *RENEW[:-1], "--judge", "python:mine:Mine")
    reason = "judge: 'python:mine:Mine': judge_task raised ZeroDivisionError: division by zero"
    assert f"could not judge {CASE}: {reason}; run the same command to do what is missing" == line
    assert (tmp_path / "run" / "cases" / CASE / "trace.json").is_file()
    assert "1 calls judged now" in ringback.passes("grade", "run")


def test_a_secret_of_a_party_reaches_no_file(ringback: Command, tmp_path: Path) -> None:
    """A key given as an option is handed to the class and hidden in run.json, traces and everything else of the run."""
    source = """
from tests.support.candidates import Polite
class Mine(Polite):
    def __init__(self, api_key):
        assert api_key == "hunter2"
        super().__init__(f"My key is one that {len(api_key)} letters make.")
    def record(self):
        return super().record().model_copy(update={"settings": {"key": "hunter2", "url": "https://x/hunter2"}})
"""
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    ringback.passes(*RENEW, "python:mine:Mine?api_key=hunter2")
    run = json.loads((tmp_path / "run" / "run.json").read_bytes())
    assert "python:mine:Mine?api_key=***" == run["argv"][-1]
    assert {"key": "***", "url": "https://x/***"} == run["candidate"]["settings"]
    assert [] == [name for name, data in files_of(tmp_path / "run").items() if b"hunter2" in data]
