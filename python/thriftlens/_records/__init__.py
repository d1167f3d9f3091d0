"""Records in files and streams: scanning, compression, detection, columns."""
