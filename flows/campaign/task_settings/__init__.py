"""Settings of each task, from the campaign file and the contents of the exports."""
