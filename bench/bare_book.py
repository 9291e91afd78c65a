"""The least that can be done to read a book: unpack it and parse its documents, nothing else.

`python -m bench.bare_book FILE` prints how much text it found.
"""

import sys
import zipfile

import html5lib


def characters(path: str) -> int:
    """The length of all text in the documents of a book."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(".xhtml")]
        trees = [html5lib.parse(archive.read(name)) for name in names]
    return sum(len("".join(tree.itertext())) for tree in trees)


if __name__ == "__main__":
    print(characters(sys.argv[1]))
