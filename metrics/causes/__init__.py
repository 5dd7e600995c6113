"""What lowers an agreement: parts, annotators and kinds of disagreement that exceed the rest."""
