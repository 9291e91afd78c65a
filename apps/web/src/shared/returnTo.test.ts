import { describe, expect, it } from "vitest";
import { placeFromSearch, safePlace, withReturn } from "./returnTo";

describe("safePlace", () => {
  it.each([
    "/library/5f1c",
    "/settings",
    "/library/5f1c?sort=old#h-3",
    "/library/caf%C3%A9",
    "/loginish",
  ])("goes back to %s", (place) => {
    expect(safePlace(place)).toBe(place);
  });

  it.each([
    [null],
    [undefined],
    [""],
    ["settings"],
    ["https://evil.example/"],
    ["//evil.example/"],
    ["//evil.example/settings"],
    ["/x/..//evil.example"],
    ["/.//evil.example"],
    ["/\\evil.example/"],
    ["/\t/evil.example/"],
    ["/\n/evil.example"],
    ["\\\\evil.example"],
    ["javascript:alert(1)"],
    ["/login"],
    ["/login?next=/login"],
    ["/signup"],
    ["/x/../login"],
    ["/auth/logout"],
    ["/api/me"],
    ["/storage/x"],
    ["//"],
  ])("goes home instead of to %j", (place) => {
    expect(safePlace(place)).toBe("/");
  });
});

describe("withReturn", () => {
  it("carries a place there and back unchanged", () => {
    const place = "/library/5f1c?q=a&b=c+d#h%20x";
    const address = new URL(withReturn("/login", place), "http://app.test");
    expect(address.pathname).toBe("/login");
    expect(placeFromSearch(address.search)).toBe(place);
  });

  it("adds nothing for home or a place one may not go to", () => {
    expect(withReturn("/login", "/")).toBe("/login");
    expect(withReturn("/login", "//evil.example")).toBe("/login");
  });
});
