"""`acoustic.json`: the shipped coefficients of the baseline that hears calls without understanding a word."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from core.schemas.base import Model


class TrainedOn(Model):
    """The calls that coefficients were learned from; they are in no month."""

    namespaces: tuple[str, ...] = Field(min_length=1)
    """Their builds, one for each language."""
    seed: int
    """Seed of words and sound."""
    trees: tuple[str, ...] = Field(min_length=2)
    """Ids of their trees."""
    calls: int = Field(ge=2)
    """Calls, as many of each label."""
    render: str
    """Version of the rendering."""
    voices: str
    """Voices that spoke them."""
    channels: tuple[str, ...]
    """Telephone channels they passed."""


class CrossValidation(Model):
    """What the same training reaches on trees that it did not see."""

    folds: int = Field(ge=2)
    """Parts that the trees were divided into."""
    balanced_accuracy: dict[str, float]
    """Language, or `all`, to the mean of both recalls; 0.5 for whoever does not listen."""


class AcousticModel(Model):
    """Logistic regression on figures of a recording."""

    format: Literal[1] = 1
    """Version of this format."""
    version: int = Field(ge=1)
    """Goes up with any change of a number."""
    figures: str
    """Version of the figures."""
    features: tuple[str, ...] = Field(min_length=1)
    """Names of the figures, in order."""
    mean: tuple[float, ...]
    """Mean of each."""
    scale: tuple[float, ...]
    """Standard deviation of each."""
    weights: tuple[float, ...]
    """Weight of each, once its mean is taken away and it is divided by its scale."""
    bias: float
    """What is added to their sum."""
    trained_on: TrainedOn
    """What it learned from."""
    cross_validation: CrossValidation
    """What to expect of it."""

    @model_validator(mode="after")
    def _complete(self) -> AcousticModel:
        wrong = [name for name in ("mean", "scale", "weights") if len(getattr(self, name)) != len(self.features)]
        if wrong:
            raise ValueError(f"{wrong[0]} has {len(getattr(self, wrong[0]))} numbers for {len(self.features)} features")
        if min(self.scale) <= 0:
            raise ValueError(f"a scale of {min(self.scale):g}: a feature that never changes tells nothing, leave it out")
        return self
