"""All methods there are: the one table of their catalogues, and what each says of itself."""
