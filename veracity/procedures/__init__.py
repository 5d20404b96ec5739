"""What both fits and infers: curves of risk, parts of a loss, a learner against chance."""
