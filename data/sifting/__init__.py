"""A campaign's rows through the rules of a run as they are read: no store, no row is kept."""
