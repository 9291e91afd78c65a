"""What one person has kept, as files: to read elsewhere, and to import again.

`formats.py` has the table of formats, `run.py` starts an export, `items.py` reads what goes into
it. Every format is a module that yields the bytes of its file, item by item.
"""
