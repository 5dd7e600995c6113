"""What coefficients give when annotators and margins are known."""
