"""Nexus: save what you read, highlight it, keep the notes beside the text."""
