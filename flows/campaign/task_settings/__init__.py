"""What each task needs to know, from the campaign file and what the exports hold."""
