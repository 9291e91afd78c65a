import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressedAssets } from "./build/compressedAssets.ts";
import { hashedTheme } from "./build/hashedTheme.ts";
import { pdfjsAssets } from "./build/pdfjsAssets.ts";

// `npm run dev` shows the app with hot reload; a running Nexus answers its calls.
const backend = process.env.NEXUS_DEV_BACKEND ?? "http://127.0.0.1:8420";
const proxied = { target: backend, changeOrigin: true, headers: { origin: backend } };

// What nothing of the app comes before, and what the readers of all kinds share. Sending changes
// that were made without a network is of every view.
const BASE =
  /node_modules\/(?!pdfjs-dist|@tanstack\/(react-)?virtual)|src\/(api|ui|shared|styles)\//;
const READER = /src\/features\/reader\/(?!pdf|book|data|notes\/drafts)/;

export default defineConfig({
  plugins: [react(), hashedTheme(), pdfjsAssets(), compressedAssets()],
  build: {
    target: "baseline-widely-available",
    // The Content-Security-Policy allows no inline code, and every browser we serve preloads modules.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Which files a view consists of: the server names them with the page.
    manifest: true,
    rolldownOptions: {
      output: {
        // Each file is a request: what every view needs comes in one, and so does what readers share.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "base", test: BASE, priority: 2 },
            { name: "reader", test: READER, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
    reportCompressedSize: true,
  },
  server: { proxy: { "/api": proxied, "/auth": proxied, "/storage": proxied } },
  test: {
    // Only a hang reaches it: more than the limit of what a test waits for.
    testTimeout: 200_000 * Number(process.env.NEXUS_TEST_PATIENCE || 1),
    restoreMocks: true,
    unstubGlobals: true,
    pool: "threads", // each file has one of its own: started sooner than a process
    // A page takes longer to make than most tests take: other files that need one say so at their top.
    projects: [
      { extends: true, test: { name: "plain", include: ["src/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "page",
          include: ["src/**/*.test.tsx"],
          environment: "happy-dom",
          setupFiles: ["src/testSetup.ts"],
        },
      },
    ],
  },
});
