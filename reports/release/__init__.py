"""The documents that describe a published corpus to repositories, search engines and readers.

Each is a pure function of a `Corpus`: the results of the audit, and the files of its bundle.
Numbers are cited with their location in `results.json`. A property whose key of `[release]` is not
given is omitted, and listed by `requirements`.
"""
