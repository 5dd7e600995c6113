"""May a system replace an annotator? Exports and campaigns to verdicts, apart from agreement."""
