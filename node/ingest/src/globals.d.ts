/** In scope where the files of in-page run. */
declare const Readability: typeof import("@mozilla/readability").Readability;
