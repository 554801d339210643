"""Seeded acoustic effects and their presets."""
