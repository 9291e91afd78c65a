// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ReaderHighlight } from "../data/readerHighlight";
import { Drafts } from "./drafts";
import { NoteBook } from "./noteBook";

const drafts = new Drafts("u1");
let sent: string[][];

function highlight(id: string, pending: boolean, note: string | null = null): ReaderHighlight {
  const annotation = note === null ? null : { id: "a1", body: note, updated_at: "t1" };
  return { id, pending, annotation } as ReaderHighlight;
}

/** A book whose server knows the highlight called h1 only. */
function open(): NoteBook {
  const send = async (id: string, body: string) => {
    if (id !== "h1") throw new Error("not there yet");
    sent.push([id, body]);
    return `t${sent.length}`;
  };
  return new NoteBook({ drafts, send, isFinal: () => false, isWaiting: () => true });
}

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  sent = [];
});

afterEach(() => vi.useRealTimers());

it("knows a note as saved that was sent right after its highlight", async () => {
  const book = open();
  const note = book.open(highlight("new-1", true));
  note.edit("a note");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(note.state).toBe("waiting");
  book.follow([highlight("new-1", true)]);
  expect(note.state).toBe("waiting");
  book.follow([highlight("new-1", false, "a note")]);
  expect(note.state).toBe("saved");
  expect(drafts.read("new-1")).toBeNull();
});

it("goes on with the draft where the highlight turned out to be another one", async () => {
  const book = open();
  book.open(highlight("new-1", true)).edit("a note");
  drafts.move("new-1", "h1");
  book.drop("new-1");
  book.follow([highlight("h1", false)]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sent).toEqual([["h1", "a note"]]);
  expect([drafts.read("new-1"), drafts.read("h1")]).toEqual([null, null]);
});
