"""Bytes from strangers, read within bounds: lines, JSON, XML, zip files, encodings."""
