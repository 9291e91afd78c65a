import { request } from "./client";
import type { Schemas, UserSession } from "./types";

/** Where the person is signed in, the last used first. */
export async function fetchSessions(signal?: AbortSignal): Promise<UserSession[]> {
  const options = signal ? { signal } : {};
  return (await request<Schemas["UserSessionList"]>("GET", "/auth/sessions", options)).sessions;
}

/** Signs out one other browser. */
export async function endSession(id: string): Promise<void> {
  await request<void>("DELETE", `/auth/sessions/${encodeURIComponent(id)}`);
}

/** Signs out every browser but this one. */
export async function endOtherSessions(): Promise<void> {
  await request<void>("DELETE", "/auth/sessions");
}

/** Changes the password; every other browser is signed out. */
export async function changePassword(oldPassword: string, newPassword: string): Promise<void> {
  const body: Schemas["ChangePasswordRequest"] = {
    old_password: oldPassword,
    new_password: newPassword,
  };
  await request<void>("POST", "/auth/password", { body });
}
