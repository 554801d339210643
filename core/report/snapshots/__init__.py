"""Evaluations and audits of months, as tables for a terminal and as one page with plots."""
