"""Models or learners against each other: a pair judged, a family judged, a ranking, Weka's table."""
