"""What another caller changes, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from core.report import phrases, text
from core.runs.notes import INTERVAL_NOTE
from core.schemas.swap import Swap, SwapChange


def render_swap(found: Swap, width: int = 100) -> str:
    """Scores and ranks by caller, then how scores and leads move from the first caller to each other one."""
    head = f"{found.bundle} ({found.bundle_hash[:12]}), {found.condition.value}, judge {found.judge}, seed {found.seed}"
    stands = f"{found.n} cases of {found.scenarios} scenarios that are graded in every run"
    lines = [text.wrapped(f"{head}; {stands}", width), "", "Overall score and rank by caller", *_scores(found)]
    lines += ["", f"Change of the score, other caller less {text.clean(found.callers[0])}", *_changes("candidate", found.changes)]
    if found.leads:
        lines += ["", "Change of the lead of one candidate over another", *_changes("lead", found.leads)]
    return "\n".join([*lines, "", *(text.wrapped(note, width) for note in (_verdict(found), INTERVAL_NOTE))]) + "\n"


def _scores(found: Swap) -> list[str]:
    cells = {(cell.candidate, cell.caller): cell for cell in found.cells}
    rows = [["candidate", *(text.clean(caller) for caller in found.callers)]]
    for candidate in found.candidates:
        held = [cells[candidate, caller] for caller in found.callers]
        shown = [f"{phrases.number(each.mean)} {phrases.interval(each.low, each.high)} #{each.rank}" for each in held]
        rows.append([text.clean(candidate), *(" ".join(each.split()) for each in shown)])
    return text.table(rows)


def _changes(subject: str, changes: Sequence[SwapChange]) -> list[str]:
    rows = [[subject, "caller", "before", "after", "change", "95 % interval", "up/down/same"]]
    for each in changes:
        bounds = phrases.interval(each.low, each.high, sign=True) or phrases.NO_INTERVAL
        counts = f"{each.wins}/{each.losses}/{each.ties}"
        means = [phrases.number(each.before), phrases.number(each.after), phrases.signed(each.mean)]
        rows.append([text.clean(each.subject), text.clean(each.caller), *means, bounds, counts])
    return text.table(rows, right=(2, 3, 4))


def _verdict(found: Swap) -> str:
    if not found.leads:
        return "One candidate alone has no rank to lose: add runs of another with the same callers."
    if found.turned:
        return f"Another caller turns {len(found.turned)} of {len(found.leads)} leads: {'; '.join(found.turned)}."
    return "No caller turns the lead of one candidate over another."
