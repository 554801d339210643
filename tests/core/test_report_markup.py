"""The report's markup: nothing a text holds can leave its place."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from core.report.markup import Html, el, json_block


def test_text_children_are_escaped_and_markup_children_are_not() -> None:
    """Plain text is escaped once; an element put into another stays an element; None is nothing."""
    assert '<p class="a">&lt;b&gt; 3<br></p>' == el("p", "<b>", None, [" ", 3, el("br")], class_="a")


def test_attributes_are_escaped_renamed_and_left_out() -> None:
    """A quote cannot end an attribute; `data_case` is `data-case`; None and False leave it out and True gives it bare."""
    made = el("input", data_case='a"b', aria_label="x", hidden=True, title=None, checked=False)

    assert '<input data-case="a&quot;b" aria-label="x" hidden>' == made


@given(st.text())
def test_any_text_survives_as_one_text_node(text: str) -> None:
    """Whatever a text holds, a parser finds exactly one element around it."""

    class Tags(HTMLParser):
        def __init__(self) -> None:
            super().__init__(convert_charrefs=False)
            self.found: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.found.append(tag)

    made = el("p", text)
    tags = Tags()
    tags.feed(made)

    assert ["p"] == tags.found
    assert text == html.unescape(re.sub(r"^<p>|</p>$", "", made))


LEAVES = st.none() | st.booleans() | st.integers() | st.text()


@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_a_data_block_holds_any_json_and_no_markup(value: object) -> None:
    """The data comes back equal, and no character of it could open or close a tag."""
    block = json_block("d", value)
    inside = re.sub(r'^<script type="application/json" id="d">|</script>$', "", block)

    assert value == json.loads(inside)
    assert not set("<>&\u2028\u2029") & set(inside)


def test_markup_is_a_type_of_its_own() -> None:
    """Only `Html` is trusted; the same characters as plain text are not."""
    assert "<i>x</i>" == el("i", Html("x"))
    assert "<i>&lt;x&gt;</i>" == el("i", "<x>")
