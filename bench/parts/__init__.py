"""One module per benchmark; each has `measure(run)`, which answers its figures."""
