"""Schemas, types, services, and the Python classes of enums and exceptions."""
