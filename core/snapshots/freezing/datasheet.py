"""The two files of a month for people: what it is and how it may be used. Made of recipe and rows alone, without a clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import mean
from textwrap import fill

from core.schemas.base import Json
from core.schemas.months import Recipe, TranscriptSet
from core.schemas.snapshots import Label, ManifestRow, Replaced
from core.schemas.trees import Rejected
from core.snapshots.freezing.checking import counts_of

PAPER_RECOGNISER = "Whisper medium"
"""What the paper transcribes with."""


def licence_text(recipe: Recipe) -> bytes:
    """The licence in short form."""
    return f"""\
{recipe.snapshot_id}: words and sound of this snapshot

Licence: {recipe.licence}, a licence of Creative Commons: Attribution 4.0 International, where it is CC-BY-4.0.

You may share and adapt all of it, commercially too, as long as you give appropriate credit (the name of the snapshot and
its root hash), say which licence it has, and tell whether anything was changed. Nothing may be added that keeps others from
doing what the licence permits. It comes as it is, without any warranty. The full text is published by Creative Commons.

A request, which is no term of the licence: use it for defence alone, to detect, study and prevent fraud by telephone, and
not to plan, train or rehearse it.
""".encode()


def datasheet(
    recipe: Recipe,
    rows: Sequence[ManifestRow],
    speech: Mapping[str, Json],
    made: TranscriptSet | None,
    rejected: Sequence[Rejected],
    replaced: Sequence[Replaced],
) -> bytes:
    """The datasheet, after the questions of Gebru et al., *Datasheets for Datasets*."""
    sections = {
        f"# Datasheet: {recipe.snapshot_id}": (),
        "## Motivation": _MOTIVATION,
        "## Composition": _composition(recipe, rows),
        "## Collection process": _collection(recipe, rows),
        "## Preprocessing, cleaning, labelling": _preprocessing(made, rejected, replaced),
        "## Sound": _sound(recipe, rows, speech),
        "## Uses": _USES,
        "## Distribution": _distribution(recipe),
        "## Maintenance": _MAINTENANCE,
    }
    parts = [part for title, paragraphs in sections.items() for part in (title, *map(_wrapped, paragraphs))]
    return ("\n\n".join(parts) + "\n").encode()


_MOTIVATION = (
    (
        "A month of phone calls with one question to each: is this telecom fraud? It measures detectors, which"
        " are to protect people"
        " who are called. Lawful calls share setting, persons and opening with fraud calls and part from them"
        " only by what is done"
        " later, so that subject, vocabulary and voice do not give the answer away. Use is defensive only."
    ),
)
_USES = (
    (
        "For evaluating detectors of telecom fraud, on recordings or transcripts, and for studying how they"
        " fail. Read both recalls:"
        " whoever calls everything fraud has a high fraud F1."
    ),
    (
        "Not for training, not for judging people or institutions, not as advice on how to defraud: calls hold"
        " no more detail than"
        " their labels need. What is found here need not hold for real calls, other languages, accents or lines."
    ),
)
_MAINTENANCE = (
    (
        "A month never changes: `SHA256SUMS` lists every file, and the root hash in `SNAPSHOT.json` stands for"
        " all of them. A mistake"
        " is mended in a new month under another name that names this one as its parent."
    ),
)


def _composition(recipe: Recipe, rows: Sequence[ManifestRow]) -> tuple[str, ...]:
    counts, calls = counts_of(rows), [row.call for row in rows]
    trees, cases = {call.tree_id for call in calls}, {call.abstract_id for call in calls}
    depths = Counter(call.stop.depth for call in calls)
    by_family = Counter((call.family_id, call.label) for call in calls)
    table = [
        "| family | fraud | lawful |",
        "|---|---:|---:|",
        *(
            f"| {name} | {by_family[name, Label.FRAUD]} | {by_family[name, Label.NONFRAUD]} |"
            for name in sorted({f for f, _ in by_family})
        ),
    ]
    return (
        (
            f"{len(calls)} calls in `{recipe.contract.language}`: {counts[Label.FRAUD]} fraud and"
            f" {counts[Label.NONFRAUD]} lawful,"
            f" leaves of {len(trees)} trees from {len(cases)} cases. A call has"
            f" {mean(len(call.turns) for call in calls):.1f} turns and"
            f" {mean(len(call.text) for call in calls):.0f} characters on average. Actions on its path:"
            f" {', '.join(f'{depth} in {depths[depth]} calls' for depth in sorted(depths))}."
        ),
        "\n".join(table),
        (
            "All of it is a test set: no part is meant for training, validation or as an example in a prompt."
            " Calls of one tree are"
            " siblings and not independent: intervals must be drawn over trees. Labels follow from recorded actions by a table"
            " (`rationale` says which turn shows it); no person decided them one by one. The share of fraud is"
            " set by the contract and"
            " says nothing about real calls."
        ),
        "Everything is synthetic: persons, institutions and events are invented, and no call of anybody was recorded.",
    )


def _collection(recipe: Recipe, rows: Sequence[ManifestRow]) -> tuple[str, ...]:
    sources = Counter(row.provenance for row in rows)
    agents = recipe.words.get("agents")
    told = ", ".join(f"{role} {party}" for role, party in sorted(agents.items())) if isinstance(agents, dict) else "not recorded"
    return (
        (
            "Cases, written down as abstracts, became profiles; from each profile a tree grew"
            f" (depth {recipe.build.depth}, branching {recipe.build.branching}) whose leaves are calls; six"
            " agents settled what happens"
            f" and worded it. Seed {recipe.build.seed}. Agents: {told}."
        ),
        f"Sources of the cases: {'; '.join(f'{source} ({count} calls)' for source, count in sorted(sources.items()))}.",
        (
            "The month was chosen from all labelled leaves: exactly its contract, spread over trees, with the"
            " contract's ratio in every"
            " tree as far as its leaves allow, and with depth and length under both labels as in all leaves. No"
            " near-duplicate was"
            " taken while others were left."
        ),
    )


def _preprocessing(made: TranscriptSet | None, rejected: Sequence[Rejected], replaced: Sequence[Replaced]) -> tuple[str, ...]:
    codes = Counter(item.code.value for item in rejected)
    stages = Counter(str(item.stage) for item in replaced)
    passed = "the structural, label and safety checks" + (", and its recording quality control" if made else "")
    told = (
        f"Left out while trees grew (`rejected.jsonl`): {_listed(codes)}. Left out of the month later (`replaced.jsonl`):"
        f" {_listed(stages)}. Every row passed {passed}."
    )
    if made is None:
        return told, "There are no transcripts: this is a month of text alone."
    wer = "" if made.wer is None else f", {made.wer:.3f} word errors a word"
    return (
        told,
        (
            f"Transcripts `{made.name}`: every recording was heard once, and every detector that reads"
            " transcripts is given the same."
            f" {made.cer:.3f} character errors a character{wer}."
        ),
        (
            f"The paper transcribes with {PAPER_RECOGNISER}. A smaller recogniser, as Whisper small, hears"
            " worse: results on these"
            " transcripts cannot be set beside the paper's."
        ),
    )


def _sound(recipe: Recipe, rows: Sequence[ManifestRow], speech: Mapping[str, Json]) -> tuple[str, ...]:
    recorded = [row.audio for row in rows if row.audio is not None]
    if not recorded:
        return ("None.",)
    voices = sorted({choice.voice_id for row in rows if row.voices for choice in (row.voices.caller, row.voices.receiver)})
    hours = sum(audio.duration_s for audio in recorded) / 3600
    packages = speech.get("packages")
    versions = ", ".join(f"{name} {v}" for name, v in sorted(packages.items())) if isinstance(packages, dict) else "not recorded"
    return (
        (
            f"{len(recorded)} recordings, {hours:.2f} hours, {recipe.contract.sample_rate} Hz, mono, 16-bit PCM,"
            " both speakers on one"
            f" track. {len(voices)} synthetic voices: {', '.join(voices)}. Few voices speak many calls; both"
            " voices of a call belong to"
            " its tree and so tell no label."
        ),
        f"Telephone channels: {', '.join(sorted({audio.channel for audio in recorded}))}.",
        "How a turn is said is pace, pitch, level and pauses alone; no emotion was acted.",
        f"Packages that decide the sound: {versions}. The same bytes come on CPUs with the same features and the same packages.",
    )


def _distribution(recipe: Recipe) -> tuple[str, ...]:
    return (
        (
            f"{recipe.licence}, see `LICENSE`. A month may be passed on without its recordings, which are made"
            " again from its words and"
            " recipe; `ringback snapshot verify` tells how near they are."
        ),
    )


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "nothing"


def _wrapped(paragraph: str) -> str:
    """A paragraph in lines that a terminal shows; a table as it is."""
    return paragraph if paragraph.startswith("|") else fill(paragraph, 120, break_on_hyphens=False, break_long_words=False)
