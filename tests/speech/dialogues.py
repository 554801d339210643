"""Small labelled calls for tests of rendering: two turns of opening that siblings share, then what they differ in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.schemas.base import sha256
from core.schemas.snapshots import (
    CallTurn,
    Delivery,
    Generation,
    Label,
    Participant,
    PathState,
    Rationale,
    Side,
    SnapshotCall,
    Stop,
    TurnSpan,
)
from speech.clip import Clip
from speech.level import at_level
from speech.rendering.timeline import SAMPLE_RATE
from tests.speech.sounds import bursts

CALLER = Participant(role="clerk of a parcel service", gender="female", age=34, tones=("calm", "friendly"))
RECEIVER = Participant(role="customer", gender="male", age=61, tones=("worried",))
OPENING = ("Good morning, this is the parcel desk.", "Yes, what is it about?")
HARMFUL = ("Please read me the 3 digits on your card now.", "No, I will not do that.")
LAWFUL = ("Please keep your card to yourself, and call back.", "Thank you, I will.")


def call(
    label: Label = Label.FRAUD,
    rest: Sequence[str] | None = None,
    *,
    tree: str = "tree-a",
    opening: Sequence[str] = OPENING,
    deliveries: Sequence[Delivery] = (Delivery.PROFESSIONAL, Delivery.CONFUSED, Delivery.URGENT, Delivery.ANGRY),
    language: str = "en",
) -> SnapshotCall:
    """A call whose turns alternate, the caller first; its label shows in the third turn."""
    words = [*opening, *(rest or (HARMFUL if label is Label.FRAUD else LAWFUL))]
    shown = PathState.FRAUD if label is Label.FRAUD else PathState.NONFRAUD
    states = [PathState.AMBIGUOUS] * (len(opening) + 1) + [shown] * len(words)
    turns = tuple(
        CallTurn(
            i=i,
            side=(Side.CALLER, Side.RECEIVER)[i % 2],
            action="open" if i < len(opening) else "act",
            text=text,
            delivery=deliveries[i % len(deliveries)],
            before=states[i],
            after=states[i + 1],
        )
        for i, text in enumerate(words)
    )
    why = Rationale(
        shared_context="The same desk.",
        separating_action="act",
        separating_turn=len(opening),
        evidence="What is asked for.",
        evidence_turns=(len(opening),),
        final_label=label,
    )
    return SnapshotCall(
        sample_id=sha256(f"{tree} {words}")[:24],
        tree_id=tree,
        family_id="parcels",
        abstract_id="parcel",
        language=language,
        leaf_path=("act",),
        label=label,
        rationale=why,
        turns=turns,
        opening_turns=len(opening),
        stop=Stop(reason="It ends.", depth=1, early=False),
        caller=CALLER,
        receiver=RECEIVER,
        generation=Generation(agents={}, profile_sha256="0" * 64, seed=1),
    )


def sounding(seconds: float = 24.0, turn_s: float = 5.5) -> tuple[Clip, SnapshotCall, tuple[TurnSpan, ...]]:
    """A call of about that length in speech-like bursts over faint noise, with the places of its turns half a second apart."""
    count = max(4, int(seconds / (turn_s + 0.5)))
    text = "words " * 11  # 55 letters, at ten a second
    of = call(rest=[text] * (count - 2), opening=[text, text])
    size, step = round(turn_s * SAMPLE_RATE), round((turn_s + 0.5) * SAMPLE_RATE)
    samples = 1e-4 * np.random.default_rng(9).standard_normal(count * step + SAMPLE_RATE // 2)
    spans = []
    for i in range(count):
        start = SAMPLE_RATE // 2 + i * step
        samples[start : start + size] += _voice(i % 2, turn_s).samples
        spans.append(TurnSpan(turn=i, start_sample=start, end_sample=start + size))
    return Clip.of(samples, SAMPLE_RATE), of, tuple(spans)


def _voice(side: int, seconds: float) -> Clip:
    """Noise in syllables whose spectrum falls as that of speech does."""
    white = bursts(seconds, SAMPLE_RATE, seed=side)
    spectrum = np.fft.rfft(white.samples)
    hertz = np.fft.rfftfreq(len(white), 1 / SAMPLE_RATE)
    low = np.fft.irfft(spectrum / (1 + (hertz / 600) ** 2), len(white))
    return at_level(Clip.of(low, SAMPLE_RATE), (-23, -25)[side])
