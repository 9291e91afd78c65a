import type { components } from "./schema";

// What the server sends and takes, under the names this app uses. The shapes are its own.

export type Schemas = components["schemas"];

export type User = Schemas["UserOut"];
export type Credentials = Schemas["LoginRequest"];
export type AuthConfig = Schemas["AuthConfigOut"];
export type UserSession = Schemas["UserSessionOut"];
export type ApiToken = Schemas["ApiTokenOut"];
export type CreatedToken = Schemas["NewApiToken"];
export type Library = Schemas["LibraryOut"];
export type MediaKind = Schemas["MediaKind"];
export type ReadingState = Schemas["ReadingState"];
export type Media = Schemas["MediaOut"];
/** An item in a list. */
export type ListedMedia = Schemas["MediaListItem"];
export type Tag = Schemas["TagOut"];

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
