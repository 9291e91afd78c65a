#!/usr/bin/env node
/**
 * Finds the browser. As a script it prints the path, or with `--json` the path, the arguments and
 * the environment it needs.
 *
 * First that is there: NEXUS_CHROMIUM; the headless build Playwright installed; a headless shell
 * on the PATH; the headless build that `npm ci` brought; Playwright's, then the system's full
 * browser. Headless builds come first because they ingest more than twice as fast
 * (docs/decisions/0009-which-browser.md).
 */

import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { unpackBundledBrowser } from "./src/bundled.mjs";

/**
 * @import { Unpacked } from "./src/bundled.mjs"
 * @typedef {{path: string, source: "NEXUS_CHROMIUM" | "system"}} Installed
 * @typedef {Installed | (Unpacked & {source: "bundled"})} Found
 */

/** The browser to start: `{path, args, env, source}`. Throws with what to do when there is none. */
export async function findBrowser(env = process.env) {
  const found = (await candidate(env)) ?? fail();
  const extra = found.source === "bundled" ? await supportFiles(found, env) : {};
  // Chromium refuses to run as root inside its sandbox; anyone else keeps the sandbox.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return { path: found.path, args, env: extra, source: found.source };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Found | null>}
 */
async function candidate(env) {
  if (env.NEXUS_CHROMIUM) return chosen(env.NEXUS_CHROMIUM);
  const playwright = playwrightBuilds(env);
  const path =
    playwright.find((file) => file.includes("headless_shell")) ??
    onPath(["chromium-headless-shell", "chrome-headless-shell"], env);
  if (path) return { path, source: "system" };
  const bundled = await unpackBundledBrowser();
  if (bundled) return { ...bundled, source: "bundled" };
  const full =
    playwright[0] ?? onPath(["chromium", "chromium-browser", "google-chrome", "chrome"], env);
  return full ? { path: full, source: "system" } : null;
}

/**
 * @param {string} path
 * @returns {Installed}
 */
function chosen(path) {
  if (isExecutable(path)) return { path, source: "NEXUS_CHROMIUM" };
  throw new Error(`NEXUS_CHROMIUM is set to ${path}, which is not a program that can be run`);
}

/** @returns {never} */
function fail() {
  throw new Error(
    "no browser found: install Chromium or Google Chrome, or set NEXUS_CHROMIUM to its path",
  );
}

/**
 * Executables of the builds Playwright installed, newest first.
 * @param {NodeJS.ProcessEnv} env
 */
function playwrightBuilds(env) {
  const root = env.PLAYWRIGHT_BROWSERS_PATH || join(homedir(), ".cache", "ms-playwright");
  if (!existsSync(root)) return [];
  /** @param {string} name */
  const revision = (name) => Number(name.split("-").at(-1));
  const names = readdirSync(root).filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name));
  names.sort((left, right) => revision(right) - revision(left));
  const programs = ["chrome-headless-shell", "headless_shell", "chrome"];
  return names.flatMap((name) =>
    readdirSync(join(root, name))
      .flatMap((folder) => programs.map((program) => join(root, name, folder, program)))
      .filter(isExecutable),
  );
}

/**
 * @param {string[]} names
 * @param {NodeJS.ProcessEnv} env
 */
function onPath(names, env) {
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The bundled build brings the libraries and fonts a small system lacks; used only when it does.
 * @param {Unpacked} unpacked
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Record<string, string>>}
 */
async function supportFiles({ path, libraries, fontConfig }, env) {
  /** @type {Record<string, string>} */
  const extra = existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_FILE: fontConfig };
  try {
    await promisify(execFile)(path, ["--version"], { timeout: 10_000 });
    return extra;
  } catch {
    const paths = [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(":");
    return { ...extra, LD_LIBRARY_PATH: paths };
  }
}

const isScript =
  process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isScript) {
  try {
    const { path, args, env } = await findBrowser();
    const asJson = process.argv.includes("--json");
    process.stdout.write(`${asJson ? JSON.stringify({ path, args, env }) : path}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
