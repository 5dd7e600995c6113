"""Read untrusted input within limits: lines, JSON, XML, zip files, encodings."""
