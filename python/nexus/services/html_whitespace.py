"""The characters that count as whitespace, in sanitizing and in canonical text alike.

Python's own idea (`str.isspace`) has U+001C–001F and lacks U+FEFF; a browser's `\\s` differs again.
"""

WHITESPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
