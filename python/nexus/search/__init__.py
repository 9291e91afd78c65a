"""What can be searched for: words of a text, and the lexemes they are stored as."""
