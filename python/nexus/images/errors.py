"""What can go wrong with an image, each with its own code."""

from nexus.errors import ApiError


class UnsupportedImageError(ApiError):
    def __init__(self) -> None:
        super().__init__(
            "E_IMAGE_UNSUPPORTED", "This is not an image that can be shown.", status=415
        )


class ImageFetchFailedError(ApiError):
    def __init__(self, reason: str) -> None:
        super().__init__(
            "E_IMAGE_FETCH_FAILED", f"The image could not be fetched: {reason}.", status=502
        )


class ImageTimeoutError(ApiError):
    def __init__(self) -> None:
        super().__init__(
            "E_IMAGE_TIMEOUT", "The site took too long to send this image.", status=504
        )
