"""Files of other programs, read as a stream of records: one module per format.

`formats.py` has the table of formats and finds the one that a file is in, `records.py` what comes
out of every one of them. Nothing here knows of a database, a person or a library.
"""
