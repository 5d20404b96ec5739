"""`python -m veracity` is the command line."""

from veracity.cli.main import main

main()
