// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Drafts } from "./drafts";
import { MAX_NOTE_LENGTH, NoteSaver } from "./noteSaver";

const SAVED = { body: "as it was", updatedAt: "t0" };

/** A server that keeps the note; it can be slow, down, or refuse for good. */
class Server {
  body = SAVED.body;
  sent: string[] = [];
  failing = false;
  waiting: (() => void)[] | null = null;

  send = async (body: string): Promise<string | null> => {
    this.sent.push(body);
    if (this.waiting) await new Promise<void>((resolve) => this.waiting?.push(resolve));
    if (this.failing) throw new Error("down");
    this.body = body;
    return `t${this.sent.length}`;
  };
}

let server: Server;
const drafts = new Drafts("u1");

function open(
  id = "h1",
  saved: typeof SAVED | null = SAVED,
  { isFinal = false, isWaiting = false } = {},
): NoteSaver {
  const { send } = server;
  const options = { drafts, id, saved, send };
  return new NoteSaver({ ...options, isFinal: () => isFinal, isWaiting: () => isWaiting });
}

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  server = new Server();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("NoteSaver", () => {
  it("saves once, a moment after the last keystroke, and then keeps no draft", async () => {
    const note = open();
    for (const text of ["a", "ab", "abc"]) note.edit(text);
    expect(drafts.read("h1")?.body).toBe("abc");
    expect(server.sent).toEqual([]);
    await vi.runAllTimersAsync();
    expect(server.sent).toEqual(["abc"]);
    expect(note.state).toBe("saved");
    expect(drafts.read("h1")).toBeNull();
  });

  it("keeps what is typed while a save is on its way, and saves that next", async () => {
    server.waiting = [];
    const note = open();
    note.edit("one");
    note.flush();
    await vi.advanceTimersByTimeAsync(0);
    note.edit("one two");
    expect(drafts.read("h1")?.body).toBe("one two");
    const [release] = server.waiting;
    server.waiting = null;
    release?.();
    await vi.runAllTimersAsync();
    expect(server.sent).toEqual(["one", "one two"]);
    expect(server.body).toBe("one two");
    expect(note.state).toBe("saved");
  });

  it("shows a failure, keeps the text and tries again until it works", async () => {
    server.failing = true;
    const note = open();
    note.edit("precious");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(note.state).toBe("failed");
    expect(drafts.read("h1")?.body).toBe("precious");
    server.failing = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(note.state).toBe("saved");
    expect(server.body).toBe("precious");
  });

  it("does not repeat what can never work, but still keeps the text", async () => {
    server.failing = true;
    const note = open("h1", SAVED, { isFinal: true });
    note.edit("precious");
    await vi.advanceTimersByTimeAsync(120_000);
    expect(server.sent).toEqual(["precious"]);
    expect(note.state).toBe("failed");
    expect(drafts.read("h1")?.body).toBe("precious");
  });

  it("waits where the server is out of reach, and says so until it is saved", async () => {
    server.failing = true;
    const note = open("h1", SAVED, { isWaiting: true });
    const states = new Set<string>();
    note.edit("precious");
    await vi.advanceTimersByTimeAsync(1_000);
    note.subscribe(() => states.add(note.state));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([...states]).toEqual(["waiting"]);
    server.failing = false;
    note.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect([note.state, server.body]).toEqual(["saved", "precious"]);
  });

  it("goes on once the server has its highlight, and sends only what is not there yet", async () => {
    server.failing = true;
    const same = open("h1", null, { isWaiting: true });
    const more = open("h2", null, { isWaiting: true });
    same.edit("a note");
    more.edit("a note");
    await vi.advanceTimersByTimeAsync(1_000);
    more.edit("a note, and more");
    server.failing = false;
    server.sent = [];
    same.arrive({ body: "a note", updatedAt: "t1" });
    more.arrive({ body: "a note", updatedAt: "t1" });
    await vi.runAllTimersAsync();
    expect(server.sent).toEqual(["a note, and more"]);
    expect([same.state, more.state]).toEqual(["saved", "saved"]);
    for (const id of ["h1", "h2"]) expect(drafts.read(id)).toBeNull();
  });

  it("leaves a draft to the next visit once the article is left", async () => {
    server.failing = true;
    const note = open();
    note.edit("precious");
    note.stop();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(server.sent).toEqual(["precious"]);
    expect(drafts.read("h1")?.body).toBe("precious");
  });

  it("saves nothing more once its draft is another highlight's", async () => {
    const note = open();
    note.edit("precious");
    note.abandon();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(server.sent).toEqual([]);
  });

  it("takes up the draft of an earlier visit and saves it", async () => {
    drafts.write("h1", { body: "typed before the reload", base: "t0" });
    const note = open();
    expect(note.body).toBe("typed before the reload");
    await vi.runAllTimersAsync();
    expect(server.body).toBe("typed before the reload");
  });

  it("asks when the note changed elsewhere since the draft began", async () => {
    drafts.write("h1", { body: "mine", base: "older" });
    const note = open();
    await vi.runAllTimersAsync();
    expect([note.state, note.body, server.sent]).toEqual(["conflict", "mine", []]);
    note.keepMine();
    await vi.runAllTimersAsync();
    expect(server.body).toBe("mine");

    drafts.write("h2", { body: "mine", base: "older" });
    const other = open("h2");
    other.takeSaved();
    expect([other.state, other.body]).toEqual(["saved", SAVED.body]);
    expect(drafts.read("h2")).toBeNull();
  });

  it("removes the note when nothing but space is left", async () => {
    const note = open();
    note.edit("  \n ");
    await vi.runAllTimersAsync();
    expect(server.sent).toEqual([""]);
  });

  it("keeps a note that is too long but does not send it", async () => {
    const note = open();
    note.edit("😀".repeat(MAX_NOTE_LENGTH));
    expect(note.state).toBe("unsaved");
    note.edit("x".repeat(MAX_NOTE_LENGTH + 1));
    await vi.runAllTimersAsync();
    expect([note.state, server.sent]).toEqual(["too-long", []]);
    expect(drafts.read("h1")?.body).toHaveLength(MAX_NOTE_LENGTH + 1);
  });

  it("follows changes made elsewhere, except over text not saved yet", () => {
    const note = open();
    note.refresh({ body: "from another tab", updatedAt: "t9" });
    expect(note.body).toBe("from another tab");
    note.edit("being typed");
    note.refresh({ body: "again from there", updatedAt: "t10" });
    expect(note.body).toBe("being typed");
  });

  it("loses no keystroke of a long random session, whatever fails", async () => {
    const note = open();
    let typed = "";
    for (let i = 0; i < 400; i += 1) {
      typed += String.fromCharCode(97 + (i % 26));
      note.edit(typed);
      expect(drafts.read("h1")?.body ?? server.body).toBe(typed);
      server.failing = i % 7 < 4;
      await vi.advanceTimersByTimeAsync((i * 137) % 1_500);
      expect(drafts.read("h1")?.body ?? server.body).toBe(typed);
    }
    server.failing = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([note.state, server.body]).toEqual(["saved", typed]);
  });
});

describe("Drafts", () => {
  it("keeps people apart and moves a draft to another highlight", () => {
    drafts.write("h8", { body: "early", base: null });
    expect(new Drafts("u2").read("h8")).toBeNull();
    drafts.move("h8", "h9");
    expect(drafts.read("h8")).toBeNull();
    expect(drafts.read("h9")?.body).toBe("early");
  });

  it("survives nonsense in storage", () => {
    localStorage.setItem("nexus.draft.u1.h1", "{not json");
    expect(drafts.read("h1")).toBeNull();
    localStorage.setItem("nexus.draft.u1.h1", "[1]");
    expect(drafts.read("h1")).toBeNull();
  });
});
