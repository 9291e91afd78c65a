import { request } from "./client";

interface Health {
  version: string;
}

/** What the server says of itself to everybody. */
export function fetchHealth(signal: AbortSignal): Promise<Health> {
  return request<Health>("GET", "/healthz", { signal });
}
