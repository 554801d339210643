"""The snapshot report in a real browser: both themes, a phone, the keyboard, and a silent console."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from core.report.snapshots.assemble import assemble
from core.report.snapshots.page import render_snapshot_page
from tests.core.snapshot_report_samples import audit, evaluation, one_month

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module", name="page")
def _page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    long = evaluation({"tp": 4, "fn": 4, "tn": 4}, "litellm:provider/" + "a-model-with-a-long-name-" * 5)
    path.write_text(render_snapshot_page(assemble([*one_month(0), long, *one_month(1)], [audit()])), encoding="utf-8")
    return path


def _open(driver: WebDriver, page: Path, theme: str, width: int) -> None:
    features = [{"name": "prefers-color-scheme", "value": theme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.get("about:blank")
    driver.get(page.as_uri())


def _messages(driver: WebDriver) -> list[Any]:
    found: list[Any] = driver.get_log("browser")  # type: ignore[no-untyped-call]
    return found


def test_both_themes_on_desk_and_phone(chromium: WebDriver, page: Path) -> None:
    """No sideways scroll of the page, no console message, no request, and text that stands out from its ground in each theme."""
    grounds = {}
    for theme in ("light", "dark"):
        for width in (1200, 390):
            _open(chromium, page, theme, width)
            wide, inner = chromium.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
            assert wide <= inner
            assert [] == _messages(chromium)
            assert 0 == chromium.execute_script("return performance.getEntriesByType('resource').length")
            script = "const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]"
            grounds[theme] = chromium.execute_script(script)
    assert ["rgb(255, 255, 255)", "rgb(24, 32, 38)"] == grounds["light"]
    assert ["rgb(18, 23, 26)", "rgb(228, 233, 236)"] == grounds["dark"]


def test_no_text_of_a_plot_is_cut_off(chromium: WebDriver, page: Path) -> None:
    """Every text of every plot lies inside its picture, also beside long names."""
    _open(chromium, page, "light", 1200)
    outside = chromium.execute_script(
        "return [...document.querySelectorAll('svg')].flatMap((svg) => { const box = svg.getBoundingClientRect();"
        " return [...svg.querySelectorAll('text')].filter((text) => { const own = text.getBoundingClientRect();"
        " return own.width && (own.left < box.left - 1 || own.right > box.right + 1 || own.top < box.top - 2 ||"
        " own.bottom > box.bottom + 2); }).map((text) => text.textContent); })"
    )
    assert [] == outside


def test_tables_and_plots_are_reached_by_keys(chromium: WebDriver, page: Path) -> None:
    """Tab goes over links, tables, plots and folds; Enter opens a fold."""
    from selenium.webdriver.common.keys import Keys

    _open(chromium, page, "light", 390)
    seen = []
    for _ in range(60):
        chromium.switch_to.active_element.send_keys(Keys.TAB)
        script = "const at = document.activeElement; return at.className || at.tagName"
        seen.append(chromium.execute_script(script))
        if seen[-1] == "SUMMARY":
            break
    assert "skip" == seen[0]
    assert {"A", "scroll", "plot", "SUMMARY"} <= set(seen)
    chromium.switch_to.active_element.send_keys(Keys.ENTER)
    assert chromium.execute_script("return document.activeElement.parentElement.open")
