"""Recommend methods: each that could answer a question is tried by the machinery that refuses and cautions."""
