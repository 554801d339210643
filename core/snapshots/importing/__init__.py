"""Labelled calls of other people, read from their published files, with a count of everything that was left out."""
