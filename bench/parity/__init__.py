"""Results, not time, beside those of peers on the same random inputs; each difference has an explanation."""
