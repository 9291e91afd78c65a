"""One module per benchmark; each has `measure(run)`, which returns its figures."""
