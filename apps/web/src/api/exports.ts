import { readError, request } from "./client";
import { reportReachable } from "./connection";
import { clientError } from "./errors";
import type { Schemas } from "./types";

/** What a file is written for, in the words of the API. */
export type ExportFormat = Schemas["ExportFormat"];
export type ExportRequest = Schemas["ExportRequest"];

/** Asks for a file; its bytes come as they are written. */
export async function requestExport(body: ExportRequest, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch("/api/exports", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      credentials: "same-origin",
      body: JSON.stringify(body),
      signal,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    reportReachable(false);
    throw clientError("E_NETWORK", { cause });
  }
  reportReachable(true);
  if (!response.ok) throw await readError(response);
  return response;
}

/** How Markdown is written unless told otherwise. */
export async function fetchDefaultTemplate(signal: AbortSignal): Promise<string> {
  return (await request<Schemas["TemplateOut"]>("GET", "/api/exports/template", { signal }))
    .template;
}
