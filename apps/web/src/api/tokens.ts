import { request } from "./client";
import type { ApiToken, CreatedToken, Schemas } from "./types";

/** The person's API tokens, without their secrets. */
export async function fetchTokens(signal?: AbortSignal): Promise<ApiToken[]> {
  const options = signal ? { signal } : {};
  return (await request<Schemas["ApiTokenList"]>("GET", "/auth/tokens", options)).tokens;
}

/** Creates a token; its secret is in this answer and nowhere else. */
export function createToken(name: string): Promise<CreatedToken> {
  return request<CreatedToken>("POST", "/auth/tokens", { body: { name } });
}

/** Revokes a token at once. */
export async function revokeToken(id: string): Promise<void> {
  await request<void>("DELETE", `/auth/tokens/${encodeURIComponent(id)}`);
}
