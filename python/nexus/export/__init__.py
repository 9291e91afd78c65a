"""What one person has kept, as files that can be read without Nexus."""
