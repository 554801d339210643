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
_SIZES = ("tiny", "base", "small", "medium", "large")
"""Of Whisper, by how well they hear."""
_OFFLINE = "offline:"
"""Parties whose words ship with Ringback."""
_MANDARIN = "kokoro-z"
"""Start of the ids of Kokoro's Mandarin voices."""


_CC_BY = """\
Licence: CC-BY-4.0, the licence Attribution 4.0 International of Creative Commons.

You may share and adapt all of it, commercially too, as long as you give appropriate credit (the name of the snapshot and
its root hash), say which licence it has, and tell whether anything was changed. Nothing may be added that keeps others from
doing what the licence permits. It comes as it is, without any warranty. The full text is published by Creative Commons."""


def licence_text(recipe: Recipe, rows: Sequence[ManifestRow]) -> bytes:
    """The licence in short form, with those of the cases that the calls grew from."""
    terms = _CC_BY
    if recipe.licence != "CC-BY-4.0":
        terms = f"Licence: {recipe.licence}. Its terms are those that are published under this name; none is repeated here."
    cases = "".join(f"- {source}\n" for source in sorted({row.provenance for row in rows}))
    return f"""\
{recipe.snapshot_id}: words and sound of this snapshot

{terms}

Sources of the cases that the calls grew from, each with its own licence:

{cases}
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
        "## Preprocessing, cleaning, labelling": _preprocessing(recipe, made, rejected, replaced),
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
        "Lawful siblings are hard for a learner that sees whole calls as one bag of words. Whoever parts a call by speaker has"
        " done a part of the task: the caller's words alone tell more than the whole (`ringback snapshot audit` shows both)."
    ),
    (
        "Not for training, not for judging people or institutions, not as advice on how to defraud: calls hold"
        " no more detail than"
        " their labels need. What is found here need not hold for real calls, other languages, accents or lines."
    ),
)
_MANDARIN_VOICES = (
    "Mandarin voices are matched to people by little more than gender: the four women's are listed with the same tone and age,"
    " so that role and age choose nothing among them, and wanted traits only by the slow pace of one; none of the eight is listed"
    " as senior, and the only one listed as young is a man's."
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
        _invented(recipe),
    )


def _invented(recipe: Recipe) -> str:
    """Where persons and words come from, which only wordings that ship can promise to be invented."""
    agents = recipe.words.get("agents")
    parties = sorted({str(party) for party in agents.values()}) if isinstance(agents, dict) else []
    if parties and all(party.startswith(_OFFLINE) for party in parties):
        return "Everything is synthetic: persons, institutions and events are invented, and no call of anybody was recorded."
    others = ", ".join(party for party in parties if not party.startswith(_OFFLINE)) or "agents that were not recorded"
    return (
        f"Everything is synthetic, and no call of anybody was recorded. Words were written by {others}: they were searched for"
        " numbers, addresses and a list of names that cannot be complete, and nobody read them all, so that persons or"
        " institutions that exist may be named by chance."
    )


def _chosen(rows: Sequence[ManifestRow]) -> str:
    """How near the labels came to each other, in figures of the rows themselves."""
    parts = []
    for label, name in ((Label.FRAUD, "fraud"), (Label.NONFRAUD, "lawful")):
        calls = [row.call for row in rows if row.call.label is label]
        if calls:
            length, depth = mean(len(call.text) for call in calls), mean(call.stop.depth for call in calls)
            parts.append(f"{name} calls have {length:.0f} characters and {depth:.2f} actions on average")
    trees: dict[str, set[Label]] = {}
    for row in rows:
        trees.setdefault(row.call.tree_id, set()).add(row.call.label)
    both = sum(len(labels) > 1 for labels in trees.values())
    return f"{both} of {len(trees)} trees have calls of both labels; {', '.join(parts)}."


def _recogniser(recipe: Recipe) -> str:
    """The recogniser beside the paper's."""
    used = (recipe.recogniser or "").partition("?")[0]
    size = _SIZES.index(used.split("-")[1]) if used.startswith("whisper-") and used.split("-")[1] in _SIZES else None
    told = (
        f"The paper transcribes with {PAPER_RECOGNISER}; these transcripts are by {used or 'a recogniser that was not recorded'}"
    )
    if size is None:
        return f"{told}, another one: results on them cannot be set beside the paper's."
    if size < _SIZES.index("medium"):
        return f"{told}. A smaller recogniser hears worse: results on these transcripts cannot be set beside the paper's."
    return f"{told}, {'the same size' if used == 'whisper-medium' else 'a larger one'}; settings and weights may differ."


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
            "The month was chosen from all labelled leaves: exactly its contract, spread over trees, aiming at the contract's"
            " ratio in every tree and at depths and lengths under both labels as in all leaves; near-duplicates last."
            f" What came of it: {_chosen(rows)}"
        ),
    )


def _preprocessing(
    recipe: Recipe, made: TranscriptSet | None, rejected: Sequence[Rejected], replaced: Sequence[Replaced]
) -> tuple[str, ...]:
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
        _recogniser(recipe),
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
        *((_MANDARIN_VOICES,) if any(voice.startswith(_MANDARIN) for voice in voices) else ()),
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
