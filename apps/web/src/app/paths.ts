// The addresses of the app. Anything under /api, /auth and /storage belongs to the server.

export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  settings: "/settings",
  library: (id: string) => `/library/${encodeURIComponent(id)}`,
} as const;
