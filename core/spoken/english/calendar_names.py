"""Names of months and weekdays in English, whole and short."""

from __future__ import annotations

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
MONTH = {name.lower(): number for number, name in enumerate(MONTHS, start=1)}
"""Numbers of the months by their names in small letters and the first three letters of them."""
MONTH |= {name.lower()[:3]: number for number, name in enumerate(MONTHS, start=1)} | {"sept": 9}
WEEKDAYS = {
    name: number for number, name in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
}
"""Numbers of the weekdays, Monday 0."""
SHORT_WEEKDAYS = frozenset({*(name[:3] for name in WEEKDAYS), "tues", "thur", "thurs"})
