"""Files and frames in."""
