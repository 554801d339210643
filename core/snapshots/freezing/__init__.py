"""Months on disk: which calls a month takes, freezing, reading, verifying and comparing it."""
