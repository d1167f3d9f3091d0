"""Clients and servers."""
