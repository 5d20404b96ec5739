"""Where a study is kept: what was planned, every finished fit with its predictions, every failure."""
