"""Audits of a set of calls without any detector: shallow learners, side doors, distances, duplicates. Numpy only."""
