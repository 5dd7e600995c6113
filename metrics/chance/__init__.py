"""Ways to produce continua without reading the text, and the expected disorder."""
