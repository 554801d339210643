"""Evaluating: every call of a month asked about once, each answer kept at once, whatever stops it on the way."""
