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

/** A browser the person is signed in with. */
export interface UserSession {
  id: string;
  device: string;
  created_at: string;
  last_seen_at: string;
  /** This very browser. */
  current: boolean;
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

/** What can be done with an item. The interface asks this, never the raw status. */
export interface Capabilities {
  can_read: boolean;
  can_highlight: boolean;
  can_quote: boolean;
  can_search: boolean;
  can_play: boolean;
  can_download_file: boolean;
}

/** One saved item. Unknown states and kinds must not break the page. */
export interface Media {
  id: string;
  kind: MediaKind | (string & {});
  title: string | null;
  requested_url: string | null;
  canonical_url: string | null;
  canonical_source_url: string | null;
  external_playback_url: string | null;
  provider: string | null;
  provider_id: string | null;
  processing_status: string;
  processing_attempts: number;
  failure_stage: string | null;
  last_error_code: string | null;
  last_error_message: string | null;
  processing_started_at: string | null;
  processing_completed_at: string | null;
  failed_at: string | null;
  created_at: string;
  updated_at: string;
  /** When this person saved it. */
  saved_at: string;
  /** Whether this person may retry it, and that can help. */
  can_retry: boolean;
  capabilities: Capabilities;
  /** The id asked for was merged into this item. */
  duplicate: boolean;
}

/** An item in a list. */
export interface ListedMedia extends Media {
  /** The reader's own highlights on it. */
  highlight_count: number;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
