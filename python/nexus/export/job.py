"""One export while it is written."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from nexus.export.items import ExportedItem, Selection
from nexus.export.template import Pages
from nexus.progress import Progress
from nexus.storage import StorageClient

_SAY_EVERY = 500


@dataclass
class ExportJob:
    """What is exported and how, and what has become of it so far."""

    selection: Selection
    storage: StorageClient
    pages: Pages
    """What makes pages of Markdown."""
    say: Progress = lambda _: None
    items_written: int = 0
    highlights_written: int = 0
    missing_files: list[str] = field(default_factory=list)
    """Titles of items whose file the store has lost or damaged."""

    def items(
        self,
        *,
        texts: bool = False,
        library_id: UUID | None = None,
        unfiled: bool = False,
        marked: bool = False,
    ) -> Iterator[ExportedItem]:
        chosen = self.selection.batches(library_id=library_id, unfiled=unfiled, marked=marked)
        for batch in chosen:
            for item in self.selection.with_texts(batch) if texts else batch:
                yield item
                self.count(item)

    def count(self, item: ExportedItem) -> None:
        """The item is written."""
        self.items_written += 1
        self.highlights_written += len(item.highlights)
        if self.items_written % _SAY_EVERY == 0:
            self.say(f"  {self.items_written} of {self.selection.total} items")
