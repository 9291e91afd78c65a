"""Text made of words, the same every time."""

import random

_TEXT = """
the of and to in is that for it as was with be by on not he his but at are this have from or had
an they which one you were all her she there would their we him been has when who will no more if
out so what up said about than into them can only other time new some could these two may first
then do any like my now over such our man me even most made after also did many off before must
well back through years much where your way down should because long each just state those people
too little good world make very year still see own work men day harbour lantern meadow granite
café naïve façade coöperate résumé
"""
_WORDS = _TEXT.split()


def words(chance: random.Random, count: int) -> str:
    """So many words, some of them with accents, in sentences."""
    chosen = chance.choices(_WORDS, k=count)
    for place in range(11, count, 12):
        chosen[place] += "."
    return " ".join(chosen)
