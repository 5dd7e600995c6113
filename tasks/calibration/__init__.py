"""What Δ∅, the weights and the distances of categories do to γ and its alignment."""
