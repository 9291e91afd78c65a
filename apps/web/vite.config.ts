import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { pdfjsAssets } from "./pdfjsAssets.ts";

// `npm run dev` shows the app with hot reload; a running Nexus answers its calls.
const backend = process.env.NEXUS_DEV_BACKEND ?? "http://127.0.0.1:8420";
const proxied = { target: backend, changeOrigin: true, headers: { origin: backend } };

export default defineConfig({
  plugins: [react(), pdfjsAssets()],
  build: {
    target: "baseline-widely-available",
    // The Content-Security-Policy allows no inline code, and every browser we serve preloads modules.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
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
