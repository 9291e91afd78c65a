import { expect, it } from "vitest";
import { fileSize } from "./fileSize";

it.each([
  [0, "0 bytes"],
  [1023, "1023 bytes"],
  [1024, "1.0 KB"],
  [34_567, "34 KB"],
  [1_048_576, "1.0 MB"],
  [1_040_000, "1.0 MB"],
  [5_368_709_120, "5.0 GB"],
])("%d bytes are %s", (bytes, words) => {
  expect(fileSize(bytes)).toBe(words);
});
