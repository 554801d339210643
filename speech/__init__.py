"""Sound: clips, engines, the acoustic channel, spoken lines, recordings."""
