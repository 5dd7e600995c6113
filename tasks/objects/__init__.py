"""Agreement on objects with a distance: of an export, and of a layer of a campaign."""
