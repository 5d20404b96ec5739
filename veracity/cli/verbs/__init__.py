"""What is typed: a file for each verb, with its options and its help; nothing here imports numpy."""
