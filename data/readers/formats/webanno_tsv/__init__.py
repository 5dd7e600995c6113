"""WebAnno TSV 3.x: parsing of lines and cells, and conversion to records."""
