"""Which element is what to the sanitizer."""


def names(text: str) -> frozenset[str]:
    """A set of names, written as one would list them."""
    return frozenset(text.split())


HEADINGS = names("h1 h2 h3 h4 h5 h6")
INLINE = names(
    "strong em b i u s code a sup sub kbd samp var mark q cite abbr small del ins ruby rb rt"
)
# Written only where an element outside the allowlist has a language or direction of its own.
SPAN = "span"
BLOCKS = HEADINGS | names(
    "p blockquote pre ul ol li dl dt dd figure figcaption details summary"
    " table caption thead tbody tfoot tr th td"
)

# Same meaning under an allowed name.
RENAMED = {
    "strike": "s",
    "menu": "ul",
    "dir": "ul",
    "listing": "pre",
    "xmp": "pre",
    "plaintext": "pre",
}

# Blocks outside the allowlist: unwrapped, but their edges still keep words apart.
BOXES = names(
    "address article aside body center dialog div fieldset footer form header hgroup html legend"
    " main marquee nav search section"
)

# What plays or opens elsewhere: a link is left in its place.
EMBEDS = {
    "iframe": "Embedded page",
    "object": "Embedded page",
    "embed": "Embedded page",
    "video": "Video",
    "audio": "Audio",
}

# Only these may appear in stored formulas: presentation elements of MathML Core.
MATH_TOKENS = names("mi mn mo ms mtext")
MATH_EMPTY = names("mspace mprescripts")
MATH_CONTAINERS = names(
    "mrow mfrac msqrt mroot mstyle mpadded mphantom merror msub msup msubsup munder mover"
    " munderover mmultiscripts mtable mtr mtd"
)

REMOVED_WITH_CONTENT = (
    # active, or of another namespace; of `math` and what plays, something else is written
    names("script style svg math template noscript applet frame frameset")
    | EMBEDS.keys()
    # form controls
    | names("button input select textarea option optgroup datalist output progress meter keygen")
    # never shown, or shown only where the real thing fails
    | names("head title base link meta param source track area noembed noframes rp canvas")
)

ALLOWED_TAGS = (
    INLINE
    | BLOCKS
    | {SPAN}
    | names("br wbr hr img rp math")
    | MATH_TOKENS
    | MATH_EMPTY
    | MATH_CONTAINERS
)
