"""The only code that fits: a plan, engines that carry it out, and what they left in the store."""
