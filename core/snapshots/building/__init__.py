"""Building: from a reported case to labelled calls in words, by a mixed tree and six separate agents."""
