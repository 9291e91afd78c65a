"""One archive with everything an installation must not lose, and its way back."""
