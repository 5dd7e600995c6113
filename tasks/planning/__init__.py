"""Number of documents and annotators needed for an interval, from a pilot study."""
