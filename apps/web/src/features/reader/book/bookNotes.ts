import type { Fragment } from "../../../api/fragments";
import { canonicalize } from "../../../canonical";
import { insideTarget } from "../links/insideLink";
import { type Note, type NoteLinks, noteOf } from "../links/notes";
import { fillWith } from "../text/showFragment";
import type { BookOffsets } from "./bookOffsets";
import type { Chapter } from "./chapter";

interface NotesOptions {
  offsets: BookOffsets;
  chapters: () => readonly Chapter[];
  load: (index: number) => Promise<Fragment>;
}

/** The notes of a book, which may be in another chapter than what refers to them. */
export class BookNotes implements NoteLinks {
  constructor(private readonly options: NotesOptions) {}

  get references(): ReadonlySet<HTMLAnchorElement> {
    return new Set(this.options.chapters().flatMap(({ notes }) => [...notes.references]));
  }

  noteOf(reference: HTMLAnchorElement): Note | null | Promise<Note | null> {
    const { offsets, chapters, load } = this.options;
    const target = insideTarget(reference.getAttribute("href"));
    const offset = target && offsets.offsetOfLink(target);
    if (offset === null) return null;
    const index = offsets.indexAt(offset);
    const there = chapters().find((one) => one.index === index);
    if (there) return noteOf(there.map, reference, this.references);
    const found = async () => {
      const box = document.createElement("div");
      const fragment = await load(index);
      fillWith(box, fragment, { images: fragment.images, language: null });
      return noteOf(canonicalize(box), reference, this.references);
    };
    // Without its note, the link leads to where that is.
    return found().catch(() => null);
  }
}
