import { expect, it } from "vitest";
import { waitUntil } from "../../../testWaiting";
import { FIRST_BYTES, FileGone, FileRanges } from "./fileRanges";
import { FileTransport } from "./fileTransport";

const SIZE = FIRST_BYTES + 1_000;
const FILE = Uint8Array.from({ length: SIZE }, (_, index) => index % 251);

/** Comparing a million numbers one by one takes a test framework long. */
const isFile = (bytes: Uint8Array | null) =>
  bytes?.length === SIZE && bytes.every((byte, index) => byte === FILE[index]);

type Respond = (range: string | null, url: string) => Response | Promise<Response>;

/** A storage that gives parts of the file. */
const inParts: Respond = (range) => {
  const [, first, last] = /bytes=(\d+)-(\d+)/.exec(range ?? "") ?? [];
  const part = FILE.slice(Number(first), Number(last) + 1);
  const end = Number(first) + part.length - 1;
  const headers = { "Content-Range": `bytes ${first}-${end}/${SIZE}` };
  return new Response(part, { status: 206, headers });
};
const asAWhole: Respond = () => new Response(FILE);

function fileWith(respond: Respond) {
  const reachable: boolean[] = [];
  let links = 0;
  const file = new FileRanges({
    fetchLink: async () => ({ url: `/storage/${++links}`, expires_at: "" }),
    onReachable: (value) => reachable.push(value),
    fetch: async (url, init) => {
      const range = new Headers(init?.headers).get("Range");
      return respond(range, String(url));
    },
    pause: async () => undefined,
  });
  return { file, reachable, links: () => links };
}

async function open(respond: Respond) {
  const errors: unknown[] = [];
  const made = fileWith(respond);
  const { file } = made;
  const opened = await FileTransport.open(file, file.begin(), (e) => errors.push(e));
  const { transport, hasRanges } = opened;
  const parts = new Map<number, Uint8Array>();
  transport.addRangeListener((begin: number, chunk: Uint8Array) => parts.set(begin, chunk));
  return { ...made, transport, hasRanges, parts, errors };
}

it("knows the length from the first part, and gives the parts that are asked for", async () => {
  const { transport, hasRanges, parts } = await open(inParts);
  expect(hasRanges).toBe(true);
  expect(transport.length).toBe(SIZE);
  transport.requestDataRange(FIRST_BYTES, SIZE);
  await waitUntil(() => expect(parts.get(FIRST_BYTES)).toEqual(FILE.slice(FIRST_BYTES)));
});

it("has the end of the file on its way before it is asked for, and asks for it once", async () => {
  const ranges: (string | null)[] = [];
  const { transport, parts } = await open((range, url) => {
    ranges.push(range);
    return inParts(range, url);
  });
  expect(ranges).toEqual([`bytes=0-${FIRST_BYTES - 1}`, `bytes=${FIRST_BYTES}-${SIZE - 1}`]);
  transport.requestDataRange(FIRST_BYTES + 10, FIRST_BYTES + 20);
  const part = FILE.slice(FIRST_BYTES + 10, FIRST_BYTES + 20);
  await waitUntil(() => expect(parts.get(FIRST_BYTES + 10)).toEqual(part));
  expect(ranges).toHaveLength(2);
});

it("asks again for the end when that did not come", async () => {
  let refused = 0;
  const { transport, parts } = await open((range, url) =>
    range?.startsWith(`bytes=${FIRST_BYTES}`) && ++refused <= 2
      ? new Response(null, { status: 403 })
      : inParts(range, url),
  );
  transport.requestDataRange(FIRST_BYTES, SIZE);
  await waitUntil(() => expect(parts.get(FIRST_BYTES)).toEqual(FILE.slice(FIRST_BYTES)));
});

it("takes the whole file where there are no parts to be had", async () => {
  const { transport, hasRanges } = await open(asAWhole);
  expect(hasRanges).toBe(false);
  expect(isFile(transport.initialData)).toBe(true);
});

it("takes the whole file where a part does not say of how much", async () => {
  const { transport } = await open((range) =>
    range ? new Response(FILE.slice(0, 10), { status: 206 }) : new Response(FILE),
  );
  expect(isFile(transport.initialData)).toBe(true);
});

it("has at most six requests under way", async () => {
  let running = 0;
  let most = 0;
  const { transport, parts } = await open(async (range, url) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve));
    running -= 1;
    return inParts(range, url);
  });
  for (let begin = 0; begin < 60; begin += 1) transport.requestDataRange(begin, begin + 1);
  await waitUntil(() => expect(parts.size).toBe(60));
  expect(most).toBe(6);
});

it("asks for another link when the one it has is refused", async () => {
  const { transport, parts, links } = await open((range, url) =>
    range?.startsWith(`bytes=${FIRST_BYTES}`) && url.endsWith("/1")
      ? new Response(null, { status: 403 })
      : inParts(range, url),
  );
  transport.requestDataRange(FIRST_BYTES, SIZE);
  await waitUntil(() => expect(parts.size).toBe(1));
  expect(links()).toBe(2);
});

it("tries again until the network is back, and says so", async () => {
  let failures = 4;
  const { file, reachable } = fileWith((range, url) => {
    if (failures-- > 0) throw new TypeError("Failed to fetch");
    return inParts(range, url);
  });
  expect((await file.get("0-9")).status).toBe(206);
  expect(reachable).toEqual([false, false, false, false, true]);
});

it("gives up on a file that fresh links do not lead to", async () => {
  const { file, links } = fileWith(() => new Response(null, { status: 404 }));
  await expect(file.get("0-9")).rejects.toThrow(FileGone);
  expect(links()).toBe(2);
});

it("stops when it is closed", async () => {
  const { file } = fileWith(() => {
    file.close();
    throw new TypeError("Failed to fetch");
  });
  await expect(file.get("0-9")).rejects.toThrow("aborted");
});
