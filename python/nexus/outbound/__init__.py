"""The one way out: every HTTP request of the Python side, within bytes, headers and seconds."""
