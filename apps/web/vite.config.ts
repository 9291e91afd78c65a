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
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testSetup.ts"],
    testTimeout: 30_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
