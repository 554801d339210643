"""The `ringback` command."""
