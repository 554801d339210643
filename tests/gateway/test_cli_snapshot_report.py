"""`ringback snapshot report`: tables, page, JSON and joined rows of finished evaluations, one line for everything else."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.errors import EXIT_INPUT, EXIT_OK
from core.schemas.base import json_lines, pretty_json
from core.schemas.detections import EvaluationRun, EvaluationSummary, InputMode, Response
from core.schemas.experts import ExpertReport, ItemResult, PacketResult
from core.schemas.snapshot_report import JoinedRow, SnapshotReport
from core.schemas.snapshots import Label
from core.snapshots.evaluating.store import EvaluationStore
from core.snapshots.freezing.freeze import freeze
from core.snapshots.freezing.reading import read_snapshot, read_transcripts
from core.snapshots.summary import config_key
from gateway.cli.main import main
from tests.core.audit_calls import forest
from tests.core.snapshot_months import GENERATOR, NOW, make_build
from tests.core.snapshot_report_samples import audit
from tests.support.shell import Shell
from tests.support.small_months import small_month, written

ANSWERS = {Label.FRAUD: "FRAUD", Label.NONFRAUD: "NONFRAUD"}


def _evaluate(
    folder: Path, month: Path, detector: str = "python:d", *, wrong: int = 0, prompt: str | None = None
) -> EvaluationStore:
    """A finished evaluation whose first answers are wrong; `asr` where the month has transcripts."""
    snapshot, heard = read_snapshot(month), read_transcripts(month)
    draft = EvaluationRun(
        config_key="",
        snapshot_id=snapshot.head.snapshot_id,
        root_sha256=snapshot.head.root_sha256,
        detector=detector,
        settings={"temperature": 0},
        mode=InputMode.ASR if heard else InputMode.REF,
        prompt_language="zh" if prompt else None,
        prompt_sha256=prompt,
        recogniser={"recogniser": "test"} if heard else None,
        started_at=NOW,
    )
    store = EvaluationStore.begin(folder, draft.model_copy(update={"config_key": config_key(draft)}))
    for place, row in enumerate(snapshot.rows):
        label = row.call.label
        if place < wrong:
            label = Label.FRAUD if label is Label.NONFRAUD else Label.NONFRAUD
        one = heard.get(row.call.sample_id)
        store.add(
            Response(
                sample_id=row.call.sample_id,
                audio_sha256=one.audio_sha256 if one else None,
                transcript_id=one.transcript_id if one else None,
                raw=ANSWERS[label],
                parsed=label,
                error=None,
                started_at="2026-11-30T13:00:00Z",
                latency_ms=1.0,
            )
        )
    store.save_summary(store.summarised(snapshot.rows))
    return store


@pytest.fixture(name="month")
def _month(tmp_path: Path) -> Path:
    return small_month(tmp_path / "2026-11-zh", written(forest(4, 3)))


def test_tables_page_and_file_of_one_month(shell: Shell, month: Path, tmp_path: Path) -> None:
    """Two evaluations stand side by side, best first, with the audit; page and file hold the same."""
    _evaluate(tmp_path / "good", month, "python:good", wrong=2)
    _evaluate(tmp_path / "worse", month, "python:worse", wrong=8)
    audited = audit().model_copy(update={"root_sha256": read_snapshot(month).head.root_sha256})
    (tmp_path / "audit.json").write_bytes(pretty_json(audited.to_json()))

    code = shell("snapshot", "report", "worse", "good", "--audit", "audit.json", "--html", "page.html", "--json", "out.json")

    assert (EXIT_OK, "") == (code, shell.err)
    assert shell.words.index("python:good") < shell.words.index("python:worse") < shell.words.index("all FRAUD")
    assert "24 calls: 12 fraud, 12 lawful; 4 trees" in shell.words
    assert "Audit of 2026-11-zh" in shell.words
    report = SnapshotReport.model_validate_json((tmp_path / "out.json").read_bytes())
    assert ["python:good", "python:worse"] == [row.detector for row in report.leaderboards[0].configurations]
    assert (audited,) == report.audits
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "python:good" in page
    assert EXIT_OK == shell("snapshot", "report", "worse", "good", "--json", "--sort", "weaker_recall")
    assert {"format", "leaderboards", "transitions", "audits"} == set(json.loads(shell.words))


@pytest.mark.parametrize(("root", "said"), [("b" * 64, "root bbbbbbbbbbbb"), (None, "a build, not frozen")])
def test_an_audit_of_other_calls_is_refused(shell: Shell, month: Path, tmp_path: Path, root: str | None, said: str) -> None:
    """One of another month of the same name, or of a build before its freeze, says nothing about these answers' calls."""
    _evaluate(tmp_path / "eval", month)
    (tmp_path / "audit.json").write_bytes(pretty_json(audit().model_copy(update={"root_sha256": root}).to_json()))
    assert EXIT_INPUT == shell("snapshot", "report", "eval", "--audit", "audit.json", "--html", "page.html")
    assert f"--audit audit.json: an audit of '2026-11-zh' ({said}), which none of the evaluations is about" in shell.err
    assert (1, False) == (len(shell.err.splitlines()), Path("page.html").exists())


def test_months_are_told_apart_by_root_and_compared(shell: Shell, month: Path, tmp_path: Path) -> None:
    """Evaluations of two months in one report: two boards, and how collapse changed."""
    other = small_month(tmp_path / "2026-12-zh", written(forest(5, 3)))
    _evaluate(tmp_path / "a", month)
    _evaluate(tmp_path / "b", other, wrong=20)
    assert EXIT_OK == shell("snapshot", "report", "b", "a", "--snapshot", str(month), "--snapshot", str(other))
    assert "From 2026-11-zh to 2026-12-zh" in shell.words


def test_joined_rows_hold_call_transcript_and_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The one-row view of the paper, in the manifest's order: call, transcript, settings, raw answer, label, error, time."""
    freeze(make_build(tmp_path / "build"), tmp_path / "month", NOW, GENERATOR)
    _evaluate(tmp_path / "eval", tmp_path / "month", wrong=1)
    assert EXIT_OK == main(["snapshot", "report", str(tmp_path / "eval"), "--joined", "--snapshot", str(tmp_path / "month")])
    rows = [JoinedRow.model_validate_json(line) for line in capsys.readouterr().out.splitlines()]
    snapshot, heard = read_snapshot(tmp_path / "month"), read_transcripts(tmp_path / "month")
    assert list(snapshot.rows) == [row.row for row in rows]
    for row in rows:
        one = heard[row.row.call.sample_id]
        assert (one.transcript_id, one.text, "2026-11-30T13:00:00Z") == (row.transcript_id, row.transcript, row.asked_at)
        assert {"temperature": 0} == row.settings
    assert [False, True, True, True, True, True] == [row.parsed == row.row.call.label for row in rows]


def test_joined_rows_of_words_as_written_have_no_transcript(shell: Shell, month: Path, tmp_path: Path) -> None:
    """A detector that read the words as written read no transcript."""
    _evaluate(tmp_path / "eval", month)
    assert EXIT_OK == shell("snapshot", "report", "eval", "--joined", "--snapshot", str(month))
    assert '"transcript": null' in shell.words


def _spoil(store: EvaluationStore, how: str) -> None:
    path = store.root / "responses.jsonl"
    responses = list(store.responses())
    if how == "missing":
        (store.root / "summary.json").unlink()
    elif how == "relabelled":
        flipped = Label.FRAUD if responses[0].parsed is Label.NONFRAUD else Label.NONFRAUD
        responses[0] = responses[0].model_copy(update={"parsed": flipped, "raw": ANSWERS[flipped]})
        path.write_bytes(json_lines(responses))
    elif how == "rules":
        old = store.summary()
        store.save_summary(old.model_copy(update={"parser": "two-label-v0"}))
    else:
        (store.root / "summary.json").write_text("{", encoding="utf-8")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("missing", "no summary.json, and 24 answers"),
        ("relabelled", "not the figures of the answers beside it (FRAUD:"),
        ("rules", "made by two-label-v0,"),
        ("torn", "not a whole summary"),
    ],
)
def test_a_summary_that_is_not_that_of_the_answers(shell: Shell, month: Path, tmp_path: Path, how: str, said: str) -> None:
    """Without the month it is refused in one line that names the month; with it, it is made anew and saved."""
    store = _evaluate(tmp_path / "eval", month)
    _spoil(store, how)
    assert EXIT_INPUT == shell("snapshot", "report", "eval")
    assert said in shell.err
    assert 1 == len(shell.err.splitlines())
    assert EXIT_OK == shell("snapshot", "report", "eval", "--snapshot", str(month))
    saved = EvaluationSummary.model_validate_json((tmp_path / "eval" / "summary.json").read_bytes())
    assert store.summarised(read_snapshot(month).rows) == saved
    assert EXIT_OK == shell("snapshot", "report", "eval")


@pytest.mark.parametrize("named", [(), ("--snapshot", "2026-11-zh"), ("--joined", "--snapshot", "2026-11-zh")])
def test_a_label_that_was_edited_is_in_no_figures(shell: Shell, month: Path, tmp_path: Path, named: Sequence[str]) -> None:
    """An answer whose label is not what its words say is refused with its place, whether the month is named or not."""
    store = _evaluate(tmp_path / "eval", month)
    path = store.root / "responses.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"parsed":"FRAUD"', b'"parsed":"NONFRAUD"', 1))
    assert EXIT_INPUT == shell("snapshot", "report", "eval", *named)
    assert "was changed: NONFRAUD stands there, 'FRAUD' reads as FRAUD" in shell.err
    assert 1 == len(shell.err.splitlines())


@pytest.mark.parametrize("named", [(), ("--snapshot", "2026-11-zh")])
def test_an_unfinished_evaluation_is_refused(shell: Shell, month: Path, tmp_path: Path, named: Sequence[str]) -> None:
    """Fewer answers than calls: no figure is shown, whether the month is named or not."""
    store = _evaluate(tmp_path / "eval", month)
    lines = (store.root / "responses.jsonl").read_bytes().splitlines(keepends=True)
    (store.root / "responses.jsonl").write_bytes(b"".join(lines[:-4]))
    assert EXIT_INPUT == shell("snapshot", "report", "eval", *named)
    assert "20 of 24 calls are answered: run ringback snapshot evaluate again" in shell.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "no evaluation here"),
        (("eval", "eval"), "named twice"),
        (("eval", "./eval"), "named twice"),
        (("eval", "--snapshot", "nothing"), "no frozen month here"),
        (("eval", "--snapshot", "other"), "none of the evaluations is about 'other'"),
        (("eval", "--audit", "nothing.json"), "no month's audit here"),
        (("eval", "--audit", "eval/summary.json"), "not a month's audit"),
        (("eval", "--joined"), "--joined needs the month of eval"),
        (("eval", "--joined", "--json"), "--joined prints rows alone"),
        (("eval", "--sort", "fraud_f1"), "invalid choice: 'fraud_f1'"),
        (("eval", "--html", "eval"), "cannot be written"),
    ],
)
def test_what_cannot_be_told_is_refused_in_one_line(
    shell: Shell, month: Path, tmp_path: Path, arguments: Sequence[str], said: str
) -> None:
    """Wrong folders, months, files and options: exit 2, what was found and what to do."""
    small_month(tmp_path / "other", written(forest(5, 2)))
    _evaluate(tmp_path / "eval", month)
    assert EXIT_INPUT == shell("snapshot", "report", *arguments)
    assert said in shell.err
    assert "Traceback" not in shell.err


def test_a_copy_of_an_evaluation_counts_once(shell: Shell, month: Path, tmp_path: Path) -> None:
    """Two folders with the same configuration are listed and counted once."""
    _evaluate(tmp_path / "one", month)
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    assert EXIT_OK == shell("snapshot", "report", "one", "two")
    assert "2 evaluations listed, 1 configuration counted" in shell.words


def test_two_prompts_in_one_language_are_rows_without_a_mean(shell: Shell, month: Path, tmp_path: Path) -> None:
    """Which of two prompts stands for a language is not guessed: both are shown, and terminal and page say what is left out."""
    for name in ("1", "2"):
        _evaluate(tmp_path / name, month, prompt=name * 64)
    said = "No mean over prompt languages: python:d (ref) has several prompts in one language"
    assert EXIT_OK == shell("snapshot", "report", "1", "2", "--html", "page.html")
    assert said in shell.words
    assert "2 configurations" in shell.words
    assert said in (tmp_path / "page.html").read_text(encoding="utf-8")


def _people(folder: Path, month: Path, agreed: Sequence[str]) -> Path:
    """What one expert said of a month, agreeing on some of its calls."""
    snapshot = read_snapshot(month)
    items = tuple(
        ItemResult(
            sample_id=row.call.sample_id,
            label=row.call.label,
            given={"expert-1.csv": row.call.label},
            agreement=1.0 if row.call.sample_id in agreed else 0.0,
            notes=(),
        )
        for row in snapshot.rows
    )
    counts = dict.fromkeys(Label, 12)
    packet = PacketResult(
        file="expert-1.csv", items=24, agreement=0.5, kappa=None, labels=counts, confidence=None, sufficient=0, correct=0
    )
    report = ExpertReport(
        snapshot_id=snapshot.head.snapshot_id,
        root_sha256=snapshot.head.root_sha256,
        key_sha256="0" * 64,
        packets=(packet,),
        unfilled=(),
        labelled=24,
        agreement=0.5,
        lowest=0.5,
        highest=0.5,
        kappa=None,
        labels=counts,
        confidence=None,
        confidences=0,
        sufficient=0,
        sufficient_answers=0,
        correct=0,
        correct_answers=0,
        pairs=(),
        alpha=None,
        items=items,
        agreed_only=tuple(agreed),
        doubted=tuple(row.call.sample_id for row in snapshot.rows if row.call.sample_id not in agreed),
    )
    (folder / "expert-report.json").write_bytes(pretty_json(report.to_json()))
    return folder / "expert-report.json"


@pytest.mark.parametrize("form", ["report", "list", "lines"])
def test_calls_that_people_agree_on_are_counted_alone(shell: Shell, month: Path, tmp_path: Path, form: str) -> None:
    """The first four answers are wrong. Without these calls every answer is right, and the title says how many there are."""
    store = _evaluate(tmp_path / "eval", month, wrong=4)
    kept = (tmp_path / "eval" / "summary.json").read_bytes()
    ids = [row.call.sample_id for row in read_snapshot(month).rows][4:]
    if form == "report":
        _people(tmp_path, month, ids)
    else:
        (tmp_path / "ids").write_text(json.dumps(ids) if form == "list" else "\n".join(ids) + "\n", encoding="utf-8")
    file, how = ("expert-report.json", "agreed on in") if form == "report" else ("ids", "listed in")
    ask = ("snapshot", "report", "eval", "--snapshot", str(month), "--only", file)
    assert EXIT_OK == shell(*ask, "--html", "page.html", "--json", "out.json")
    assert f"), only 20 of 24 calls, {how} {file}" in shell.words
    assert f"Detectors on 2026-11-zh, only 20 of 24 calls, {how} {file}" in (tmp_path / "page.html").read_text(encoding="utf-8")
    (board,) = SnapshotReport.model_validate_json((tmp_path / "out.json").read_bytes()).leaderboards
    (row,) = board.configurations
    assert (f"20 of 24 calls, {how} {file}", 20, 1.0) == (board.only, row.n, row.scores.balanced_accuracy)
    assert kept == (tmp_path / "eval" / "summary.json").read_bytes()
    assert 20 / 24 == pytest.approx(store.summary().metrics.accuracy, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        ("OWN", (), "--only needs the month of eval: name '2026-11-zh' with --snapshot"),
        ("OWN", ("--snapshot", "2026-11-zh", "--joined"), "leave out --json, --html, --audit and --only"),
        ("", ("--snapshot", "2026-11-zh"), "names no call: there is nothing to count"),
        ("[]", ("--snapshot", "2026-11-zh"), "names no call: there is nothing to count"),
        ("[1]", ("--snapshot", "2026-11-zh"), "1 is no id of a call"),
        ("[", ("--snapshot", "2026-11-zh"), "neither an expert-report.json nor a list of ids"),
        ("{}", ("--snapshot", "2026-11-zh"), "neither an expert-report.json nor a list of ids: snapshot_id"),
        ("OWN nobody", ("--snapshot", "2026-11-zh"), "names 'nobody', which no month here has"),
        ("nobody", ("--snapshot", "2026-11-zh"), "names no call of '2026-11-zh'"),
        ("ONE", ("--snapshot", "2026-11-zh"), "cannot be summed up"),
        ("OTHER", ("--snapshot", "2026-11-zh"), "what people said of 'other', root "),
    ],
)
def test_calls_that_cannot_be_counted_alone(
    shell: Shell, month: Path, tmp_path: Path, text: str, more: Sequence[str], said: str
) -> None:
    """No month, no calls, calls of others or of one label only: one line."""
    _evaluate(tmp_path / "eval", month)
    rows = read_snapshot(month).rows
    own = " ".join(row.call.sample_id for row in rows)
    one = rows[0].call.sample_id
    if text == "OTHER":
        other = small_month(tmp_path / "other", written(forest(5, 2)))
        text = _people(tmp_path, other, [one]).read_text(encoding="utf-8")
    (tmp_path / "ids").write_text(text.replace("OWN", own).replace("ONE", one), encoding="utf-8")
    assert EXIT_INPUT == shell("snapshot", "report", "eval", "--only", "ids", *more)
    assert said in shell.err
    assert 1 == len(shell.err.splitlines())


def test_answers_about_a_month_that_was_changed_are_not_joined(shell: Shell, month: Path, tmp_path: Path) -> None:
    """A manifest that is not the frozen one is named."""
    _evaluate(tmp_path / "eval", month)
    text = (month / "manifest.jsonl").read_text(encoding="utf-8")
    (month / "manifest.jsonl").write_text(text.replace("ours", "mine"), encoding="utf-8")
    assert EXIT_INPUT == shell("snapshot", "report", "eval", "--joined", "--snapshot", str(month))
    assert "was changed since the freeze" in shell.err
