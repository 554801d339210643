"""Every file format, as frozen pydantic models."""
