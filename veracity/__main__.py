"""`python -m veracity` is the command line."""

import sys
from pathlib import Path

# Python looks for modules in the current folder first, where others may have put one that is called as ours are.
if sys.path and sys.path[0] == str(Path.cwd()) != str(Path(__file__).parents[1]):
    del sys.path[0]

from veracity.cli.main import command

command()
