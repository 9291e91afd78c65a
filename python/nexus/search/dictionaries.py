"""Which of Postgres' dictionaries a text is for."""

import re

NO_STEMS = "simple"
"""For languages that Postgres has no dictionary for: words are found as they are."""
_ENGLISH = "english_stem"

_LANGUAGES = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
# The script of a text decides where its language is not known, or cannot be right.
_SCRIPTS = {
    "latin": re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"),
    "greek": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "cyrillic": re.compile("[\u0400-\u052f]"),
    "armenian": re.compile("[\u0531-\u0587]"),
    "hebrew": re.compile("[\u05d0-\u05f4]"),
    "arabic": re.compile("[\u0620-\u06ff\u0750-\u077f]"),
    "devanagari": re.compile("[\u0900-\u097f]"),
    "tamil": re.compile("[\u0b80-\u0bff]"),
    "other": re.compile("[\u0980-\u0b7f\u0c00-\u1cff\u3040-\uabff\uac00-\ud7a3]"),
}
_USUAL = {
    "latin": "english",
    "greek": "greek",
    "cyrillic": "russian",
    "armenian": "armenian",
    "arabic": "arabic",
    "devanagari": "hindi",
    "tamil": "tamil",
}
_SCRIPTS_OF = {
    "greek": {"greek"},
    "russian": {"cyrillic"},
    "serbian": {"cyrillic", "latin"},
    "armenian": {"armenian"},
    "yiddish": {"hebrew"},
    "arabic": {"arabic"},
    "hindi": {"devanagari"},
    "nepali": {"devanagari"},
    "tamil": {"tamil"},
}
_LATIN = {"latin"}
_SAMPLE_LENGTH = 5_000


def choose_dictionary(language: str | None, sample: str) -> str:
    """The dictionary for a text in this language, a BCP 47 tag, that begins like the sample."""
    script = _main_script(sample)
    if language:
        name = _LANGUAGES.get(language.partition("-")[0].lower())
        if name is not None and script in _SCRIPTS_OF.get(name, _LATIN):
            return f"{name}_stem"
        if name is None and script == "latin":
            return NO_STEMS
    name = _USUAL.get(script)
    return _ENGLISH if name is None else f"{name}_stem"


def dictionary_of_word(dictionary: str, form: str) -> str:
    """Words in ASCII are English where the text itself is in another script."""
    is_latin = _SCRIPTS_OF.get(dictionary.removesuffix("_stem"), _LATIN) & _LATIN
    return dictionary if is_latin or not form.isascii() else _ENGLISH


def _main_script(sample: str) -> str:
    """The one that has most characters; Latin if there are none."""
    start = sample[:_SAMPLE_LENGTH]
    return max(_SCRIPTS, key=lambda name: len(_SCRIPTS[name].findall(start)))
