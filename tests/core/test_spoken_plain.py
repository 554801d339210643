"""Languages without rules of their own: values as they are written."""

from __future__ import annotations

import pytest

from core.spoken import AS_WRITTEN, RULES, Kind, Value, find_value, read, rules_of, say_text, units


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        ("mi número es 4820 1973-55", Kind.DIGITS, ["4820197355"]),
        ("cuesta 12.50, no 1.250,00 ni -7", Kind.NUMBER, [12.5, -7]),
        ("son 129.5 o 40 euros, nunca 3.000", Kind.MONEY, [129.5, 40.0]),
        ("el localizador es qx-338805", Kind.CODE, ["QX338805"]),
        ("vengo el 2026-06-23, no el 2026-13-01", Kind.DATE, ["2026-06-23"]),
        ("a las 9:30 o a las 25:10", Kind.TIME, ["09:30"]),
        ("escriba a Ana.Ruiz@correo.es, por favor", Kind.EMAIL, ["ana.ruiz@correo.es"]),
        ("me llamo Ana", Kind.NAME, []),
        ("sí", Kind.YES_NO, []),
    ],
)
def test_written_values_are_read(text: str, kind: Kind, values: list[Value]) -> None:
    """What is written in a form that means the same everywhere is read; what may mean two things, or is said in words, is not."""
    assert values == [reading.value for reading in read(text, kind, language="es")]


def test_a_choice_is_read_by_its_words() -> None:
    """Options are found as whole words, in the order in which they are said."""
    found = read("No, mañana por la tarde, no por la mañana.", Kind.CHOICE, language="es", choices=["Tarde", "la mañana"])
    assert [("Tarde", "tarde"), ("la mañana", "la mañana")] == [(reading.value, reading.text) for reading in found]


def test_known_values_are_found_as_they_are_written() -> None:
    """Names and ids are found whatever their case and spacing, and not within other words; offsets are the text's own."""
    text = "Soy MÁRQUEZ  díaz, cliente 00 417."
    assert (4, 17) == find_value("Márquez Díaz", Kind.NAME, text, language="es")
    assert (27, 33) == find_value("00417", Kind.DIGITS, text, language="es")
    assert find_value("Díaz M", Kind.NAME, text, language="es") is None
    assert find_value("417", Kind.DIGITS, text, language="es") is None


def test_nothing_is_put_into_words() -> None:
    """A sentence goes to the voice as it is, and what is recorded says so."""
    assert "Son 25 euros el 3/4." == say_text("Son 25 euros el 3/4.", "es")
    assert (AS_WRITTEN, RULES) == (rules_of("es-MX"), rules_of("en-GB"))
    assert ["son", "25", "euros"] == [unit.text for unit in units("¡Son 25 euros!", "es")]


@pytest.mark.parametrize("language", ["en", "hi", "zh", "kn", "es"])
@pytest.mark.parametrize("figures", ["9" * 5000, "1," * 3000, "1." * 3000])
def test_endless_figures_are_taken_as_written(language: str, figures: str) -> None:
    """No model that babbles figures breaks a call: what nobody could say is left as it is."""
    assert figures == say_text(figures, language)
    assert [] == read(f"it is {figures}", Kind.NUMBER, language=language)
    assert find_value("417", Kind.DIGITS, figures, language=language) is None
    assert units(figures, language)
