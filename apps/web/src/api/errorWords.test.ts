import { expect, it } from "vitest";
import { ApiError, clientError } from "./errors";
import { errorWords, fieldOf } from "./errorWords";

const make = (code: string, message = "") => new ApiError({ code, status: 400, message });

it.each(["E_FORBIDDEN", "E_LIBRARY_NOT_FOUND", "E_NEW"])(
  "shows the server's message for %s",
  (code) => {
    expect(errorWords(make(code, "The moon is full."))).toBe("The moon is full.");
  },
);

it("has words of its own where the server said nothing", () => {
  expect(errorWords(clientError("E_NETWORK"))).toMatch(/cannot be reached/);
  expect(errorWords(clientError("E_TIMEOUT"))).toMatch(/too long/);
  expect(errorWords(clientError("E_BAD_RESPONSE", { status: 502 }))).toMatch(/does not understand/);
});

it("never returns an empty text", () => {
  expect(errorWords(make("E_NEW"))).toMatch(/went wrong/);
  expect(errorWords(new TypeError("x is undefined"))).not.toContain("undefined");
});

it.each([
  ["url: the address has no host", "url", "The address has no host."],
  [
    "name: a library name has 1 to 100 characters",
    "name",
    "A library name has 1 to 100 characters.",
  ],
  [
    "Too many attempts. Try again in 9 seconds.",
    null,
    "Too many attempts. Try again in 9 seconds.",
  ],
])("shows %j without the name of the field", (message, field, words) => {
  const error = make("E_INVALID_REQUEST", message);
  expect(fieldOf(error)).toBe(field);
  expect(errorWords(error)).toBe(words);
});
