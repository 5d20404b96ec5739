"""The workbench in the browser: set up, run and analyse, by the same verbs that Python and the command line have."""
