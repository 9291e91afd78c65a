"""What Supabase Storage reports about a bucket."""

from dataclasses import dataclass
from typing import Self

from nexus.storage.errors import WrongAddress

NOT_A_STORAGE = "the storage URL did not respond as a storage service does"


@dataclass(frozen=True, slots=True)
class Bucket:
    """Who may read it and what it takes. Without a limit of its own the project's is in force."""

    public: bool
    limit_bytes: int | None
    content_types: tuple[str, ...] | None

    @classmethod
    def of(cls, details: object) -> Self:
        """The bucket in a response of the service; WrongAddress if it is something else."""
        public = details.get("public") if isinstance(details, dict) else None
        if not isinstance(details, dict) or not isinstance(public, bool):
            raise WrongAddress(NOT_A_STORAGE)
        # A database's large number, which not every version turns into a JSON number.
        limit, types = str(details.get("file_size_limit")), details.get("allowed_mime_types")
        return cls(
            public=public,
            limit_bytes=int(limit) if limit.isascii() and limit.isdecimal() else None,
            content_types=tuple(map(str, types)) if isinstance(types, list) else None,
        )

    def accepts(self, content_type: str) -> bool:
        """Whether objects of this type may be stored; `application/*` names all of a kind."""
        names = {content_type, content_type.partition("/")[0] + "/*"}
        return self.content_types is None or not names.isdisjoint(self.content_types)
