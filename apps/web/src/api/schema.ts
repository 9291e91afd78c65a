// Written by make api-types. Do not edit.

/** What the server accepts; lengths count code points. */
export const LIMITS = {
  "attempts": 3,
  "context_length": 64,
  "exported_by_id": 1000,
  "filename_length": 255,
  "import_bytes": 209715200,
  "name_length": 100,
  "note_length": 10000,
  "page_size": 100,
  "tags_per_item": 50,
  "template_length": 20000,
  "password_min_length": 10,
  "url_length": 2048,
  "files": {
    "pdf": {
      "name": "PDF",
      "extension": "pdf",
      "content_type": "application/pdf",
      "max_bytes": 104857600
    },
    "epub": {
      "name": "EPUB",
      "extension": "epub",
      "content_type": "application/epub+zip",
      "max_bytes": 52428800
    }
  }
} as const;

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AddMediaRequest: {
            /** Format: uuid */
            media_id: string;
        };
        AddedOut: {
            /** @description How many of the items were not in the library before. */
            added: number;
        };
        AnnotationOut: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            highlight_id: string;
            body: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AnnotationRequest: {
            body: string;
        };
        /** @description What to change in all of these items; whatever is not given stays as it is. */
        BulkMineRequest: {
            media_ids: string[];
            state?: components["schemas"]["ReadingState"] | null;
            archived?: boolean | null;
            favourite?: boolean | null;
            add_tags?: string[] | null;
            remove_tags?: string[] | null;
        };
        /** @description What a reader can do with an item. The web app checks this, never the raw status. */
        Capabilities: {
            can_read: boolean;
            can_highlight: boolean;
            can_quote: boolean;
            can_search: boolean;
            can_play: boolean;
            can_download_file: boolean;
        };
        /** @description One line of the table of contents, and the place where its part begins. */
        ContentsEntryOut: {
            label: string;
            /** Format: uuid */
            fragment_id: string;
            offset: number;
            children: components["schemas"]["ContentsEntryOut"][];
        };
        /** @description Highlights as text to paste elsewhere. */
        CopiedHighlights: {
            /** @description Or plain text, if that was asked for. */
            markdown: string;
            count: number;
        };
        /** @enum {string} */
        CopyFormat: "markdown" | "text";
        /**
         * @description The span in code points, and the text around it: the gate against drift.
         *
         *     Clients that send an id can safely repeat the request: it creates one highlight at most.
         */
        CreateHighlightRequest: {
            /** Format: uuid */
            id?: string;
            start_offset: number;
            end_offset: number;
            color: components["schemas"]["HighlightColor"];
            exact: string;
            prefix: string;
            suffix: string;
        };
        ErrorBody: {
            code: string;
            message: string;
            request_id: string | null;
        };
        ErrorEnvelope: {
            error: components["schemas"]["ErrorBody"];
        };
        /** @enum {string} */
        ExportFormat: "nexus" | "markdown" | "readwise" | "w3c" | "bookmarks";
        /** @description Without `media_ids`, everything the viewer can read. */
        ExportRequest: {
            format: components["schemas"]["ExportFormat"];
            media_ids?: string[] | null;
            template?: string | null;
        };
        /** @enum {string} */
        FailureStage: "upload" | "extract" | "transcribe" | "embed" | "other";
        FileUrlOut: {
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        FragmentInOutline: {
            /** Format: uuid */
            id: string;
            idx: number;
            label: string | null;
            /** @description Code points of the canonical text. */
            length: number;
        };
        FragmentList: {
            fragments: components["schemas"]["FragmentOut"][];
            next_cursor: string | null;
        };
        FragmentOut: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            media_id: string;
            idx: number;
            html_sanitized: string;
            canonical_text: string;
            /** Format: date-time */
            created_at: string;
            /** @description The images whose size is known. The list may grow; the text does not change. */
            images: components["schemas"]["ImageSizeOut"][];
        };
        FromUrlRequest: {
            url: string;
        };
        FromUrlResponse: {
            /** Format: uuid */
            media_id: string;
            duplicate: boolean;
            processing_status: string;
            ingest_enqueued: boolean;
        };
        HealthOut: {
            /** @default ok */
            status: string;
            /** @default 0.1.0 */
            version: string;
        };
        /** @enum {string} */
        HighlightColor: "yellow" | "green" | "blue" | "pink" | "purple";
        HighlightList: {
            highlights: components["schemas"]["HighlightOut"][];
            next_cursor: string | null;
        };
        HighlightOfMedia: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            fragment_id: string;
            start_offset: number;
            end_offset: number;
            color: components["schemas"]["HighlightColor"];
            exact: string;
            prefix: string;
            suffix: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            annotation: components["schemas"]["AnnotationOut"] | null;
            /** @description The page on which it begins; `null` where the document has no pages. */
            page: components["schemas"]["PageOfText"] | null;
            /** @description The page on which it ends, if that is another one. */
            end_page: components["schemas"]["PageOfText"] | null;
            /** Format: uuid */
            media_id: string;
            media_title: string;
            /** @description What the part of the document is called that it is in, where it has a name. */
            chapter: string | null;
        };
        HighlightOfMediaList: {
            highlights: components["schemas"]["HighlightOfMedia"][];
            next_cursor: string | null;
        };
        HighlightOut: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            fragment_id: string;
            start_offset: number;
            end_offset: number;
            color: components["schemas"]["HighlightColor"];
            exact: string;
            prefix: string;
            suffix: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            annotation: components["schemas"]["AnnotationOut"] | null;
            /** @description The page on which it begins; `null` where the document has no pages. */
            page: components["schemas"]["PageOfText"] | null;
            /** @description The page on which it ends, if that is another one. */
            end_page: components["schemas"]["PageOfText"] | null;
        };
        /** @description The viewer's libraries that hold an item. */
        HoldingLibraries: {
            library_ids: string[];
        };
        /** @description The size of an image in pixels, by the `src` it has in the text. */
        ImageSizeOut: {
            src: string;
            width: number;
            height: number;
        };
        ImportCounts: {
            items: number;
            highlights: number;
            /** @description Lines that are not taken, each with a reason in the report. */
            skipped: number;
            /** @description Items that are in the library, whether or not their page has been fetched yet. */
            items_done: number;
            /** @description Lines that could not be taken, and pages that could not be fetched. */
            items_failed: number;
            /** @description Of those done, how many pages wait to be fetched or are being fetched. */
            items_waiting: number;
            highlights_placed: number;
            /** @description Highlights whose text is not there yet. */
            highlights_waiting: number;
            highlights_not_found: number;
        };
        ImportList: {
            /** @description The newest first. */
            imports: components["schemas"]["ImportOut"][];
        };
        ImportOut: {
            /** Format: uuid */
            id: string;
            /** @description The name of the file. */
            name: string;
            format: string;
            /** @description What people call the format. */
            format_label: string;
            state: components["schemas"]["ImportState"];
            /** @description Whether lines are being taken in, or taken back after an undo. */
            unfinished: boolean;
            counts: components["schemas"]["ImportCounts"];
            /** @description The first items of the file. */
            samples: components["schemas"]["ImportSample"][];
            /** @description How many lines are skipped for each reason. */
            skipped_reasons: {
                [key: string]: number;
            };
            library_id: string | null;
            tags: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            finished_at: string | null;
        };
        ImportSample: {
            title: string | null;
            url: string | null;
            tags: string[];
            folders: string[];
            highlights: number;
        };
        /** @enum {string} */
        ImportState: "preview" | "running" | "stopped" | "done" | "undone";
        IngestOut: {
            /** Format: uuid */
            media_id: string;
            duplicate: boolean;
            processing_status: components["schemas"]["ProcessingStatus"];
            enqueued: boolean;
        };
        LibraryList: {
            libraries: components["schemas"]["LibraryOut"][];
            next_cursor: string | null;
        };
        LibraryMediaOut: {
            /** Format: uuid */
            library_id: string;
            /** Format: uuid */
            media_id: string;
        };
        LibraryNameRequest: {
            name: string;
        };
        LibraryOut: {
            /** Format: uuid */
            id: string;
            name: string;
            is_default: boolean;
            role: components["schemas"]["MembershipRole"];
            /** Format: uuid */
            owner_user_id: string;
            media_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        MeOut: {
            /** Format: uuid */
            id: string;
            email: string | null;
            /** Format: uuid */
            default_library_id: string;
            /** Format: date-time */
            created_at: string;
        };
        MediaFromUrlOut: {
            /** Format: uuid */
            media_id: string;
            created: boolean;
            enqueued: boolean;
        };
        /** @description The service checks both fields, because each has an error code of its own. */
        MediaFromUrlRequest: {
            kind: string;
            url: string;
        };
        MediaIdsRequest: {
            media_ids: string[];
        };
        /** @description In the order of the request, each item once. */
        MediaItems: {
            media: components["schemas"]["MediaOut"][];
        };
        /** @enum {string} */
        MediaKind: "web_article" | "epub" | "pdf" | "video" | "podcast_episode";
        MediaList: {
            media: components["schemas"]["MediaListItem"][];
            next_cursor: string | null;
        };
        MediaListItem: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["MediaKind"];
            title: string;
            requested_url: string | null;
            canonical_url: string | null;
            canonical_source_url: string | null;
            external_playback_url: string | null;
            provider: string | null;
            provider_id: string | null;
            processing_status: components["schemas"]["ProcessingStatus"];
            processing_attempts: number;
            failure_stage: components["schemas"]["FailureStage"] | null;
            last_error_code: string | null;
            last_error_message: string | null;
            processing_started_at: string | null;
            processing_completed_at: string | null;
            failed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            authors: string[];
            /** @description The site, or the publisher of a book. */
            site_name: string | null;
            /** @description An ISO 8601 date, as exact as the source has it, or a date and time. */
            published_at: string | null;
            language: string | null;
            excerpt: string | null;
            /** @description The path to show it from, like those of the images in the text. */
            lead_image_url: string | null;
            /** @description Words; in scripts that do not separate words, characters. */
            word_count: number | null;
            page_count: number | null;
            /**
             * Format: date-time
             * @description When the viewer got the item; every other date is no earlier.
             */
            saved_at: string;
            /** @description Whether the viewer has read it. This and what follows up to `tags` is the viewer's own. */
            state: components["schemas"]["ReadingState"];
            /** @description How much of the text the viewer has seen, from 0 to 1, whatever `state` says. */
            progress: number;
            archived: boolean;
            favourite: boolean;
            /** @description When the viewer last opened it. */
            opened_at: string | null;
            /** @description In alphabetical order. */
            tags: string[];
            /** @description Whether the viewer may retry the item, and a retry can help. */
            can_retry: boolean;
            capabilities: components["schemas"]["Capabilities"];
            /** @default false */
            duplicate: boolean;
            /** @description The viewer's own highlights on this item. */
            highlight_count: number;
        };
        MediaOut: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["MediaKind"];
            title: string;
            requested_url: string | null;
            canonical_url: string | null;
            canonical_source_url: string | null;
            external_playback_url: string | null;
            provider: string | null;
            provider_id: string | null;
            processing_status: components["schemas"]["ProcessingStatus"];
            processing_attempts: number;
            failure_stage: components["schemas"]["FailureStage"] | null;
            last_error_code: string | null;
            last_error_message: string | null;
            processing_started_at: string | null;
            processing_completed_at: string | null;
            failed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            authors: string[];
            /** @description The site, or the publisher of a book. */
            site_name: string | null;
            /** @description An ISO 8601 date, as exact as the source has it, or a date and time. */
            published_at: string | null;
            language: string | null;
            excerpt: string | null;
            /** @description The path to show it from, like those of the images in the text. */
            lead_image_url: string | null;
            /** @description Words; in scripts that do not separate words, characters. */
            word_count: number | null;
            page_count: number | null;
            /**
             * Format: date-time
             * @description When the viewer got the item; every other date is no earlier.
             */
            saved_at: string;
            /** @description Whether the viewer has read it. This and what follows up to `tags` is the viewer's own. */
            state: components["schemas"]["ReadingState"];
            /** @description How much of the text the viewer has seen, from 0 to 1, whatever `state` says. */
            progress: number;
            archived: boolean;
            favourite: boolean;
            /** @description When the viewer last opened it. */
            opened_at: string | null;
            /** @description In alphabetical order. */
            tags: string[];
            /** @description Whether the viewer may retry the item, and a retry can help. */
            can_retry: boolean;
            capabilities: components["schemas"]["Capabilities"];
            /** @default false */
            duplicate: boolean;
        };
        /** @enum {string} */
        MediaSort: "newest" | "oldest" | "opened" | "title" | "length";
        /** @enum {string} */
        MembershipRole: "admin" | "member";
        /** @description What to change; whatever is not given stays as it is. */
        MineRequest: {
            state?: components["schemas"]["ReadingState"] | null;
            archived?: boolean | null;
            favourite?: boolean | null;
            /** @description All tags of the item from now on. */
            tags?: string[] | null;
        };
        /** @description All that is on the screen when an item opens. What does not apply to it is `null`. */
        OpeningOut: {
            media: components["schemas"]["MediaOut"];
            /** @description The part one reads: of a book the one with the viewer's place, else the first of its text. */
            fragment: components["schemas"]["FragmentOut"] | null;
            /** @description Of books and PDFs. */
            outline: components["schemas"]["OutlineOut"] | null;
            /** @description Of PDFs. */
            file: components["schemas"]["FileUrlOut"] | null;
            /** @description The viewer's own, with their notes, in reading order. */
            highlights: components["schemas"]["HighlightOut"][];
            position: components["schemas"]["PositionOut"] | null;
            preferences: components["schemas"]["PreferencesOut"] | null;
        };
        /** @description Whether work that waited for the commit was done. */
        Outcome: {
            /** @default false */
            done?: boolean;
        };
        /** @description The parts of an item without their text. Lists are empty where they do not apply. */
        OutlineOut: {
            fragments: components["schemas"]["FragmentInOutline"][];
            contents: components["schemas"]["ContentsEntryOut"][];
            pages: components["schemas"]["PageOut"][];
            start: components["schemas"]["StartOut"] | null;
            /** @description Made for pages whose layout is not kept: only its text and pictures are shown. */
            fixed_layout: boolean;
        };
        /** @description A page of a paged document. */
        PageOfText: {
            /** @description Counted from 1. */
            number: number;
            /** @description What the document calls it, for example "xii"; the number, if it has no name of its own. */
            label: string;
        };
        /** @description Where a page of a paged document begins; in a scan there is no text for it to begin in. */
        PageOut: {
            number: number;
            label: string;
            fragment_id: string | null;
            offset: number;
        };
        /** @description The span that the person chose. */
        PlaceHighlightRequest: {
            /** Format: uuid */
            id?: string;
            start_offset: number;
            end_offset: number;
            color: components["schemas"]["HighlightColor"];
            exact: string;
            prefix: string;
            suffix: string;
            /** Format: uuid */
            fragment_id: string;
        };
        PositionOut: {
            /** Format: uuid */
            fragment_id: string;
            offset: number;
            /** Format: date-time */
            changed_at: string;
        };
        PositionRequest: {
            /** Format: uuid */
            fragment_id: string;
            offset: number;
            /** @description Where the last text on the screen ends, if that is in the same fragment. */
            seen_to?: number | null;
            /** Format: date-time */
            changed_at: string;
        };
        PreferencesOut: {
            theme: components["schemas"]["Theme"];
            font: components["schemas"]["ReadingFont"];
            width: components["schemas"]["ReadingWidth"];
            size: number;
            highlight_code: boolean;
            /** Format: date-time */
            changed_at: string;
        };
        /** @description All preferences together, and when the person chose them by their device's clock. */
        PreferencesRequest: {
            theme: components["schemas"]["Theme"];
            font: components["schemas"]["ReadingFont"];
            width: components["schemas"]["ReadingWidth"];
            size: number;
            /** @default false */
            highlight_code?: boolean;
            /** Format: date-time */
            changed_at: string;
        };
        /** @enum {string} */
        ProcessingStatus: "pending" | "extracting" | "ready_for_reading" | "embedding" | "ready" | "failed";
        /** @enum {string} */
        ReadingFont: "serif" | "sans";
        /** @enum {string} */
        ReadingState: "unread" | "reading" | "finished";
        /** @enum {string} */
        ReadingWidth: "narrow" | "medium" | "wide";
        RetryOut: {
            /** Format: uuid */
            media_id: string;
            enqueued: boolean;
        };
        SearchResult: {
            /** @enum {string} */
            type: "item" | "passage" | "highlight" | "note";
            media: components["schemas"]["MediaListItem"];
            /** @description Null for an item found by its title, author, site or tags. */
            fragment_id: string | null;
            start_offset: number | null;
            /** @description Where in the fragment, in code points. */
            end_offset: number | null;
            /** @description Of a highlight, or of the highlight that a note belongs to. */
            highlight_id: string | null;
            snippet: components["schemas"]["SnippetOut"];
        };
        SearchResults: {
            /** @description The best first. */
            results: components["schemas"]["SearchResult"][];
            next_cursor: string | null;
        };
        SnippetOut: {
            text: string;
            /** @description Half-open ranges of the text, in code points. */
            hits: [
                number,
                number
            ][];
        };
        /** @description Where the items go, beside the default library and the folders of the file. */
        StartImportRequest: {
            library_id?: string | null;
            tags?: string[];
        };
        /** @description Where a book's own text begins, behind its cover and copyright page. */
        StartOut: {
            /** Format: uuid */
            fragment_id: string;
            offset: number;
        };
        TagList: {
            tags: components["schemas"]["TagOut"][];
        };
        TagNameRequest: {
            name: string;
        };
        TagOut: {
            name: string;
            /** @description How many items that the viewer can read have it. */
            count: number;
        };
        /** @description The template by which Markdown is written unless another one is given. */
        TemplateOut: {
            template: string;
        };
        /** @enum {string} */
        Theme: "system" | "light" | "dark" | "sepia";
        UnplacedList: {
            unplaced: components["schemas"]["UnplacedOut"][];
        };
        UnplacedOut: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            media_id: string;
            /** @description Empty for a note on the item as a whole. */
            quote: string;
            prefix: string;
            suffix: string;
            note: string | null;
            color: components["schemas"]["HighlightColor"] | null;
            page: string | null;
            /**
             * @description `waiting`: the text is not there yet, or was not searched yet.
             * @enum {string}
             */
            state: "waiting" | "not_found";
            /** Format: date-time */
            created_at: string;
        };
        /** @description Fields left out stay as they are; none of them can be `null`. */
        UpdateHighlightRequest: {
            /** @default 0 */
            start_offset?: number;
            /** @default 0 */
            end_offset?: number;
            /** @default yellow */
            color?: components["schemas"]["HighlightColor"];
            /** @default  */
            exact?: string;
            /** @default  */
            prefix?: string;
            /** @default  */
            suffix?: string;
        };
        UploadInitRequest: {
            filename: string;
            content_type: string;
            size_bytes: number;
            kind: string;
        };
        /** @description What is about to be uploaded. */
        UploadRequest: {
            filename: string;
            content_type: string;
            size_bytes: number;
        };
        /** @description Where and how to PUT the bytes. */
        UploadTarget: {
            /** Format: uuid */
            media_id: string;
            storage_path: string;
            upload_url: string;
            upload_headers: {
                [key: string]: string;
            };
            /** Format: date-time */
            expires_at: string;
        };
        ApiTokenList: {
            tokens: components["schemas"]["ApiTokenOut"][];
        };
        ApiTokenOut: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
        };
        AuthConfigOut: {
            /** @enum {string} */
            signup: "open" | "closed";
            first_account: boolean;
        };
        ChangePasswordRequest: {
            old_password: string;
            new_password: string;
        };
        LoginRequest: {
            email: string;
            password: string;
        };
        NewApiToken: {
            token: components["schemas"]["ApiTokenOut"];
            secret: string;
        };
        NewApiTokenRequest: {
            name: string;
        };
        SessionOut: {
            user: components["schemas"]["UserOut"];
        };
        SignUpRequest: {
            email: string;
            password: string;
        };
        UserOut: {
            /** Format: uuid */
            id: string;
            email: string;
        };
        UserSessionList: {
            sessions: components["schemas"]["UserSessionOut"][];
        };
        /** @description A browser the person is signed in with. */
        UserSessionOut: {
            /** Format: uuid */
            id: string;
            device: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_seen_at: string;
            current: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
