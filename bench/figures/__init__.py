"""What is measured of every method, and where the figures are kept."""
