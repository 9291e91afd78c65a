"""The one sanitizer, which lives in `nexus.html`."""

from nexus.html.sanitize import SanitizationError, SanitizedHtml, sanitize_html

__all__ = ["SanitizationError", "SanitizedHtml", "sanitize_html"]
