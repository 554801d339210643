"""`ringback bundle import` on what others published: samples of EVA and tau2, read from the folder of outside data."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path

import pytest

from core.bundle import load_bundle
from core.errors import EXIT_INPUT, EXIT_OK
from core.importing.writing import REPORT
from core.schemas.imported import ImportReport
from gateway.cli.main import main

pytestmark = pytest.mark.data
SAMPLES = "peer-samples.tar.xz"
SETS = {
    "eva-airline": ("eva", 8, ("eva/airline_agent.yaml", "eva/airline_dataset.json", "eva/airline_scenarios")),
    "tau2-mock": ("tau2", 7, ("tau2/mock/tasks.json", "tau2/mock/policy.md", "tau2/mock/db.json")),
}
"""Name of a sample to its layout, how many of its 8 or 10 records come over at least, and its files; a folder is all in it."""


@pytest.fixture(scope="module", name="samples")
def _samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive, unpacked."""
    archive = Path(os.environ["RINGBACK_TEST_DATA"]) / SAMPLES
    if not archive.is_file():
        pytest.skip(f"no {SAMPLES} in RINGBACK_TEST_DATA")
    folder = tmp_path_factory.mktemp("samples")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / "peer-samples"


@pytest.mark.parametrize("name", SETS)
def test_published_files_become_a_sound_bundle_and_nothing_is_lost_in_silence(samples: Path, tmp_path: Path, name: str) -> None:
    """The bundle passes every audit, and every record is in the report: as a scenario, or with the reason why it is none."""
    layout, fewest, names = SETS[name]
    found = [samples / part for part in names]
    files = [path for part in found for path in (sorted(part.iterdir()) if part.is_dir() else [part])]
    out = tmp_path / name
    assert EXIT_OK == main(["bundle", "import", layout, *map(str, files), "--out", str(out)])
    bundle = load_bundle(out)
    report = ImportReport.model_validate_json((out / REPORT).read_bytes())
    assert {path.name for path in files} == {Path(file.file).name for file in report.files}
    taken = [record for record in report.records if record.scenario is not None]
    assert set(bundle.scenarios) == {record.scenario for record in taken}
    assert fewest <= len(taken)
    assert [] == [record.id for record in report.records if record.outcome == "not" and not record.left_out]


def test_tasks_whose_database_is_not_there_become_no_bundle(
    samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """tau2's airline comes without its database: every task is named with what it lacks, and nothing is written."""
    files = [str(samples / "tau2" / "airline" / name) for name in ("tasks.json", "policy.md")]
    assert EXIT_INPUT == main(["bundle", "import", "tau2", *files, "--out", str(tmp_path / "airline")])
    told = capsys.readouterr().err
    assert "nothing here becomes a scenario, and nothing was written" in told
    assert "would have no answers: give db.json of its folder too" in told
    assert not (tmp_path / "airline").exists()
