"""Metadata of Parquet footers."""
