"""What every report prints beside intervals and slices."""

INTERVAL_NOTE = (
    "Intervals cover benchmark sampling only (agents, scenarios, repeats): caller, judge and weights lie outside them."
)
SLICE_NOTE = "Slices hold different agents and tasks; a difference between slices is not an effect of language or difficulty."
COVERAGE_NOTE = (
    "A score is no headline where less than 0.8 of the applicable weight was judged, and neither is what stands on it."
)

NOTES = (INTERVAL_NOTE, SLICE_NOTE, COVERAGE_NOTE)
