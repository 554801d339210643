"""The browser that page tests drive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver


@pytest.mark.browser
def test_chromium_runs_a_page_from_disk_and_can_play_flac(chromium: WebDriver, tmp_path: Path) -> None:
    """The headless browser runs a script of a page opened from disk, and has a decoder for the recordings' format."""
    page = tmp_path / "page.html"
    page.write_text("<button onclick=\"document.title = 'clicked'\">press</button><audio></audio>", encoding="utf-8")
    chromium.get(page.as_uri())
    chromium.find_element("tag name", "button").click()
    assert "clicked" == chromium.title
    assert "" != chromium.execute_script("return document.querySelector('audio').canPlayType('audio/flac')")
