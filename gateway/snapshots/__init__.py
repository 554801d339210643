"""Months of labelled calls: built, voiced, heard and evaluated, in processes that may be stopped at any moment."""
