"""Benchmarks: `make bench [ONLY=name]`. Every figure with a target is a ratio taken in one run."""
