"""What quick looks measure of accepted rows in memory: labels, units, works to be scored."""
