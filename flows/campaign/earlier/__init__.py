"""Earlier runs of a campaign: values, changes of documents, and reuse of unchanged runs."""
