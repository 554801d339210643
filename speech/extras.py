"""The one door through which the speech ring imports packages of an extra: a missing one becomes MissingExtraError."""

from __future__ import annotations

import importlib
import os
from functools import cache
from importlib import metadata
from typing import Any

from core.errors import MissingExtraError


def load(module: str, *, package: str, extra: str, purpose: str) -> Any:
    """The imported `module`.

    Raises:
        MissingExtraError: `module` is not installed; names the package, the extra and the purpose.
    """
    # onnxruntime, which comes with every engine, would store an identifier in the user's home and report to its maker.
    # It reads this once, from the process's own environment, when it is first imported; nothing of ours reads it.
    os.putenv("ORT_DISABLE_TELEMETRY", "1")
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        raise MissingExtraError(package, extra, purpose) from error


@cache
def version(package: str, *, extra: str, purpose: str) -> str:
    """The version of an installed package.

    Raises:
        MissingExtraError: it is not installed; names the package, the extra and the purpose.
    """
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError as error:
        raise MissingExtraError(package, extra, purpose) from error
