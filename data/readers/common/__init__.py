"""What formats share.

| folder | what is in it |
|---|---|
| here | spans, bounds, times, names, layers |
| `files` | untrusted input: lines, JSON, XML, zip files, encodings, each within bounds |
| `records` | from what a file says to records, or to the reason why not |
"""
