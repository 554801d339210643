"""Words by which people are warned of fraud on the telephone, as the naive detector counts them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.schemas.base import Model


class RiskWords(Model):
    """Words of one language."""

    words: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]
    """Counted wherever they stand, folded, each as often as it stands there."""
    threshold: int = Field(ge=1)
    """So many of them, or more, are called fraud."""


class RiskWordsFile(Model):
    """`risk-words.yaml`: the words of every language."""

    format: Literal[1]
    """Version of this format."""
    languages: Annotated[dict[str, RiskWords], Field(min_length=1)]
    """Primary language code to words."""
