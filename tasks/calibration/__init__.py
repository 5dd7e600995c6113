"""Effect of Δ∅, the weights and the category distances on γ and its alignment."""
