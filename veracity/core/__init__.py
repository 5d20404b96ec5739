"""What a method is and how it is named; knows nothing of learning."""
