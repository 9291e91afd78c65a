"""Which element is what to the sanitizer."""


def names(text: str) -> frozenset[str]:
    """A set of names, written as one would list them."""
    return frozenset(text.split())


HEADINGS = names("h1 h2 h3 h4 h5 h6")
INLINE = names("strong em b i u s code a sup sub")
BLOCKS = HEADINGS | names("p blockquote pre ul ol li table thead tbody tr th td")
ALLOWED_TAGS = INLINE | BLOCKS | {"br", "hr", "img"}
ALLOWED_ATTRIBUTES = {
    "a": {"href", "title", "rel", "target", "referrerpolicy"},
    "img": {"src", "alt"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}

# Same meaning under an allowed name.
RENAMED = {
    "del": "s",
    "strike": "s",
    "tfoot": "tbody",
    "menu": "ul",
    "dir": "ul",
    "listing": "pre",
    "xmp": "pre",
    "plaintext": "pre",
}

# Blocks outside the allowlist: unwrapped, but their edges still keep words apart.
BOXES = names(
    "address article aside body caption center dd details dialog div dl dt fieldset figcaption"
    " figure footer form header hgroup html legend main marquee nav search section summary"
)

REMOVED_WITH_CONTENT = (
    # active, or of another namespace
    names("script style iframe svg math object embed template noscript applet frame frameset")
    # form controls
    | names("button input select textarea option optgroup datalist output progress meter keygen")
    # never shown, or shown only where the real thing fails
    | names("head title base link meta param source track area noembed noframes rp")
    | names("audio video canvas")
)
