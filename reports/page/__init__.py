"""What every page is made of: blocks, identifiers and citations, numbers and their sentences."""
