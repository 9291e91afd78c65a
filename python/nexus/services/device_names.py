"""What a browser is called in the list of sessions."""

MAX_USER_AGENT = 400

# The first match wins: the later names also occur in user agents of the earlier.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("Windows", "Windows"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def device_name(user_agent: str | None) -> str:
    """What a person would call the browser, such as "Firefox on Windows"."""
    browser = _first(_BROWSERS, user_agent or "")
    system = _first(_SYSTEMS, user_agent or "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or "Unknown device"


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str | None:
    return next((name for part, name in names if part in user_agent), None)
