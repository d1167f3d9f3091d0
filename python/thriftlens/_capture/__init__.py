"""Captured traffic and recordings."""
