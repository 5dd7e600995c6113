"""Agreement on objects that have a distance: trees, texts, rankings, boxes."""
