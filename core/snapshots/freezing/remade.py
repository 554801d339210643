"""Recordings that were made again elsewhere: how near they must be to the frozen ones to stand for them."""

from __future__ import annotations

from core.errors import InputError
from core.schemas.months import Remade
from core.schemas.snapshots import CallAudio
from core.snapshots.freezing.wav import read_wav

DURATION_BOUND = 0.01
"""Share of its length by which a recording made elsewhere may differ."""
TRANSCRIPT_BOUND = 0.1
"""Character errors a character by which its transcript may differ from the frozen one."""


def transcript_fault(call: Remade) -> str | None:
    """Why what was heard of a recording does not show that it says the same; None where it does."""
    if call.transcript_change is None:
        return "was made again and not heard, so nothing tells that it says the same"
    if call.transcript_change > TRANSCRIPT_BOUND:
        return f"was made again, and its transcript differs by {call.transcript_change:.3f}, more than {TRANSCRIPT_BOUND:g}"
    return None


def length_fault(data: bytes, audio: CallAudio) -> str | None:
    """Why the bytes of a recording are not of the form and length of the frozen one; None where they are."""
    try:
        header = read_wav(data)
    except InputError as error:
        return str(error)
    if (header.sample_rate, header.channels, header.bits) != (audio.sample_rate, 1, 16):
        return f"is {header.sample_rate} Hz, {header.channels} channels of {header.bits} bits"
    change = header.samples / audio.samples - 1
    if abs(change) > DURATION_BOUND:
        return f"was made again and its length differs by {change:+.1%}, more than {DURATION_BOUND:.0%}"
    return None
