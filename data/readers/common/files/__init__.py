"""Read large text files piece by piece: lines, JSON values, encodings."""
