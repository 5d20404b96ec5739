"""What was seen: predictions and what scores, intervals and comparisons read of them."""
