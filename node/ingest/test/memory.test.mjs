/** The limit on memory: how it is read, and the cgroup that keeps it. Pages that meet it are in `long`. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { makeCgroup } from "../src/cgroup.mjs";
import { runOnce } from "./support/extractor.mjs";

const MiB = 1024 * 1024;
const _limited = (mib) => ({ NEXUS_BROWSER_MEMORY_BYTES: String(mib * MiB) });

test("a limit that is invalid is refused", async () => {
  const { code, stderr } = await runOnce(
    { url: "http://127.0.0.1/" },
    { NEXUS_BROWSER_MEMORY_BYTES: "1.5G" },
  );
  assert.equal(code, 2);
  assert.match(stderr, /NEXUS_BROWSER_MEMORY_BYTES/);
});

describe("a cgroup of its own", () => {
  let root;
  before(() => {
    root = mkdtempSync(join(tmpdir(), "cgroups-"));
  });
  after(() => rmSync(root, { recursive: true }));

  const place = (name, { controllers, own }) => {
    mkdirSync(join(root, name, "shell.scope"), { recursive: true });
    writeFileSync(join(root, name, "cgroup.subtree_control"), controllers);
    writeFileSync(join(root, `${name}.own`), own);
    return { root, own: join(root, `${name}.own`) };
  };

  test("is made beside ours where memory is delegated", () => {
    const where = place("delegated", {
      controllers: "cpu memory pids\n",
      own: "4:x:/y\n0::/delegated/shell.scope\n",
    });
    const { path } = makeCgroup(800 * MiB, where);
    assert.match(path, /delegated\/nexus-browser-\d+-\d+$/);
    assert.equal(readFileSync(join(path, "memory.max"), "utf8"), String(900 * MiB));
  });

  /** @type {[string, {controllers: string, own: string}][]} */
  const ELSEWHERE = [
    ["not delegated", { controllers: "cpu pids\n", own: "0::/elsewhere/shell.scope\n" }],
    ["version 1", { controllers: "memory\n", own: "4:memory:/elsewhere/shell.scope\n" }],
    ["no group", { controllers: "memory\n", own: "0::/\n" }],
  ];
  for (const [what, files] of ELSEWHERE) {
    test(`is done without where there is none: ${what}`, () => {
      assert.equal(makeCgroup(MiB, place("elsewhere", files)).path, "");
      assert.equal(existsSync(join(root, "elsewhere", `nexus-browser-${process.pid}-1`)), false);
    });
  }
});
