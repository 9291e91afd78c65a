import type { ListedMedia } from "./api/types";

const NOTHING = {
  can_read: false,
  can_highlight: false,
  can_quote: false,
  can_search: false,
  can_play: false,
  can_download_file: false,
};

type Change = Partial<Omit<ListedMedia, "capabilities">> & {
  capabilities?: Partial<ListedMedia["capabilities"]>;
};

/** An item for tests: a page that waits, unless told otherwise. */
export function testMedia({ capabilities, ...more }: Change = {}): ListedMedia {
  return {
    id: "m1",
    kind: "web_article",
    title: "",
    requested_url: null,
    canonical_url: null,
    canonical_source_url: null,
    external_playback_url: null,
    provider: null,
    provider_id: null,
    processing_status: "pending",
    processing_attempts: 0,
    failure_stage: null,
    last_error_code: null,
    last_error_message: null,
    processing_started_at: null,
    processing_completed_at: null,
    failed_at: null,
    created_at: "2026-11-01T00:00:00Z",
    updated_at: "2026-11-01T00:00:00Z",
    saved_at: "2026-11-01T00:00:00Z",
    state: "unread",
    progress: 0,
    archived: false,
    favourite: false,
    opened_at: null,
    tags: [],
    authors: [],
    site_name: null,
    published_at: null,
    language: null,
    excerpt: null,
    lead_image_url: null,
    word_count: null,
    page_count: null,
    can_retry: false,
    duplicate: false,
    highlight_count: 0,
    ...more,
    capabilities: { ...NOTHING, ...capabilities },
  };
}

/** A page that can be read. */
export function readyMedia(more: Change = {}): ListedMedia {
  return testMedia({
    processing_status: "ready_for_reading",
    capabilities: { can_read: true, can_highlight: true, can_quote: true, can_search: true },
    ...more,
  });
}
