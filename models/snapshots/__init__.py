"""The parties of snapshots: agents that build calls."""
