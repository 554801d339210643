"""Confusion lists of the seeded one-word mode: what a recogniser plausibly writes for a word, per language, versioned.

The words are everyday ones of phone calls; the pairs are sound-alikes, so that the damage is what hearing does and not
what a typist does. A changed list needs a new version, since it changes seeded events.
"""

from __future__ import annotations

from collections.abc import Mapping

VERSIONS = {"en": "en-1"}

_EN: Mapping[str, tuple[str, ...]] = {
    "about": ("a boat",),
    "account": ("a count", "accounts"),
    "address": ("a dress", "addressed"),
    "appointment": ("a point meant", "appointments"),
    "bill": ("bell", "build"),
    "block": ("black", "blocked"),
    "book": ("look", "brook"),
    "booking": ("looking", "bookings"),
    "calling": ("coming", "falling"),
    "cancel": ("council", "cancelled"),
    "card": ("car", "guard"),
    "change": ("chains", "charge"),
    "charge": ("change", "large"),
    "check": ("cheque", "shake"),
    "could": ("good", "can"),
    "delivery": ("delivered", "the livery"),
    "driver": ("drivers", "diver"),
    "have": ("half", "had"),
    "hello": ("yellow", "hollow"),
    "help": ("held", "health"),
    "home": ("hope", "phone"),
    "house": ("how", "hours"),
    "know": ("no", "now"),
    "like": ("light", "lack"),
    "meter": ("meeting", "metre"),
    "morning": ("mourning", "warning"),
    "move": ("prove", "moved"),
    "need": ("knead", "meet"),
    "order": ("older", "border"),
    "package": ("packet", "baggage"),
    "parcel": ("partial", "puzzle"),
    "payment": ("pavement", "payments"),
    "phone": ("home", "foam"),
    "please": ("police", "pleas"),
    "power": ("tower", "hour"),
    "report": ("resort", "reports"),
    "right": ("write", "light"),
    "sorry": ("story", "Surrey"),
    "street": ("straight", "treat"),
    "thanks": ("tanks", "things"),
    "that": ("dad", "the"),
    "there": ("their", "where"),
    "this": ("these", "the"),
    "time": ("times", "dime"),
    "today": ("to day", "to die"),
    "tomorrow": ("to borrow", "the morrow"),
    "tooth": ("truth", "two"),
    "want": ("won", "went"),
    "with": ("width", "wit"),
    "would": ("wood", "good"),
    "your": ("you're", "or"),
}

_LISTS: Mapping[str, Mapping[str, tuple[str, ...]]] = {"en": _EN}


def version_of(language: str) -> str | None:
    """Version of the list of a BCP 47 tag's language; None where none is shipped."""
    return VERSIONS.get(language.split("-")[0])


def confusions(language: str) -> Mapping[str, tuple[str, ...]]:
    """The list of a BCP 47 tag's language; empty where none is shipped, so only drops and doubles happen."""
    return _LISTS.get(language.split("-")[0], {})
