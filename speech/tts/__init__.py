"""Synthesisers, one file per engine."""
