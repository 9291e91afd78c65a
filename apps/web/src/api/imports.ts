import { request } from "./client";
import type { Schemas } from "./types";

export type Import = Schemas["ImportOut"];
export type ImportSample = Schemas["ImportSample"];

/** Where a file is sent to. */
export function importUploadPath(name: string): string {
  return `/api/imports?name=${encodeURIComponent(name)}`;
}

/** The person's imports, the newest first. */
export async function fetchImports(signal: AbortSignal): Promise<Import[]> {
  return (await request<Schemas["ImportList"]>("GET", "/api/imports", { signal })).imports;
}

export function fetchImport(id: string, signal: AbortSignal): Promise<Import> {
  return request("GET", importPath(id), { signal });
}

/** Starts an import, or goes on with one that was stopped. */
export function startImport(id: string, to: Schemas["StartImportRequest"] = {}): Promise<Import> {
  return request("POST", `${importPath(id)}/start`, { body: to });
}

/** Stops an import; what was taken in by then stays. */
export function stopImport(id: string): Promise<Import> {
  return request("POST", `${importPath(id)}/stop`);
}

/** Takes back what an import added and nobody touched since. */
export function undoImport(id: string): Promise<Import> {
  return request("POST", `${importPath(id)}/undo`);
}

/** Forgets a preview, or the report of an import that is over; what was imported stays. */
export async function forgetImport(id: string): Promise<void> {
  await request<void>("DELETE", importPath(id));
}

/** A table of every line and what became of it. */
export function reportPath(id: string): string {
  return `${importPath(id)}/report.csv`;
}

function importPath(id: string): string {
  return `/api/imports/${encodeURIComponent(id)}`;
}
