"""Code shared by the formats.

| folder | contents |
|---|---|
| this folder | spans, bounds, times, names, layers |
| `files` | untrusted input: lines, JSON, XML, zip files, encodings, each with size limits |
| `records` | conversion of a file's content to records, or to rejected rows with the reason |
"""
