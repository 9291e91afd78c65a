import { expect, it } from "vitest";
import { readyMedia, testMedia } from "../../testMedia";
import {
  itemState,
  kindWords,
  remedyFor,
  shownAddress,
  shownTitle,
  siteName,
  stateWords,
} from "./itemWords";

const failed = (more = {}) =>
  testMedia({ processing_status: "failed", failure_stage: "extract", ...more });

const video = (more = {}) =>
  testMedia({
    kind: "video",
    external_playback_url: "https://www.vimeo.com/1",
    capabilities: { can_play: true },
    ...more,
  });

it.each([
  ["https://www.example.org/a", "example.org"],
  ["https://blog.example.org", "blog.example.org"],
  ["not a url", null],
  ["nexus:welcome-1", null],
  [null, null],
])("names the site of %s", (canonical_url, site) => {
  expect(siteName(testMedia({ canonical_url }))).toBe(site);
});

it("always has something to show as the title", () => {
  expect(shownTitle(testMedia({ title: " On reading " }))).toBe("On reading");
  expect(shownTitle(testMedia({ title: "  ", requested_url: "https://a.test/x" }))).toBe(
    "a.test/x",
  );
  expect(shownTitle(testMedia())).toBe("Untitled");
});

it.each([
  ["https://www.a.test/x", "a.test/x"],
  ["http://a.test", "a.test"],
  ["https://a.test is a site", "https://a.test is a site"],
  ["On www. and other prefixes", "On www. and other prefixes"],
])("shows %j as %j", (text, shown) => {
  expect(shownAddress(text)).toBe(shown);
});

it.each([
  ["waiting", testMedia(), "Waiting"],
  ["reading", testMedia({ processing_status: "extracting" }), "Fetching the page…"],
  ["ready", readyMedia(), "Ready"],
  ["ready", video({ provider: "youtube", provider_id: "dQw4w9WgXcQ" }), "Ready"],
  ["elsewhere", video({ provider: null }), "Opens on vimeo.com"],
  ["elsewhere", video({ provider: "youtube", provider_id: null }), "Opens on vimeo.com"],
  [
    "ready",
    testMedia({ kind: "pdf", capabilities: { can_read: true, can_download_file: true } }),
    "Ready",
  ],
  ["reading", testMedia({ kind: "pdf", capabilities: { can_download_file: true } }), "Processing…"],
  [
    "failed",
    failed({
      kind: "pdf",
      last_error_message: "This PDF is locked with a password.",
      capabilities: { can_download_file: true },
    }),
    "Could not be read: This PDF is locked with a password.",
  ],
  [
    "ready",
    testMedia({
      kind: "epub",
      processing_status: "ready_for_reading",
      capabilities: { can_read: true, can_download_file: true },
    }),
    "Ready",
  ],
  [
    "reading",
    testMedia({ kind: "epub", capabilities: { can_download_file: true } }),
    "Reading the book…",
  ],
  [
    "stored",
    testMedia({
      kind: "epub",
      processing_status: "ready_for_reading",
      capabilities: { can_download_file: true },
    }),
    "Stored",
  ],
  ["no-file", testMedia({ kind: "pdf" }), "Waiting for its file"],
  [
    "failed",
    failed({ last_error_message: "The site answered 403" }),
    "Could not be read: The site answered 403.",
  ],
  ["failed", failed({ last_error_message: null }), /The reason is unknown/],
  [
    "waiting",
    testMedia({ kind: "hologram" as never, processing_status: "dreaming" as never }),
    "Waiting",
  ],
])("tells the state %s in words", (state, media, words) => {
  expect(itemState(media)).toBe(state);
  expect(stateWords(media)).toMatch(words);
});

it.each([
  ["nothing while it waits", testMedia(), null],
  ["nothing once it is ready", readyMedia(), null],
  ["a retry after a failure", failed({ processing_attempts: 2, can_retry: true }), "retry"],
  [
    "saving again when the tries are used up",
    failed({ processing_attempts: 3, requested_url: "https://a.test" }),
    "save-again",
  ],
  [
    "another upload for a wrong file",
    failed({ kind: "pdf", failure_stage: "upload", processing_attempts: 0 }),
    "upload",
  ],
  ["the upload that never came", testMedia({ kind: "epub" }), "upload"],
  ["a retry when the server says so", failed({ processing_attempts: 3, can_retry: true }), "retry"],
  [
    "nothing where another try cannot help",
    failed({ processing_attempts: 1, can_retry: false, requested_url: "https://a.test" }),
    null,
  ],
  [
    "saving again when the server takes no more tries",
    failed({ processing_attempts: 3, can_retry: false, requested_url: "https://a.test" }),
    "save-again",
  ],
  ["nothing for a file at the limit", failed({ kind: "pdf", processing_attempts: 3 }), null],
])("offers %s", (_what, media, remedy) => {
  expect(remedyFor(media)).toBe(remedy);
});

it("calls a kind it does not know an item", () => {
  expect(kindWords("pdf")).toBe("PDF");
  expect(kindWords("hologram")).toBe("Item");
});
