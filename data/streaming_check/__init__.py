"""Apply the rules of a run to a campaign's rows while they are read, without storing any row."""
