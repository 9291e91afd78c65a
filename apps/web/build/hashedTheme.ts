import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/**
 * Gives the script of the theme a name with a hash, as all the rest of the app has one: the first
 * paint waits for it, and must not wait for a request each time.
 */
export function hashedTheme(): Plugin {
  const source = readFileSync(new URL("../public/theme.js", import.meta.url));
  const hash = createHash("sha256").update(source).digest("base64url").slice(0, 8);
  const fileName = `assets/theme-${hash}.js`;
  return {
    name: "hashed-theme",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source });
    },
    transformIndexHtml: (html) => html.replace('src="/theme.js"', `src="/${fileName}"`),
  };
}
