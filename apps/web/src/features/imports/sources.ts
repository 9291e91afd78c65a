/** Another app whose files can be imported, and how to get the file from it. */
export interface Source {
  name: string;
  /** What is in the file. */
  brings: string;
  /** How to get it. */
  how: string;
}

/** What can be imported, the most common first. */
export const SOURCES: readonly Source[] = [
  {
    name: "Browser bookmarks",
    brings: "Addresses, folders, tags",
    how: "In your browser, open the bookmark manager and choose Export bookmarks (an .html file).",
  },
  {
    name: "Pocket",
    brings: "Pages, tags, archive, highlights",
    how: "Use the .zip you received when Pocket closed, or the older ril_export.html. Do not unpack it.",
  },
  {
    name: "Instapaper",
    brings: "Pages, folders, tags, archive",
    how: "On instapaper.com, open Settings and choose Download .CSV file.",
  },
  {
    name: "Readwise",
    brings: "Highlights, notes, tags, colours",
    how: "On readwise.io/export, choose CSV. Books without an address are matched by title and author.",
  },
  {
    name: "Readwise Reader",
    brings: "Pages, tags, archive, progress",
    how: "In Reader, open Account settings and choose Export library (a .csv file).",
  },
  {
    name: "Omnivore",
    brings: "Pages, labels, archive, highlights, notes",
    how: "Use the .zip that Omnivore sent you by e-mail. Do not unpack it.",
  },
  {
    name: "Raindrop.io",
    brings: "Pages, collections, tags, favourites, highlights",
    how: "In Raindrop, open Settings, Backups, and download the backup as CSV.",
  },
  {
    name: "Kindle",
    brings: "Highlights and notes of books",
    how: "Connect the Kindle by USB and take documents/My Clippings.txt.",
  },
  {
    name: "Hypothesis",
    brings: "Highlights, notes, tags",
    how: "In the Hypothesis sidebar, choose Share, then Export, and JSON as the format.",
  },
  {
    name: "wallabag",
    brings: "Pages, tags, archive, stars, highlights",
    how: "In wallabag, open All entries, choose Export, and JSON as the format.",
  },
  {
    name: "Karakeep",
    brings: "Pages, lists, tags, archive, notes",
    how: "In Karakeep, open Settings, Import / Export, and choose Export (a .json file).",
  },
  {
    name: "Linkwarden",
    brings: "Pages, collections, tags, pins",
    how: "In Linkwarden, open Settings, Account, and choose Export data (a .json file).",
  },
  {
    name: "Matter",
    brings: "Pages, tags, favourites, highlights",
    how: "In Matter, open Settings, Account, and choose Export data. Use the .zip from the e-mail as it is.",
  },
  {
    name: "Pinboard",
    brings: "Pages, tags, descriptions, unread marks",
    how: "On pinboard.in/settings/backup, choose JSON.",
  },
  {
    name: "Web Annotations",
    brings: "Highlights, notes, tags",
    how: "Any annotation tool that writes the W3C standard (a .json or .jsonld file).",
  },
  {
    name: "Nexus",
    brings: "Everything, as it was",
    how: "In the other Nexus, open Settings, Export, and choose Nexus archive (a .zip file).",
  },
];

/** "Pocket, Kindle and Nexus": the names in a sentence. */
export function sourceNames(): string {
  const names = SOURCES.map(({ name }) => name);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
