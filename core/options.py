"""`name?key=value&key=value`: how users name a thing and set it, taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from core.errors import UsageError


def split_options(text: str, shown: str) -> tuple[str, dict[str, str]]:
    """What stands before the question mark, and the options after it, percent signs and plus signs decoded.

    `shown` is what messages call the text, with secrets hidden.

    Raises:
        UsageError: the options are not pairs, or one is given twice.
    """
    head, _, query = text.partition("?")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError:
        raise UsageError(f"{shown!r}: options are written ?key=value&key=value") from None
    for place, (key, _) in enumerate(pairs):
        if key in dict(pairs[:place]):
            raise UsageError(f"{shown!r}: the option {key!r} is given twice")
    return head, dict(pairs)


def refuse_unknown(given: Mapping[str, str], valid: tuple[str, ...], shown: str) -> None:
    """Refuse an option that is not among the valid ones.

    Raises:
        UsageError: it is not; the valid ones are listed.
    """
    unknown = sorted(given.keys() - set(valid))
    if unknown:
        takes = f"it takes {', '.join(valid)}" if valid else "it takes none"
        raise UsageError(f"{shown!r}: unknown option {unknown[0]!r}: {takes}")
