"""Every door: command line, settings, and the wiring of the rings."""
