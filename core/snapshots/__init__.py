"""Snapshots of labelled calls: building, freezing, and measuring what detectors answered about them."""
