import { expect, it } from "vitest";
import { passageIn, paths } from "./paths";

const FRAGMENT = "00000000-0000-4000-8000-00000000000a";

it("leads to a passage and reads it back", () => {
  const passage = { fragmentId: FRAGMENT, start: 12, end: 40 };
  const address = paths.passage("m1", passage);
  expect(address).toBe(`/read/m1?at=${FRAGMENT}.12-40`);
  expect(passageIn(address.slice(address.indexOf("?")))).toEqual(passage);
});

it.each(["", "?at=", "?at=x.1-2", `?at=${FRAGMENT}`, `?at=${FRAGMENT}.1-`, `?at=${FRAGMENT}.-1-4`])(
  "takes %j for no passage",
  (search) => {
    expect(passageIn(search)).toBeNull();
  },
);
