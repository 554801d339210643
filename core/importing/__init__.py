"""Scenarios of other benchmarks, read from their published files and written as a bundle, with a list of what does not fit."""
