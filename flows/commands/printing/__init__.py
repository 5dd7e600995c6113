"""What the commands print: tables, estimates, and the lines below them."""
