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

/** What a view of one item needs beyond a list row. */
export interface MediaDetail extends Media {
  canonical_source_url: string | null;
  external_playback_url: string | null;
  processing_attempts: number;
  last_error_code: string | null;
  capabilities: { can_read: boolean; can_highlight: boolean };
  /** True when the id asked for was merged into this item. */
  duplicate: boolean;
}

export interface Fragment {
  id: string;
  media_id: string;
  html_sanitized: string;
  canonical_text: string;
}

export interface Annotation {
  id: string;
  body: string;
  updated_at: string;
}

/** A passage in code points of the canonical text, with the text that must be there. */
export interface HighlightSpan {
  start_offset: number;
  end_offset: number;
  exact: string;
  prefix: string;
  suffix: string;
}

export interface Highlight extends HighlightSpan {
  id: string;
  fragment_id: string;
  color: string;
  created_at: string;
  updated_at: string;
  annotation: Annotation | null;
}

export interface HighlightOfMedia extends Highlight {
  media_id: string;
  media_title: string;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
