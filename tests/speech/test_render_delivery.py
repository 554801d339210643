"""Deliveries: a whole table, small measurable changes of a clip, and a neutral form that changes nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import BundleError
from core.schemas.snapshots import Delivery
from core.schemas.voicing import DeliveryForm, DeliveryTable
from speech.clip import Clip, concat
from speech.level import active_power, decibels
from speech.rendering.delivery import LONGEST_S, engine_pace, shaped, with_pauses
from speech.rendering.tables import delivery_table, read_table
from tests.speech.sounds import tone

NEUTRAL = delivery_table().forms[Delivery.NEUTRAL]
RATE = 24000


def _form(**changes: float) -> DeliveryForm:
    return NEUTRAL.model_copy(update=changes)


def _pitch(clip: Clip) -> float:
    spectrum = np.abs(np.fft.rfft(clip.samples * np.hanning(len(clip))))
    return float(np.argmax(spectrum)) * clip.sample_rate / len(clip)


def _two_words(pause_s: float) -> Clip:
    """A pause between two tones, with silence around them."""
    edge, word = Clip.silence(0.3, RATE), tone(300, 0.6, RATE)
    return concat(edge, word, Clip.silence(pause_s, RATE), word, edge)


def test_every_delivery_has_a_form_of_its_own() -> None:
    """Ten deliveries, ten different sounds, with a version."""
    table = delivery_table()

    assert set(Delivery) == set(table.forms)
    assert len(Delivery) == len({str(form) for form in table.forms.values()})
    assert table.version >= 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda forms: forms.pop("angry"), "no form for angry: the table is total"),
        (lambda forms: forms["neutral"].update(pace=1.1), "neutral changes the sound"),
        (lambda forms: forms["calm"].update(pitch=2), "less than or equal to 1.12"),
        (lambda forms: forms.update(gleeful=forms["calm"]), "gleeful"),
    ],
)
def test_a_faulty_table_is_refused(tmp_path: Path, change: object, says: str) -> None:
    """A missing, unknown or outlandish delivery, and a neutral one that is none."""
    data = delivery_table().model_dump(mode="json")
    change(data["forms"])  # type: ignore[operator]
    path = tmp_path / "delivery.yaml"
    path.write_text(repr(data), encoding="utf-8")

    with pytest.raises(BundleError, match=says):
        read_table(path, DeliveryTable)


def test_neutral_changes_nothing_but_the_rate() -> None:
    """The clip comes out as it went in; at another rate it is resampled."""
    clip = _two_words(0.4)

    assert clip.sha256 == shaped(clip, NEUTRAL, RATE).sha256
    assert 1.0 == engine_pace(NEUTRAL)
    other = shaped(tone(440, 1, 22050), NEUTRAL, RATE)
    assert (RATE, RATE) == (other.sample_rate, len(other))
    assert 440 == pytest.approx(_pitch(other), abs=1)


def test_pitch_rises_by_its_factor_and_the_engine_makes_up_for_the_time() -> None:
    """A tone of 440 Hz at 1.05 is one of 462 Hz and as much shorter; the engine is asked to speak as much slower."""
    form = _form(pitch=1.05, pace=1.1)
    higher = shaped(tone(440, 2, 22050), form, RATE)

    assert 462 == pytest.approx(_pitch(higher), abs=1)
    assert 2 / 1.05 == pytest.approx(higher.duration_s, abs=0.001)
    assert 1.1 / 1.05 == pytest.approx(engine_pace(form), abs=1e-4)


def test_energy_is_in_decibels() -> None:
    """Two decibels more are two decibels more."""
    clip = tone(300, 1, RATE, 0.1)
    louder = shaped(clip, _form(gain_db=2), RATE)

    assert 2 == pytest.approx(decibels(active_power(louder)) - decibels(active_power(clip)), abs=0.01)


@pytest.mark.parametrize(("pause", "factor", "after"), [(0.4, 1.5, 0.6), (0.4, 0.5, 0.2), (0.06, 2, 0.06), (1, 1.8, LONGEST_S)])
def test_only_pauses_inside_a_turn_change(pause: float, factor: float, after: float) -> None:
    """A pause is stretched or shortened, up to a limit; what is too short for one, the words and both ends stay."""
    clip = _two_words(pause)
    changed = with_pauses(clip, factor)

    assert clip.duration_s + after - pause == pytest.approx(changed.duration_s, abs=0.03)
    head, tail = 12000, 18000  # silence and nearly all of the first word; all of the second and the silence
    assert np.array_equal(clip.samples[:head], changed.samples[:head])
    assert np.array_equal(clip.samples[-tail:], changed.samples[-tail:])
    assert np.count_nonzero(clip.samples) == np.count_nonzero(changed.samples)
