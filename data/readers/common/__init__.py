"""What formats share."""
