"""Open what others wrote: every export, side table, campaign file, bundle and name comes in here.

`budget` has the limits, `files` opens files, `documents` parses JSON and TOML, `xml` XML;
`archives`, `parquet` and `workbooks` unpack. No other module opens a file or calls a parser, which
`tests/test_architecture.py` checks. A breach is a `DataError` of one sentence.
"""
