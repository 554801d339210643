"""Chat models as parties: one client at the boundary to litellm, and a caller, a candidate and judges on top of it."""
