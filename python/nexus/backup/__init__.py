"""One archive with everything an installation must not lose, and how to restore it."""
