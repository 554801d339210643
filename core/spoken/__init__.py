"""How values sound: reading typed values out of words, and saying them."""
