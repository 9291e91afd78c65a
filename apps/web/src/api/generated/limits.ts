// Written by scripts/generate-api-types. Do not edit.

export const LIMITS = {
  "attempts": 3,
  "context_length": 64,
  "filename_length": 255,
  "name_length": 100,
  "note_length": 10000,
  "page_size": 100,
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
