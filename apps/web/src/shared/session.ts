import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { fetchSessionUser } from "../api/auth";
import { isSessionEnd } from "../api/errors";
import type { User } from "../api/types";

/** Who is signed in. Without anyone, `ended` tells how that came about, if it did on this page. */
export type Session = { user: User; ended?: never } | { user: null; ended?: SessionEnd };

export type SessionEnd = "expired" | "signed-out";

const key = ["session"] as const;

/** The session as the server sees it; looked at again whenever the window gets focus. */
export function sessionQuery(client: QueryClient) {
  return queryOptions({
    queryKey: key,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Session> => {
      try {
        return { user: await fetchSessionUser(signal) };
      } catch (error) {
        if (!isSessionEnd(error)) throw error;
        return withoutUser(client.getQueryData<Session>(key));
      }
    },
  });
}

function withoutUser(before: Session | undefined): Session {
  if (!before) return { user: null };
  return before.user ? { user: null, ended: "expired" } : before;
}

/** Starts a session: nothing of an earlier person's data may remain. */
export function beginSession(client: QueryClient, user: User): void {
  forgetData(client);
  client.setQueryData<Session>(key, { user });
}

/** The person signed out: forget what was loaded. */
export function endSession(client: QueryClient): void {
  client.setQueryData<Session>(key, { user: null, ended: "signed-out" });
  forgetData(client);
}

/** The server no longer knows the session. */
export function expireSession(client: QueryClient): void {
  client.setQueryData<Session>(key, withoutUser);
}

function forgetData(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== key[0] });
}

const UserContext = createContext<User | null>(null);

/** Tells the views below who is signed in. */
export const UserProvider = UserContext.Provider;

/** The signed-in person; only for views inside UserProvider. */
export function useUser(): User {
  const user = useContext(UserContext);
  if (!user) throw new Error("useUser needs a UserProvider above it");
  return user;
}
