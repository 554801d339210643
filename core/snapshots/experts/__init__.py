"""Blind labelling by people: packets of words alone go out, filled ones come back, and what they agree on is counted."""
