import { request } from "./client";
import type { Schemas } from "./types";

type Health = Schemas["HealthOut"];

/** What the server says of itself to everybody. */
export function fetchHealth(signal: AbortSignal): Promise<Health> {
  return request<Health>("GET", "/healthz", { signal });
}
