"""Recognisers, one file per engine."""
