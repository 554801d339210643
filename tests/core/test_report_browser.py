"""The report page in a real browser: opened from disk, heard, clicked, compared."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from core.report.call_data import CasePage
from core.report.page import render_page, render_part
from core.report.parts import parts_of
from core.runs.roundtrip import Echo, replies, round_trip
from core.schemas.call_trace import Trace
from tests.core.report_samples import poison, poison_page, sample_run

if TYPE_CHECKING:
    from selenium.webdriver.chrome.webdriver import WebDriver

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CASE = "lost-card--asr--r0"


@pytest.fixture(scope="module", name="page")
def _page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_page(*sample_run(), "embedded"), encoding="utf-8")
    return path


@pytest.fixture(scope="module", name="trace")
def _trace() -> Trace:
    return next(case.trace for case in sample_run(recorded=True)[1] if case.summary.case == CASE)


def _start(trace: Trace, message: int) -> float:
    assert trace.recording is not None
    return next(part.start_sample for part in trace.recording.segments if part.message == message) / trace.recording.sample_rate


def _wait(driver: WebDriver, script: str, wanted: Callable[[Any], bool], seconds: float = 10.0) -> Any:
    """Asks the page until the answer is wanted; fails with the last answer."""
    limit = time.monotonic() + seconds
    while True:
        answer = driver.execute_script(script)
        if wanted(answer):
            return answer
        assert time.monotonic() < limit, f"{script!r} still gives {answer!r}"
        time.sleep(0.02)


def _open(driver: WebDriver, page: Path, place: str) -> int:
    """Opens a place of the page afresh; the number of the sample case in it."""
    # Without motion nothing moves under the pointer between finding an element and clicking it.
    still = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", still)
    driver.get("about:blank")
    driver.get(f"{page.as_uri()}{place}")
    return int(driver.execute_script("return store.find(arguments[0])", CASE))


def _click(driver: WebDriver, selector: str) -> None:
    """Clicks an element after bringing it clear of the player bar, as a reader would."""
    element = driver.find_element("css selector", selector)
    driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
    element.click()


def _messages(driver: WebDriver) -> list[Any]:
    """What the browser's console said since last asked."""
    found: list[Any] = driver.get_log("browser")  # type: ignore[no-untyped-call]
    return found


def _at_least(count: int) -> Callable[[Any], bool]:
    return lambda found: len(found) >= count


NOW = "const audio = document.getElementById('audio'); return [audio.currentTime, audio.paused, audio.readyState]"


def test_clicking_a_turn_moves_the_sound_to_it(chromium: WebDriver, page: Path, trace: Trace) -> None:
    """Each clicked message plays from its segment's first sample, within 50 ms of it."""
    number = _open(chromium, page, f"#call/{CASE}")
    chromium.execute_script(
        "window.seeks = []; const audio = document.getElementById('audio');"
        "audio.addEventListener('seeked', () => window.seeks.push(audio.currentTime));"
    )
    for count, message in enumerate((3, 1, 6), start=1):
        _click(chromium, f"#m-{number}-{message} .content p")
        seeks = _wait(chromium, "return window.seeks", _at_least(count))
        assert _start(trace, message) == pytest.approx(seeks[count - 1], abs=0.05)
        _wait(chromium, NOW, lambda state: not state[1])


def test_the_turn_being_heard_is_highlighted_as_the_sound_goes_on(chromium: WebDriver, page: Path, trace: Trace) -> None:
    """From one message on, the highlight goes to the next when its segment begins, and each stands inside its segment."""
    number = _open(chromium, page, f"#call/{CASE}")
    _click(chromium, f"#m-{number}-2 button.at")
    for message in (2, 3, 4):
        playing = f"document.querySelector('#m-{number}-{message}.playing')"
        state = f"return [{playing} !== null, document.querySelectorAll('.msg.playing').length, player.seconds]"
        _, highlighted, seconds = _wait(chromium, state, lambda found: found[0])
        assert 1 == highlighted
        segment = next(part for part in trace.recording.segments if part.message == message) if trace.recording else None
        assert segment is not None
        assert segment.start_sample / 16_000 - 0.05 <= seconds <= segment.end_sample / 16_000 + 0.05
    box = "document.querySelector('.msg.playing').getBoundingClientRect()"
    assert chromium.execute_script(f"return {box}.top >= 0 && {box}.bottom <= innerHeight")


def test_evidence_leads_to_its_message_and_plays_it(chromium: WebDriver, page: Path, trace: Trace) -> None:
    """The evidence of a failed action shows the message it cites and plays from there."""
    number = _open(chromium, page, f"#call/{CASE}")
    _click(chromium, "a.evidence[data-message='4']")

    assert f"m-{number}-4" == chromium.find_element("css selector", ".pointed").get_attribute("id")
    seconds = _wait(chromium, NOW, lambda state: state[0] > 0 and not state[1])[0]
    assert _start(trace, 4) <= seconds + 0.05


def test_keys_play_pause_and_step_from_turn_to_turn(chromium: WebDriver, page: Path, trace: Trace) -> None:
    """Space plays and pauses; down and up go to the next and the previous message."""
    from selenium.webdriver.common.keys import Keys

    number = _open(chromium, page, f"#call/{CASE}")
    body = chromium.find_element("tag name", "body")
    body.send_keys(Keys.ARROW_DOWN)
    body.send_keys(Keys.ARROW_DOWN)
    assert f"m-{number}-1" == chromium.find_element("css selector", ".pointed").get_attribute("id")
    body.send_keys(Keys.ARROW_UP)
    assert f"m-{number}-0" == chromium.find_element("css selector", ".pointed").get_attribute("id")
    _wait(chromium, NOW, lambda state: not state[1] and state[0] >= _start(trace, 0) - 0.05)
    body.send_keys(" ")
    _wait(chromium, NOW, lambda state: state[1])
    body.send_keys(" ")
    _wait(chromium, NOW, lambda state: not state[1])


def test_a_moment_of_the_overview_plays_and_stops_by_itself(chromium: WebDriver, page: Path, trace: Trace) -> None:
    """The button beside a misheard value plays only that caller message."""
    _open(chromium, page, "#attribution")
    _click(chromium, button := f"#attribution button[data-case='{CASE}']")
    _wait(chromium, NOW, lambda state: not state[1] and state[0] >= _start(trace, 3) - 0.05)
    assert 1 == len(chromium.find_elements("css selector", f"{button}.active"))
    seconds = _wait(chromium, NOW, lambda state: state[1])[0]

    end = next(part.end_sample for part in trace.recording.segments if part.message == 3) if trace.recording else 0
    assert end / 16_000 == pytest.approx(seconds, abs=0.25)


def test_two_conditions_stand_side_by_side(chromium: WebDriver, page: Path) -> None:
    """Turns of the same step share a row, the row that went differently is marked, and each column plays its own call."""
    number = _open(chromium, page, f"#compare/{CASE}/text")
    other = int(chromium.execute_script("return store.find('lost-card--text--r0')"))
    rows = chromium.find_elements("css selector", ".pairs .pair")

    assert [False, False, True, False] == ["differs" in (row.get_attribute("class") or "") for row in rows]
    for side in (other, number):
        _click(chromium, f"#m-{side}-3 button.at")
        assert side == chromium.execute_script("return player.number")
        _wait(chromium, NOW, lambda state: not state[1])


def test_calls_are_filtered_by_condition_agent_and_words(chromium: WebDriver, page: Path) -> None:
    """Filters narrow the list and say how many remain; ordering puts the lowest score first."""
    from selenium.webdriver.support.ui import Select

    _open(chromium, page, "#calls")
    shown = "return [...document.querySelectorAll('#calls-table tbody tr:not([hidden]) a')].map((link) => link.hash)"
    Select(chromium.find_element("id", "filter-condition")).select_by_value("asr")
    Select(chromium.find_element("id", "filter-agent")).select_by_value("bank-desk")
    assert [f"#call/{name}--asr--r0" for name in ("lost-card", "card-limit", "dispute-charge")] == chromium.execute_script(shown)
    assert "3 of 18 calls" == chromium.find_element("id", "filter-count").text
    chromium.find_element("id", "filter-text").send_keys("2903")
    assert [f"#call/{CASE}"] == chromium.execute_script(shown)
    chromium.find_element("id", "filter-text").clear()
    Select(chromium.find_element("id", "filter-condition")).select_by_value("")
    Select(chromium.find_element("id", "filter-order")).select_by_value("overall")
    assert f"#call/{CASE}" == chromium.execute_script(shown)[0]


def test_the_page_asks_the_network_for_nothing_and_reports_no_error(chromium: WebDriver, page: Path) -> None:
    """Through overview, call, sound and comparison: no request but the page's own blobs, no console message, no notice."""
    number = _open(chromium, page, "#scores")
    for place in (f"#call/{CASE}", f"#compare/{CASE}/text", "#calls", f"#call/{CASE}"):
        chromium.execute_script("location.hash = arguments[0]", place)
    _wait(chromium, "return document.querySelectorAll('.wave').length", lambda found: found == 2)
    _click(chromium, f"#m-{number}-3 button.at")
    _wait(chromium, NOW, lambda state: not state[1] and state[0] > 0)

    requests = chromium.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [] == [name for name in requests if not name.startswith("blob:")]
    assert [] == chromium.find_elements("id", "notice")
    assert [] == _messages(chromium)
    chromium.execute_script("console.error('heard')")
    assert 1 == len(_messages(chromium))


def test_linked_recordings_play_from_the_run_folder(chromium: WebDriver, tmp_path: Path, trace: Trace) -> None:
    """A page that links its sound plays it from beside itself, also from disk."""
    summary, cases = sample_run()
    linked = []
    for case in cases:
        target = tmp_path / "run" / "cases" / case.summary.case / "call.flac"
        target.parent.mkdir(parents=True)
        target.write_bytes(case.audio or b"")
        linked.append(CasePage(case.summary, case.trace, case.grade, link=f"cases/{case.summary.case}/call.flac"))
    page = tmp_path / "run" / "report.html"
    page.write_text(render_page(summary, linked, "linked"), encoding="utf-8")
    number = _open(chromium, page, f"#call/{CASE}")
    _click(chromium, f"#m-{number}-6 button.at")

    seconds = _wait(chromium, NOW, lambda state: not state[1] and state[0] > 0)[0]
    assert _start(trace, 6) <= seconds + 0.05
    assert [] == _messages(chromium)


def test_hostile_text_stays_text(chromium: WebDriver, tmp_path: Path) -> None:
    """Markup in every free text of the run shows as text in every view: no element comes of it and nothing runs."""
    payload = "</script><img src=x onerror=\"document.title='owned'\"><b id=owned>"
    summary, cases = sample_run()
    worse = [poison_page(case, payload) for case in cases]
    page = tmp_path / "report.html"
    page.write_text(render_page(poison(summary, payload), worse, "embedded"), encoding="utf-8")
    for place in ("#scores", f"#call/{CASE}", f"#compare/{CASE}/text"):
        _open(chromium, page, place)
        assert payload in chromium.execute_script("return document.body.innerText")
        assert [] == chromium.find_elements("css selector", "img, #owned")
        assert "owned" != chromium.title


def test_what_came_back_of_a_reply_stands_below_it(chromium: WebDriver, tmp_path: Path) -> None:
    """Where the agent's own speech was measured, the call view shows what was heard of a reply, as text whatever it holds."""
    summary, pages = sample_run(recorded=False)
    first = next(case for case in pages if case.summary.case == CASE)
    index = replies(first.trace)[0].index
    back = round_trip(CASE, first.trace, "Latn", Echo(index, "said so", "heart", "<b>good</b> mourning"))
    shown = [CasePage(each.summary, each.trace, each.grade, replies=(back,)) if each is first else each for each in pages]
    path = tmp_path / "report.html"
    path.write_text(render_page(summary, shown, "none"), encoding="utf-8")

    _open(chromium, path, f"#call/{CASE}")

    texts = _wait(chromium, "return [...document.querySelectorAll('#call .back')].map((one) => one.innerText)", bool, seconds=30)
    assert 1 == len(texts)
    assert "heard back: <b>good</b> mourning" in texts[0]
    assert "spoken as “said so”" in texts[0]


def test_a_call_on_another_page_of_a_large_run_is_found(chromium: WebDriver, tmp_path: Path) -> None:
    """From the first page's table and by address the browser goes to the page that holds the call, and back to the whole run."""
    summary, pages = sample_run(recorded=False)
    parts = parts_of(summary.cases, 1)
    assert len(parts) > 1
    for part in parts:
        own = [page for page in pages if page.summary in part.cases]
        first = part is parts[0]
        text = render_page(summary, own, "none", parts=parts, audible=()) if first else render_part(summary, own, "none", part)
        (tmp_path / part.file).write_text(text, encoding="utf-8")
    there = parts[-1].cases[0].case

    _open(chromium, tmp_path / "report.html", "#calls")
    _click(chromium, f"#calls-table a[href='#call/{there}']")
    _wait(chromium, "return document.title", lambda title: title == f"{there}: Ringback")
    assert chromium.current_url.endswith(f"/{parts[-1].file}#call/{there}")
    assert chromium.execute_script("return document.getElementById('call').innerText.length") > 0

    _click(chromium, "header nav a[href='report.html']")
    _wait(chromium, "return location.pathname", lambda path: path.endswith("/report.html"))
    rows = chromium.find_elements("css selector", "#calls-table tbody tr")
    assert len(summary.cases) == len(rows)
    assert [] == _messages(chromium)
