"""Do the defaults hold? Worlds nobody tuned on, asked through the public verbs."""
