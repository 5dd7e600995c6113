"""From a pilot, how many documents and annotators an interval needs."""
