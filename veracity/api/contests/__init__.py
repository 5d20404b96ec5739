"""Whatever can be compared, as the evidence that a test reads."""
