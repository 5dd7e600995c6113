"""From what a file says of an annotator's work to records, or to the reason why not."""
