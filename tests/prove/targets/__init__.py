"""Properties of public operations."""
