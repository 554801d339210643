"""The command as a call in this process, which has loaded litellm already."""

from __future__ import annotations

import pytest

from gateway.cli.main import main


class Shell:
    """The command in this process, in an empty folder with an empty cache."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.err = ""
        self.words = ""
        """What was printed, on one line."""

    def __call__(self, *arguments: str) -> int:
        code = main(arguments)
        out, self.err = self._capsys.readouterr()
        self.words = " ".join(out.split())
        return code
