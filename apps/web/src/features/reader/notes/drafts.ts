import { forget, keep, readKept } from "../../../ui/localStore";

/** A note as typed, kept on this device until the server has it. */
export interface Draft {
  readonly body: string;
  /** When the note it started from was last saved; null when there was none. */
  readonly base: string | null;
}

/** The drafts of one person, by the id of their highlight. */
export class Drafts {
  constructor(private readonly userId: string) {}

  read(id: string): Draft | null {
    const kept = readKept(this.key(id)) as Partial<Draft> | null;
    if (typeof kept?.body !== "string") return null;
    return { body: kept.body, base: typeof kept.base === "string" ? kept.base : null };
  }

  write(id: string, draft: Draft): void {
    keep(this.key(id), draft);
  }

  clear(id: string): void {
    forget(this.key(id));
  }

  /** Gives a draft to another highlight, unless that has one already. */
  move(from: string, to: string): void {
    const draft = this.read(from);
    if (draft && !this.read(to)) this.write(to, draft);
    this.clear(from);
  }

  private key(id: string): string {
    return `nexus.draft.${this.userId}.${id}`;
  }
}
