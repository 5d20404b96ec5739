"""The risk of a learner, from its predictions on the splits of a design."""
