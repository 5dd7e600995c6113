"""UIMA CAS: its two file formats, and conversion of its annotations to records."""
