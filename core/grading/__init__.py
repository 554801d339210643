"""From a trace to a grade."""
