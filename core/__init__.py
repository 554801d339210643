"""The evaluation itself: what a call is, how it runs, how it is graded, what a run is."""
