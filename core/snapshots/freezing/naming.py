"""Naming the field in which two things of the same form differ."""

from __future__ import annotations

from core.schemas.base import Model


def difference(name: str, said: object, given: object) -> str | None:
    """The first field that differs, by its path, with both values; None where none does. `given` is what follows elsewhere."""
    if said == given:
        return None
    if isinstance(said, Model) and isinstance(given, Model) and type(said) is type(given):
        fields = (difference(f"{name}.{field}", getattr(said, field), getattr(given, field)) for field in type(said).model_fields)
        return next((told for told in fields if told is not None), None)
    return f"its {name} is {_short(said)}, but tree and recipe give {_short(given)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
