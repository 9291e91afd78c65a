// The addresses of the app. Anything under /api, /auth and /storage belongs to the server.

export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  settings: "/settings",
  item: (id: string) => `/item/${encodeURIComponent(id)}`,
  read: (id: string) => `/read/${encodeURIComponent(id)}`,
  library: (id: string) => `/library/${encodeURIComponent(id)}`,
} as const;
