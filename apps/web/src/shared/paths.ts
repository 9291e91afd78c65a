// The addresses of the app. Anything under /api, /auth and /storage belongs to the server.

export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  settings: "/settings",
  highlights: "/highlights",
  /** An article, at a highlight when one is named. */
  read: (id: string, highlightId?: string) =>
    `/read/${encodeURIComponent(id)}${highlightId ? `#h=${highlightId}` : ""}`,
  item: (id: string) => `/item/${encodeURIComponent(id)}`,
  library: (id: string) => `/library/${encodeURIComponent(id)}`,
} as const;
