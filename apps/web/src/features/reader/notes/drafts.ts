import { forget, keep, readKept } from "../../../ui/localStore";

/** A note as typed, kept on this device until the server has it. */
export interface Draft {
  readonly body: string;
  /** When the note it started from was last saved; null when there was none. */
  readonly base: string | null;
}

/** The drafts of one person, by the id of their highlight, or its key until it has one. */
export class Drafts {
  constructor(private readonly userId: string) {}

  read(name: string): Draft | null {
    const kept = readKept(this.key(name)) as Partial<Draft> | null;
    if (typeof kept?.body !== "string") return null;
    return { body: kept.body, base: typeof kept.base === "string" ? kept.base : null };
  }

  write(name: string, draft: Draft): void {
    keep(this.key(name), draft);
  }

  clear(name: string): void {
    forget(this.key(name));
  }

  /** Gives a draft another name, unless there already is one under it. */
  move(from: string, to: string): void {
    const draft = this.read(from);
    if (draft && !this.read(to)) this.write(to, draft);
    this.clear(from);
  }

  private key(name: string): string {
    return `nexus.draft.${this.userId}.${name}`;
  }
}
