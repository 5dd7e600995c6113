"""What all pages share: blocks, identifiers and citations, numbers and their sentences."""
