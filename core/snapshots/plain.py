"""Words without anything that a small edit can change: what counts as the same text in a snapshot."""

from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    """Letters and digits alone, NFKC and case folded, nothing between them; in any language."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum() or unicodedata.category(char)[0] == "M")
