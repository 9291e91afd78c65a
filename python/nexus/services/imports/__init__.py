"""Bringing a file from elsewhere: a preview first, then line by line, to be stopped and undone.

`preview` reads the file into rows, `states` says what may be done to an import, `run` takes the
rows in (`batch`: `addresses`, `books`, `order`) or back (`undo`, `highlights`), `read` and `report`
show what became of them. The rows are the job; a message only wakes a worker.
"""
