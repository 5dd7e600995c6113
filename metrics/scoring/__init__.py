"""Systems against a reference, by direct distances; no chance-corrected coefficient here."""
