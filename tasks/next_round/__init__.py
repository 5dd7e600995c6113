"""What to annotate next: the queue of a round, its records in the store, when to stop."""
