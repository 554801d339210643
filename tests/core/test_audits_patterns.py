"""SPEC 2: a regex is compiled at load and guarded against catastrophic time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.audits.patterns import MAX_LENGTH, pattern_fault


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "not a regular expression: missing ), unterminated subpattern at character 0, found '('"),
        ("[z-a]", "not a regular expression: bad character range z-a at character 1"),
        ("a**", "not a regular expression: multiple repeat"),
        (r"(?P<x>a)(?P<x>b)", "not a regular expression: redefinition"),
        (r"\1", "not a regular expression: invalid group reference"),
        ("a{99999999999999}", "the pattern is too large"),
        ("(" * 300 + ")" * 300, "the pattern has 600 characters; 500 are allowed"),
        ("(?:(?:[ab]{20}c){20}d){20}", "the pattern is too large"),
    ],
    ids=lambda text: text[:24],
)
def test_a_pattern_that_cannot_be_used_says_why(pattern: str, reason: str) -> None:
    """What Python's own compiler refuses, and what is too large, is refused with a place where there is one."""
    assert str(pattern_fault(pattern)).startswith(reason)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a*)*b",
        "(a+)+b",
        "(a+)*b",
        "(a|a)*b",
        "(a|aa)+b",
        "(a|ab|b)+c",
        "(a{1,2})+b",
        "(a?b?)+c",
        "(a*?)*?b",
        "(a*b?)*c",
        "((a+)b?)+c",
        r"(\w+\s?)+!",
        r"(\s*,\s*)*x",
        r"(.*,?)*x",
        r"(a{0,100}){0,100}b",
        "(?:a|a?)+b",
        r"x(\d+|\d+-)*y",
        r"(?=(a|a)*b)",
        r"(?!(a+)+b)",
        r"(?<=x)(a|aa)+b",
        r"([a-m]x|[k-z]x)*!",
        r"(?i:(ab|AB))*c",
        "((ab)*|(a|b)*)*c",
        r"(x+x+)+y",
        r"(?:.|\w)*!",
        r"(a|b|ab)*c",
    ],
)
def test_two_ways_round_a_loop_are_exponential(pattern: str) -> None:
    """Nested repeats, overlapping alternatives and optional parts that let one text be matched in many ways."""
    assert "a repeat can match one text in two ways" in str(pattern_fault(pattern))


@pytest.mark.parametrize(
    "pattern",
    [
        r"\w+\w+\w+\w+\w+\w+!",
        r"\s*\s*\s*\s*x",
        ".*.*.*.*",
        ".*.*.*x",
        r".*a.*b.*c.*d.*e",
        r"(a*)(a*)(a*)(a*)b",
        r"[ab]*[bc]*b*[bd]*!",
        r"(.*)(.*)(.*)\1",
        ".{0,400}.{0,400}.{0,400}x",
    ],
)
def test_many_loops_that_share_a_text_are_too_slow(pattern: str) -> None:
    """Each loop that can take over from the last on the same text costs another factor of the text's length."""
    assert "repeats that can share a text" in str(pattern_fault(pattern))


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "a",
        "bye|goodbye",
        r"\d{4}-\d{2}-\d{2}",
        r"[A-Z]{2}\d{6}",
        r"(?:\d[ -]?){8}",
        r"(?:\d[ -]?)+",
        r"(\w+\s)+!",
        r"(\d+,)*\d+",
        r"(ab|cd)*x",
        r"(a|b)*c",
        r"(?:.|\n)*end",
        "(a?)+b",
        r"\bgood\W?bye\b",
        r".*refund.*days?.*",
        r"^\s*yes\b.*$",
        r"(7|seven)\W*(3|three)\W*(9|nine)\W*(1|one)\W*(6|six)",
        r"hazard|wire|smoke|burning|danger",
        r"a{2,5}b{3}",
        "([a-m]|[k-z])*!",
        r"(?:one|two|three)(?:, (?:one|two|three))*",
        r"my\s+card\s+is\s+lost\s+or\s+stolen\s+since\s+last\s+week",
        r"(?=.*\d)(?=.*[a-z])\w{8,20}",
        r"(\w+) \1",
        r"[^@\s]+@[^@\s]+\.[a-z]{2,}",
        r"(?i)caf\u00e9\s*\d*",
        r".{0,30}fee.{0,30}",
        r"(?:(?:re)?fund(?:ed|s)?\W+){1,3}",
        r"\d+(?:\.\d{2})?",
    ],
)
def test_patterns_people_write_pass(pattern: str) -> None:
    """Repeats whose turns cannot be confused are fine, also inside one another."""
    assert pattern_fault(pattern) is None


def test_the_bounds_themselves() -> None:
    """The longest allowed pattern passes; one character more does not."""
    assert pattern_fault("a" * (MAX_LENGTH - 101) + "|" + "b" * 0) is None
    assert "501 characters" in str(pattern_fault("|" * (MAX_LENGTH + 1)))


# -- against a matcher that counts -------------------------------------------------------------------------------------


class _TooManySteps(Exception):
    pass


class _Counting:
    """A naive backtracking matcher over a parsed pattern that gives up after so many steps."""

    def __init__(self, text: str, limit: int) -> None:
        self.text, self.left = text, limit

    def ends(self, nodes: Any, at: int) -> Iterator[int]:
        self.left -= 1
        if self.left < 0:
            raise _TooManySteps
        if not nodes:
            yield at
            return
        for middle in self._one(nodes[0][0], nodes[0][1], at):
            yield from self.ends(nodes[1:], middle)

    def _one(self, op: Any, argument: Any, at: int) -> Iterator[int]:
        if op in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            yield from self._turns(argument[0], argument[1], list(argument[2]), at, 0)
        elif op is constants.SUBPATTERN:
            yield from self.ends(list(argument[3]), at)
        elif op is constants.BRANCH:
            for item in argument[1]:
                yield from self.ends(list(item), at)
        elif at < len(self.text) and self._matches(op, argument, self.text[at]):
            yield at + 1

    def _turns(self, least: int, most: Any, item: Any, at: int, done: int) -> Iterator[int]:
        if most is constants.MAXREPEAT or done < most:
            for middle in self.ends(item, at):
                if middle > at or done < least:
                    yield from self._turns(least, most, item, middle, done + 1)
        if done >= least:
            yield at

    def _matches(self, op: Any, argument: Any, char: str) -> bool:
        if op is constants.ANY:
            return True
        if op is constants.LITERAL:
            return bool(ord(char) == argument)
        return any(
            ord(char) == value if kind is constants.LITERAL else value[0] <= ord(char) <= value[1] for kind, value in argument
        )


ATOMS = st.sampled_from(["a", "b", "[ab]", ".", "[a-c]"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "*?", "{1,2}", "{2}", "{0,3}"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=7,
)


@given(PATTERNS)
@example("(?:a|b)*(?:[ab]b)*")
@example("(?:(?:ab)?a?)*")
def test_a_pattern_that_passes_is_fast_on_texts_that_fail_late(pattern: str) -> None:
    """No accepted pattern makes a matcher that counts its steps give up, whatever is repeated before the text fails."""
    if pattern_fault(pattern) is None:
        for word in ("a", "b", "ab", "aab", "abb"):
            text = word * (30 // len(word)) + "!"
            counting = _Counting(text, limit=300_000)
            for _end in counting.ends([*parser.parse(f"(?:{pattern})"), (constants.LITERAL, ord("?"))], 0):
                raise AssertionError("the text cannot match")


def test_the_counting_matcher_gives_up_on_a_bad_pattern() -> None:
    """The measure of the property above can fail."""
    with pytest.raises(_TooManySteps):
        list(_Counting("a" * 30 + "!", 300_000).ends([*parser.parse("(?:a|a)*"), (constants.LITERAL, ord("?"))], 0))
    assert re.fullmatch("(?:a|a)*", "a" * 30)
