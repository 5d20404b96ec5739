"""Speed and memory, as ratios against a peer measured in the same run."""
