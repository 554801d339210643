"""What must and must not count as the same in every language: texts and values, over every kind of wrong comparison."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.spoken import Kind, occurs, same_value
from core.spoken.languages import LANGUAGES
from core.text import normalise, normaliser_of
from core.yamlfile import read_data

FOLDER = Path(__file__).parent / "pairs"
FIELDS = frozenset({"a", "b", "equal", "kind", "note", "value_kind"})
# The kinds of wrong comparison known from other tools; the languages add some of their own.
KINDS = frozenset(
    """decimal_points thousands_separators leading_zeros ids_split ids_merged spelled_letters spoken_times spoken_ids
    spelling_variants apostrophes full_width native_digits empty numbers substrings""".split()
)


FILES: dict[str, Any] = {path.stem: read_data(path) for path in sorted(FOLDER.glob("*.yaml"))}
PAIRS: list[tuple[str, dict[str, Any]]] = [(language, pair) for language, pairs in FILES.items() for pair in pairs]
NAMES = [f"{language}-{number}" for language, pairs in FILES.items() for number, _pair in enumerate(pairs, 1)]


@pytest.mark.parametrize(("language", "pair"), PAIRS, ids=NAMES)
def test_only_what_is_the_same_counts_as_the_same(language: str, pair: dict[str, Any]) -> None:
    """Texts come to the same units, or to others; values are equal, and occur in each other's words, or are not. Both ways."""
    assert pair.keys() <= FIELDS
    a, b, equal = pair["a"], pair["b"], pair["equal"]
    if "value_kind" not in pair:
        name = normaliser_of(language)
        assert equal == (normalise(a, name) == normalise(b, name))
        return
    kind = Kind(pair["value_kind"])
    assert (equal, equal) == (same_value(a, b, kind, language), same_value(b, a, kind, language))
    assert (equal, equal) == (occurs(a, kind, b, language=language), occurs(b, kind, a, language=language))


def test_there_are_enough_of_both_sorts() -> None:
    """At least 150 pairs; each sort is half of them, give or take five in a hundred, and ten in each language."""
    equal = [pair["equal"] for _language, pair in PAIRS]
    assert len(equal) >= 150
    assert 0.45 <= sum(equal) / len(equal) <= 0.55
    for language in LANGUAGES:
        own = [pair["equal"] for its, pair in PAIRS if its == language]
        assert len(own) >= 14
        assert 0.4 <= sum(own) / len(own) <= 0.6, language


def test_every_kind_of_wrong_comparison_is_covered() -> None:
    """Each of them by a pair that must be the same or must not be, and each that tools get wrong both ways by both."""
    assert KINDS <= {pair["kind"] for _language, pair in PAIRS}
    both = {kind for kind in KINDS if {True, False} == {pair["equal"] for _language, pair in PAIRS if pair["kind"] == kind}}
    assert KINDS - {"ids_split", "ids_merged", "substrings"} <= both  # what is not the same id or number at all
