"""The frozen nouns, validated where they are made."""
