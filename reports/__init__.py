"""One self-contained HTML page from a results document."""
