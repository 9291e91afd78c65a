"""The one guarded HTTP client of the Python side: bytes, headers and seconds are limited."""
