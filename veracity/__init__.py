"""Honest evaluation."""
