"""`ringback snapshot ...`: months of labelled recorded calls, from cases to the report on detectors."""
