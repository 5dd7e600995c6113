"""Earlier runs of a campaign: their values, what became of the documents since, what stands."""
