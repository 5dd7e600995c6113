"""Agreement on units that annotators located themselves."""
