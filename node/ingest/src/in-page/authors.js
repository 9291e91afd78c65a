/** Names of people, from what pages declare and from lines such as "By Jane Doe | 3 May 2024". */

const MOST_AUTHORS = 20;
const BY =
  /^(by|written by|words by|story by|posted by|text|author|authors|von|par|por|di|da|door|av|af|od|от|автор)\s*:?\s+/i;
const NOT_A_NAME =
  /^(null|none|undefined|unknown|n\/a|admin|administrator|webmaster|author|guest|user|root)$|^(view|about|read|follow|all posts|see all|more from|more by) |https?:|www\.|\//i;
const ROLE =
  /\b(writer|editor|reporter|correspondent|staff|contributor|columnist|journalist|photograph\w*|producer|analyst|editorial|desk|team|special to|in [A-Z])/i;
const REST =
  /\s*([|\u2022\u00b7\u2014\n\t]|\s[-\u2013]\s|\bon\s+\w+\s+\d|\bat\s+\d|\b(published|updated|posted|last modified|follow)\b|\d).*$/isu;
const LETTER = /\p{L}/u;

/**
 * The first list with a person in it; a site as its own author counts only where nobody else is named.
 * @param {string[][]} sources The surest first.
 * @param {string | null} site
 */
export function chooseAuthors(sources, site) {
  const lists = sources.map((names) => distinct(names.map(cleanName).filter(isName)));
  const own = site?.toLowerCase();
  const people = lists.find((names) => names.some((name) => name.toLowerCase() !== own));
  return (people ?? lists.find((names) => names.length > 0) ?? []).slice(0, MOST_AUTHORS);
}

/** @param {string} name */
function cleanName(name) {
  // As in feeds: "jane@site.example (Jane Doe)".
  const mailed = /^\S+@\S+ \((.+)\)$/.exec(name);
  return (mailed?.[1] ?? name)
    .replace(/\s+/g, " ")
    .trim()
    .replace(BY, "")
    .replace(/[\s,;:|]+$/, "");
}

/** @param {string} name */
function isName(name) {
  return (
    name.length > 1 &&
    name.length <= 100 &&
    LETTER.test(name) &&
    !NOT_A_NAME.test(name) &&
    !name.includes("@")
  );
}

/** @param {string[]} names */
function distinct(names) {
  const byName = new Map(names.map((name) => [name.toLowerCase(), name]));
  return Array.from(byName.values());
}

/**
 * "A, B and C" as three names, where all of them look like names; else as it is.
 * @param {string} text
 */
export function splitNames(text) {
  const parts = text.split(/\s*(?:,|;|\n| and | & | und | et | y )\s*/).filter(Boolean);
  if (parts.length < 2) return [text];
  const all = parts.every(
    (part) => /^\S+( \S+){1,3}$/.test(part) && isName(part) && !ROLE.test(part),
  );
  return all ? parts : text.includes(";") ? text.split(/\s*;\s*/) : [text];
}

/**
 * "Doe, Jane", as libraries write it, in the order people do.
 * @param {string} name
 */
export function flipName(name) {
  const parts = name.split(/\s*,\s*/);
  return parts.length === 2 && !/^(jr|sr|i+|ph\.?d|m\.?d)\.?$/i.test(parts[1])
    ? `${parts[1]} ${parts[0]}`
    : name;
}

/**
 * The names in a line that people see above an article.
 * @param {string | null | undefined} byline
 */
export function namesOfByline(byline) {
  const line = (byline ?? "").slice(0, 300).trim().replace(BY, "").replace(REST, "").trim();
  return splitNames(line)
    .flatMap((part) => part.split(/\s*,\s*/))
    .filter((part) => part && !ROLE.test(part) && part.split(" ").length <= 5);
}
