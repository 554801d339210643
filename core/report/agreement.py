"""Agreement of judges with people, of people and of votes among themselves, as plain text for a terminal."""

from __future__ import annotations

from core.report import phrases
from core.report.text import table
from core.schemas.agreement import Agreement, AgreementRow, Estimated, Metric, Raters, Weights

NOTE = (
    "Judge and program (which grades actions) stand against the people, people and votes among themselves. Agreement is the "
    "share of equal pairs; kappa and alpha take off what chance gives: 1 is full agreement, 0 is chance. In brackets 95 % "
    "hierarchical bootstrap intervals over calls. A dash: nothing could disagree, or nothing was compared."
)


def agreement_lines(found: Agreement) -> list[str]:
    """Lines of every table; the caller wraps the note."""
    if not found.rows:
        return ["Nothing to compare: no labelled item was judged."]
    head = ["raters, scale", "items", "calls", "agreement", "kappa", "quadratic kappa", "ordinal alpha"]
    lines = table([head, *(_cells(row) for row in found.rows)], right=(1, 2, 3))
    for row in found.rows:
        if row.diagnostic is None and row.confusion:
            lines += ["", *_confusion(row)]
    if found.left_out:
        lines += ["", "Left out: " + ", ".join(f"{count} ({why})" for why, count in found.left_out.items())]
    return lines


def _cells(row: AgreementRow) -> list[str]:
    name = f"{row.raters.value}, {row.scale.value}s" if row.diagnostic is None else f"  {row.diagnostic.value}"
    measures = (row.kappa.get(Weights.NOMINAL), row.kappa.get(Weights.QUADRATIC), row.alpha.get(Metric.ORDINAL))
    agreed = phrases.number(row.agreement.value, 2)
    return [name, str(row.n), str(row.cases), agreed, *map(_estimate, measures)]


def _estimate(found: Estimated | None) -> str:
    if found is None or found.value is None:
        return "-"
    return f"{found.value:.2f}" + ("" if found.low is None else f" [{found.low:.2f}, {found.high:.2f}]")


def _confusion(row: AgreementRow) -> list[str]:
    """Rows are what people said, columns what the judge said; values that nobody gave are left out."""
    used = [i for i in range(len(row.values)) if any(row.confusion[i]) or any(line[i] for line in row.confusion)]
    other = "program" if row.raters is Raters.PROGRAM else "judge"
    cells = [[f"people \\ {other}", *(row.values[i] for i in used)]]
    cells += [[row.values[i], *(str(row.confusion[i][j]) for j in used)] for i in used]
    return table(cells, right=range(1, len(used) + 1))
