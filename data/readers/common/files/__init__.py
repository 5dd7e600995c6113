"""Untrusted input, read within bounds: lines, JSON, XML, zip files, encodings."""
