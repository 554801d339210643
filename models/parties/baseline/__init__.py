"""The baseline candidate: a form filler that knows its tools' schemas and what it heard, and nothing else."""

from models.parties.baseline.candidate import BaselineCandidate

__all__ = ["BaselineCandidate"]
