// The shapes the server answers, field by field as it names them.

export interface User {
  id: string;
  email: string;
}

export type SignupMode = "open" | "closed";

export interface AuthConfig {
  signup: SignupMode;
  /** True while no account exists: the visitor makes the first one. */
  first_account: boolean;
}

export interface ApiToken {
  id: string;
  name: string;
  prefix: string;
  created_at: string;
  last_used_at: string | null;
}

export interface CreatedToken {
  token: ApiToken;
  /** The whole token; the server never tells it again. */
  secret: string;
}

export interface Library {
  id: string;
  name: string;
  is_default: boolean;
  role: "admin" | "member";
  owner_user_id: string;
  media_count: number;
  created_at: string;
  updated_at: string;
}

export type MediaKind = "web_article" | "pdf" | "epub" | "video" | "podcast_episode";

/** What a list row needs of a media answer. Unknown states and kinds must not break the page. */
export interface Media {
  id: string;
  kind: MediaKind | (string & {});
  title: string | null;
  requested_url: string | null;
  canonical_url: string | null;
  processing_status: string;
  last_error_message: string | null;
  created_at: string;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
