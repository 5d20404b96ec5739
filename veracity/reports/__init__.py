"""The page that people look at: one file, offline, safe against hostile names."""
