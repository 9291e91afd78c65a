/** The address rules against the table of cases that the Python side must pass too. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { allowedHosts, canonicalHost, isPublicAddress, ownAddresses } from "../src/address.mjs";
import { Guard } from "../src/guard.mjs";
import { AnswerCache } from "../src/resolve.mjs";

const CASES = JSON.parse(
  readFileSync(new URL("../../../egress/cases.json", import.meta.url), "utf8"),
);
const NOBODY = new Set();

/** What a URL comes to before DNS is asked: a kind of refusal, or the kind of host it has. */
function verdict(text, options) {
  try {
    const { hostname } = new Guard(options).checkUrl(text);
    return isPublicAddress(canonicalHost(hostname), NOBODY) ? "public" : "name";
  } catch (refused) {
    return refused.kind;
  }
}

test("addresses are public or not", () => {
  for (const { address, public: expected } of CASES.addresses) {
    assert.equal(isPublicAddress(address, NOBODY), expected, address);
  }
});

test("URLs are read as a browser reads them", () => {
  for (const { url, verdict: expected, host } of CASES.urls) {
    assert.equal(verdict(url), expected, JSON.stringify(url));
    if (host) assert.equal(canonicalHost(new URL(url).hostname), host, JSON.stringify(url));
  }
});

test("listed hosts are let through, and nothing else", () => {
  for (const { list, url, testing, allowed } of CASES.allow_private_hosts) {
    const refused = !["public", "name"].includes(verdict(url, { allow: list, testing }));
    const { hostname, port } = new URL(url);
    const listed = allowedHosts({ list, testing }).has(
      canonicalHost(hostname),
      Number(port || (url.startsWith("https") ? 443 : 80)),
    );
    assert.equal(listed, allowed, `${list} ${url}`);
    if (allowed) assert.equal(refused, false, `${list} ${url}`);
  }
});

test("the addresses of this machine are not public", () => {
  const own = [...ownAddresses()];
  assert.ok(own.length > 0);
  for (const address of own) assert.equal(isPublicAddress(address), false, address);
  assert.equal(isPublicAddress("8.8.8.8", new Set(["8.8.8.8"])), false);
});

describe("names", () => {
  /** @type {[string[], boolean][]} */
  const ANSWERS = [
    [["8.8.8.8"], true],
    [["8.8.8.8", "2606:4700:4700::1111"], true],
    [["8.8.8.8", "127.0.0.1"], false],
    [["127.0.0.1", "8.8.8.8"], false],
    [["8.8.8.8", "fd00::1"], false],
    [["::ffff:8.8.8.8"], false],
    [["169.254.169.254"], false],
  ];
  for (const [answers, allowed] of ANSWERS) {
    test(`that resolve to ${answers} are ${allowed ? "reached" : "refused"}`, async () => {
      const guard = new Guard({ resolve: async () => answers });
      const asked = guard.addresses("name.example", 80);
      if (allowed) assert.deepEqual(await asked, answers);
      else await assert.rejects(asked, { kind: "private" });
    });
  }

  test("without an answer are not found", async () => {
    const silent = new Guard({ resolve: async () => [] });
    await assert.rejects(silent.addresses("name.example", 443), { kind: "unknown" });
    const broken = new Guard({ resolve: () => Promise.reject(new Error("SERVFAIL")) });
    await assert.rejects(broken.addresses("name.example", 443), { kind: "unknown" });
  });
});

test("answers are remembered for a while, and not without end", async () => {
  const asked = [];
  const resolve = async (host) => asked.push(host) && [host];
  const cache = new AnswerCache({ maxNames: 2 });
  for (const host of ["a", "b", "a", "c", "b", "a"]) await cache.get(host, resolve);
  assert.deepEqual(asked, ["a", "b", "c", "a"]);
  const forgetful = new AnswerCache({ maxAgeMs: 0 });
  await forgetful.get("d", resolve);
  await forgetful.get("d", resolve);
  assert.deepEqual(asked.slice(4), ["d", "d"]);
});
