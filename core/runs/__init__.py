"""Planning, running, storing, replaying and comparing runs."""
