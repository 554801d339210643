"""Typed predicates on values and calls, and one-to-one assignment."""
