"""Parts of rendering the calls of a snapshot: voices, delivery, timeline and quality control."""
