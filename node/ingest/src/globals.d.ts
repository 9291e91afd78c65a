/** In scope where in-page.js runs. */
declare const Readability: typeof import("@mozilla/readability").Readability;
