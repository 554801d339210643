"""Reports: pure data first, then text and HTML."""
