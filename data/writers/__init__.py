"""What goes back to people: references and disagreements, in their tools' formats."""
