"""What one person has kept, as files that need no Nexus to be read."""
