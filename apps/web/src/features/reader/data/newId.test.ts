import { afterEach, expect, it, vi } from "vitest";
import { newId } from "./newId";

const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

afterEach(() => vi.unstubAllGlobals());

it.each(["secure", "insecure"])("makes a different UUID each time on a page that is %s", (page) => {
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  if (page === "insecure") vi.stubGlobal("crypto", { getRandomValues });
  const ids = Array.from({ length: 1_000 }, newId);
  expect(ids.filter((id) => !UUID4.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(1_000);
});

it("keeps every random bit but those that name the version", () => {
  const bytes = new Uint8Array(16).fill(0xff);
  vi.stubGlobal("crypto", { getRandomValues: () => bytes });
  expect(newId()).toBe("ffffffff-ffff-4fff-bfff-ffffffffffff");
  bytes.fill(0);
  expect(newId()).toBe("00000000-0000-4000-8000-000000000000");
});
