"""Learners: named by text, told apart by content, seeded, and prepared for the data they meet."""
