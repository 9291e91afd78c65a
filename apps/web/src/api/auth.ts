import { request } from "./client";
import type { AuthConfig, Credentials, Schemas, User } from "./types";

type Session = Schemas["SessionOut"];

/** Creates an account and signs in with it. */
export async function signUp(credentials: Credentials): Promise<User> {
  return (await request<Session>("POST", "/auth/signup", { body: credentials })).user;
}

/** Signs in. */
export async function signIn(credentials: Credentials): Promise<User> {
  return (await request<Session>("POST", "/auth/login", { body: credentials })).user;
}

/** Ends the session on the server. */
export async function signOut(): Promise<void> {
  await request<void>("POST", "/auth/logout");
}

/** Returns who is signed in; a 401 when nobody is. */
export async function fetchSessionUser(signal?: AbortSignal): Promise<User> {
  return (await request<Session>("GET", "/auth/session", signal ? { signal } : {})).user;
}

/** Returns whether people may sign up, and whether anyone has yet. */
export function fetchAuthConfig(signal?: AbortSignal): Promise<AuthConfig> {
  return request<AuthConfig>("GET", "/auth/config", signal ? { signal } : {});
}
