"""The one door through which the speech ring imports packages of an extra: a missing one becomes MissingExtraError."""

from __future__ import annotations

import importlib
from typing import Any

from core.errors import MissingExtraError


def load(module: str, *, package: str, extra: str, purpose: str) -> Any:
    """The imported `module`.

    Raises:
        MissingExtraError: `module` is not installed; names the package, the extra and the purpose.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        raise MissingExtraError(package, extra, purpose) from error
