"""Everything that thinks, hears or speaks, as catalogue and as parties."""
