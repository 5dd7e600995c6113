"""What a corpus contains: the labels of systems on all items, corrected by a human audit."""
