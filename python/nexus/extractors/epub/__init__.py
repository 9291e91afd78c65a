"""Books: unpacked and read in a process of their own, each spine document a fragment."""
