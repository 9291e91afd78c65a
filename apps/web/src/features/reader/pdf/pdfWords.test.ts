import { expect, it } from "vitest";
import { readyMedia, testMedia } from "../../../testMedia";
import { noHighlightWords } from "./pdfWords";

const pdf = (more: Parameters<typeof testMedia>[0]) =>
  testMedia({ kind: "pdf", capabilities: { can_read: true }, ...more });

it.each([
  ["nothing", readyMedia({ kind: "pdf" }), null],
  ["that its text comes", pdf({ processing_status: "pending" }), /highlighting comes when/],
  ["that its text comes", pdf({ processing_status: "extracting" }), /You can read it now/],
  [
    "that it is a scan",
    pdf({ processing_status: "ready_for_reading" }),
    /is a scan: it has no text/,
  ],
  [
    "why there is no text",
    pdf({ processing_status: "failed", last_error_message: "It has too many pages." }),
    /^It has too many pages\. You can read its pages/,
  ],
  ["at least that", pdf({ processing_status: "failed" }), /^Its text could not be read\./],
])("says %s", (_what, media, words) => {
  if (words) expect(noHighlightWords(media)).toMatch(words);
  else expect(noHighlightWords(media)).toBeNull();
});
