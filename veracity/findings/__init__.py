"""What answers: estimates, intervals, comparisons, rankings, curves; they print themselves."""
