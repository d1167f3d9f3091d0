"""Schemas, types, services and what Python classes are made from them."""
