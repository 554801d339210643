"""Every error Ringback raises on purpose, drawn as one tree whose branches differ by who can act.

    RingbackError
    ├── InputError            the person who typed the command or wrote the file; exit code 2
    │   ├── BundleError       the author of a bundle: every fault of the bundle, collected
    │   ├── UsageError        the command line or a setting is wrong
    │   ├── FileError         a file the user named is missing, truncated, unreadable or unwritable
    │   └── BusyError         another process is at work in the same folder
    ├── OperatorError         whoever runs this machine: weights, extras, disk, keys, addresses; exit code 3
    │   ├── WeightsError      model weights missing or not what their checksum says
    │   └── MissingExtraError an optional dependency is not installed
    └── ProviderError         an engine or endpoint failed while we used it; exit code 3
        ├── RefusedError      a request was refused and would be again
        │   ├── ModeratedError        by the provider's moderation of what was said
        │   └── ContextOverflowError  since the conversation is longer than the chat model can read
        ├── UnansweredError   an endpoint gave no answer in time
        ├── EngineError       a local speech engine failed
        └── ClipError         a clip failed quality control after every fallback
            └── ChangedClipError   a cached clip was changed and no longer passes

A message says what was found, where, and what to do. Foreign exceptions are translated at one boundary per library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

EXIT_OK = 0
EXIT_GATE = 1
EXIT_INPUT = 2
EXIT_INFRASTRUCTURE = 3


class RingbackError(Exception):
    """Root of the tree; `exit_code` is what the command line returns for it."""

    exit_code: int = EXIT_INFRASTRUCTURE

    def __reduce__(self) -> tuple[object, ...]:
        """Survive the way from a worker process, whatever arguments a class is made from."""
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[RingbackError], args: tuple[object, ...], state: dict[str, object]) -> RingbackError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


class InputError(RingbackError):
    """The input is wrong and only its author can mend it."""

    exit_code = EXIT_INPUT


@dataclass(frozen=True, order=True)
class Fault:
    """One fault of a bundle."""

    file: str
    """Path relative to the bundle's root."""
    field: str
    """Dotted path inside the file, empty when the whole file is meant."""
    reason: str
    """What was found and what to do."""

    def __str__(self) -> str:
        where = f"{self.file}: {self.field}" if self.field else self.file
        return f"{where}: {self.reason}"


class BundleError(InputError):
    """A bundle has faults; all of them are listed at once."""

    def __init__(self, root: str, faults: Sequence[Fault]) -> None:
        self.root = root
        self.faults = tuple(sorted(set(faults)))
        count = len(self.faults)
        lines = "\n".join(f"  {fault}" for fault in self.faults)
        super().__init__(f"bundle {root} has {count} fault{'s' if count != 1 else ''}:\n{lines}")


class UsageError(InputError):
    """A command line or a setting that cannot be followed."""


class FileError(InputError):
    """A file the user named is missing, truncated, unreadable or unwritable."""


class BusyError(InputError):
    """Another process is at work on what the user named."""


class OperatorError(RingbackError):
    """The machine is not set up for what was asked."""


class WeightsError(OperatorError):
    """Model weights are missing or differ from their published checksum."""


class MissingExtraError(OperatorError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        self.package = package
        self.extra = extra
        super().__init__(f"{purpose} needs the package {package!r}, which is not installed: pip install 'ringback[{extra}]'")


class ProviderError(RingbackError):
    """An engine or endpoint failed while it was used."""


class RefusedError(ProviderError):
    """An endpoint refused a request for what it holds, and would refuse it again."""

    word = "refused"
    """By which it is told in traces and journals."""


class ModeratedError(RefusedError):
    """What was said in a call is nothing that a provider lets its model answer: a candidate's own fault, and ours elsewhere."""

    word = "moderated"


class ContextOverflowError(RefusedError):
    """A conversation is longer than a chat model can read: a candidate's own fault, and ours where it is caller or judge."""

    word = "context_overflow"


class UnansweredError(ProviderError):
    """An endpoint gave no answer in time, in the last of all attempts."""


REFUSALS = frozenset({RefusedError.word, ModeratedError.word, ContextOverflowError.word})
"""Words of the reasons for which nothing is tried again unless somebody asks for it."""


class EngineError(ProviderError):
    """A local speech engine failed."""


class ClipError(ProviderError):
    """A clip failed quality control after every fallback."""


class ChangedClipError(ClipError):
    """A cached clip no longer passes the quality control it once passed: somebody changed it."""
