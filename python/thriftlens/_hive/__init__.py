"""Clients of Hive: its metastore and HiveServer2."""
