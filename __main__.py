"""`python -m accordeur`: the command line, where its script is not on the path."""

from .flows.cli import main

main()
