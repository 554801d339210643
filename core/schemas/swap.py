"""What another caller changes: the same candidates on the same scenarios, called by each of several callers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.schemas.base import Condition, Model, Sha256


class SwapCell(Model):
    """One candidate under one caller."""

    candidate: str
    """Candidate."""
    caller: str
    """Caller."""
    run: str
    """Its run, as given."""
    mean: float
    """Overall score over the cases that are graded in every run."""
    low: float | None
    """Lower end of the 95 % hierarchical bootstrap interval."""
    high: float | None
    """Upper end."""
    rank: int = Field(ge=1)
    """Place among the candidates under this caller, 1 for the highest score; equal scores share it."""


class SwapChange(Model):
    """A paired difference between another caller and the first."""

    subject: str
    """A candidate, or `one - other` for the lead of one candidate over another."""
    caller: str
    """The other caller."""
    before: float
    """Score or lead under the first caller."""
    after: float
    """The same under the other caller."""
    mean: float
    """Mean over scenarios of after less before, repeats averaged first."""
    low: float | None
    """Lower end of its 95 % interval."""
    high: float | None
    """Upper end."""
    wins: int
    """Scenarios where it is higher under the other caller."""
    losses: int
    """Scenarios where it is lower."""
    ties: int
    """Scenarios where it is the same."""


class Swap(Model):
    """What `ringback swap --json` prints."""

    format: Literal["ringback-swap-1"] = "ringback-swap-1"
    """Version of this format."""
    bundle: str
    """`<id>@<version>`."""
    bundle_hash: Sha256
    """Hash over the bundle's files."""
    judge: str
    """Judge."""
    judge_key: str
    """Hash of judge, settings, prompts."""
    seed: int
    """Seed of every run."""
    condition: Condition
    """The line of every run."""
    candidates: tuple[str, ...]
    """Candidates, in the order given."""
    callers: tuple[str, ...]
    """Callers; others are compared with the first."""
    n: int
    """Cases that are graded in every run."""
    scenarios: int
    """Their scenarios."""
    cells: tuple[SwapCell, ...]
    """One for each candidate and caller."""
    changes: tuple[SwapChange, ...]
    """How the score of each candidate moves with the caller."""
    leads: tuple[SwapChange, ...]
    """How the lead of each candidate over each later one moves with the caller."""
    turned: tuple[str, ...]
    """Leads whose sign another caller turns, as `<one> - <other> under <caller>`."""
