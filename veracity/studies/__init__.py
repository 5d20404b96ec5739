"""Studies: their files, what they fit and keep, and the runs they leave behind."""
