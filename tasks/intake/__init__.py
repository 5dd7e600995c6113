"""From exports to raw rows in the store, and from these to accepted and rejected tables."""
