"""The audit of a month with the learners and the other calls that ship."""

from __future__ import annotations

from collections.abc import Sequence

from core.schemas.audits import MonthAudit
from core.schemas.imported_calls import ImportedCall
from core.snapshots.audits.month import MonthCalls, MonthLearners, OtherCalls, audit_month
from core.snapshots.building.library import load_cases
from core.snapshots.building.plot import Plot
from core.snapshots.everyday import everyday_calls
from models.baselines.learners import TEXT_LEARNERS, settings_of, standard_learners, text_learner

SEPARATING = "tfidf-svm"
"""The learner of linear separability, as in the paper."""
WITH_EVERYDAY = "zh"
"""The language that everyday dialogues are written in."""


def audited(month: MonthCalls, ordinary: Sequence[ImportedCall], seed: int) -> MonthAudit:
    """Every audit of a month.

    Raises:
        InputError: too few calls or trees, or ordinary calls in another language.
        MissingExtraError: the learners are not installed.
    """
    language = month.language.partition("-")[0]
    others = OtherCalls(everyday_calls() if language == WITH_EVERYDAY else (), ordinary)
    tiers = {name: settings_of(name) for name in TEXT_LEARNERS}
    learners = MonthLearners(standard_learners(), tiers, text_learner(SEPARATING))
    return audit_month(month, others, learners, seed, Plot(load_cases(language).catalogue).step)
