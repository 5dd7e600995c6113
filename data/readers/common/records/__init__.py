"""Convert a file's content on an annotator's work to records, or to reasons for rejection."""
