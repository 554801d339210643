"""`ringback schema`: the JSON Schema of every file format."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.errors import EXIT_GATE, EXIT_OK, UsageError
from core.files import write_atomic
from core.schemas.ablation import Ablation
from core.schemas.acoustic import AcousticModel
from core.schemas.agreement import Agreement, LabelFile
from core.schemas.audits import MonthAudit
from core.schemas.base import Model, pretty_json
from core.schemas.bundle import Agent, BundleFile, Manifest
from core.schemas.calibration import Calibration
from core.schemas.call_trace import Trace
from core.schemas.casefile import AbstractFile, ActionCatalogue, DeniedNames, FamilyWords, Manner
from core.schemas.delivery_ablation import AblationConfig, DeliveryAblation
from core.schemas.detections import EvaluationRun, EvaluationSummary, Leaderboard, Response, Transitions
from core.schemas.everyday import EverydayTopic
from core.schemas.experts import ExpertKey, ExpertReport
from core.schemas.generation import Generation
from core.schemas.grade import Grade
from core.schemas.hearing import HearingReport, PairsReport
from core.schemas.imported import ImportReport
from core.schemas.imported_calls import CallImportReport, ImportedCall
from core.schemas.months import CallTranscript, MonthDiff, Rebuilt, Recipe, TranscriptSet, Verification
from core.schemas.pages import format_page
from core.schemas.phrases import HearingTable, PhraseSet
from core.schemas.riskwords import RiskWordsFile
from core.schemas.roundtrip import RoundTrip
from core.schemas.run import JournalLine, RunFile, Summary, Timing
from core.schemas.scenario import Scenario
from core.schemas.snapshot_report import JoinedRow, SnapshotReport
from core.schemas.snapshots import ManifestRow, Replaced, SnapshotHead
from core.schemas.spending import SpendingLine
from core.schemas.swap import Swap
from core.schemas.tools import Tool
from core.schemas.trees import BuiltTree, MixedTree, Rejected
from core.schemas.voicing import DeliveryTable, VoiceTable

FORMATS: dict[str, type[Model]] = {
    "ablation": Ablation,
    "acoustic-model": AcousticModel,
    "agent": Agent,
    "agreement": Agreement,
    "bundle": BundleFile,
    "calibration": Calibration,
    "call-import-report": CallImportReport,
    "case-abstracts": AbstractFile,
    "case-actions": ActionCatalogue,
    "case-denied-names": DeniedNames,
    "case-manner": Manner,
    "case-wordings": FamilyWords,
    "delivery-table": DeliveryTable,
    "evaluation-response": Response,
    "evaluation-run": EvaluationRun,
    "evaluation-summary": EvaluationSummary,
    "everyday-topic": EverydayTopic,
    "generation": Generation,
    "grade": Grade,
    "hearing": HearingReport,
    "hearing-pairs": PairsReport,
    "hearing-table": HearingTable,
    "import-report": ImportReport,
    "imported-call": ImportedCall,
    "journal": JournalLine,
    "labels": LabelFile,
    "leaderboard": Leaderboard,
    "manifest": Manifest,
    "phrases": PhraseSet,
    "risk-words": RiskWordsFile,
    "roundtrip": RoundTrip,
    "run": RunFile,
    "scenario": Scenario,
    "snapshot": SnapshotHead,
    "snapshot-ablation": DeliveryAblation,
    "snapshot-ablation-config": AblationConfig,
    "snapshot-built-tree": BuiltTree,
    "snapshot-diff": MonthDiff,
    "snapshot-expert-key": ExpertKey,
    "snapshot-expert-report": ExpertReport,
    "snapshot-joined": JoinedRow,
    "snapshot-month-audit": MonthAudit,
    "snapshot-rebuilt": Rebuilt,
    "snapshot-recipe": Recipe,
    "snapshot-rejected": Rejected,
    "snapshot-replaced": Replaced,
    "snapshot-report": SnapshotReport,
    "snapshot-row": ManifestRow,
    "snapshot-transcript": CallTranscript,
    "snapshot-transcripts": TranscriptSet,
    "snapshot-tree": MixedTree,
    "snapshot-verification": Verification,
    "spending": SpendingLine,
    "summary": Summary,
    "swap": Swap,
    "timing": Timing,
    "tool": Tool,
    "trace": Trace,
    "transitions": Transitions,
    "voice-table": VoiceTable,
}
FOLDER = Path(__file__).resolve().parents[2] / "bundles" / "schema"
PAGES = Path(__file__).resolve().parents[2] / "docs" / "formats"


def schema_bytes(name: str) -> bytes:
    """The published bytes of a format's JSON Schema (what a file may hold: validation mode, aliases applied)."""
    schema = FORMATS[name].model_json_schema(by_alias=True)
    return pretty_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


def published() -> dict[Path, bytes]:
    """Every published file of the formats, schema and page, with the bytes it must hold."""
    files = {FOLDER / f"{name}.json": schema_bytes(name) for name in FORMATS}
    files |= {PAGES / f"{name}.md": format_page(name, model).encode() for name, model in FORMATS.items()}
    return files


def schema(args: argparse.Namespace) -> int:
    """Print, check or write the formats."""
    if args.write:
        for path, data in published().items():
            write_atomic(path, data)
        print(f"wrote schema and page of {len(FORMATS)} formats")
        return EXIT_OK
    if args.check:
        return _check()
    if args.name is None:
        print("\n".join(FORMATS))
        return EXIT_OK
    if args.name not in FORMATS:
        raise UsageError(f"no format {args.name!r}; formats: {', '.join(FORMATS)}")
    print(schema_bytes(args.name).decode(), end="")
    return EXIT_OK


def _check() -> int:
    current = published()
    found = {
        path: path.read_bytes() for folder, suffix in ((FOLDER, "json"), (PAGES, "md")) for path in folder.glob(f"*.{suffix}")
    }
    stale = sorted(
        f"{path.parent.name}/{path.name}" for path in current.keys() | found.keys() if current.get(path) != found.get(path)
    )
    if stale:
        print(f"published formats differ from the models: {', '.join(stale)}; run `ringback schema --write`")
        return EXIT_GATE
    print(f"schema and page of {len(FORMATS)} formats agree with the models")
    return EXIT_OK
