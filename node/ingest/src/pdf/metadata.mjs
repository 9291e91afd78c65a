/** What a PDF declares about itself, in its info dictionary and in XMP, as plain values. */

const MOST = 4_000;
const PDF_DATE = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?)?/;

/** @import { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs" */

/** @param {PDFDocumentProxy} document */
export async function readMetadata(document) {
  const { info, metadata } = await document.getMetadata();
  const declared = /** @type {Record<string, unknown>} */ (info);
  /** @param {string[]} names */
  const xmp = (...names) => names.map((name) => metadata?.get(name)).find(hasText) ?? null;
  return {
    title: firstText(xmp("dc:title"), declared.Title),
    authors: authorsOf(xmp("dc:creator"), declared.Author),
    publisher: firstText(xmp("prism:publicationname", "dc:publisher")),
    date: isoDate(
      firstText(
        xmp("prism:publicationdate", "prism:coverdate", "dc:date", "xmp:createdate"),
        declared.CreationDate,
      ),
    ),
    language: firstText(declared.Language, xmp("dc:language")),
  };
}

/** @param {unknown} value */
function hasText(value) {
  return textsOf(value).length > 0;
}

/**
 * @param {unknown} value
 * @returns {string[]}
 */
function textsOf(value) {
  const all = Array.isArray(value) ? value : [value];
  return all
    .filter((each) => typeof each === "string" && each.trim())
    .map((each) => each.trim().slice(0, MOST));
}

/** @param {unknown[]} values */
const firstText = (...values) => values.flatMap(textsOf)[0] ?? null;

/**
 * A list is one already. One string may name several: with semicolons, or with commas where each
 * part is a whole name, not a surname before its given name.
 * @param {unknown} list
 * @param {unknown} author
 */
function authorsOf(list, author) {
  const names = Array.isArray(list) ? textsOf(list) : [];
  if (names.length > 1) return names;
  const line = firstText(list, author) ?? "";
  const parts = line.split(/\s*;\s*|\s+(?:and|&)\s+/);
  const byComma = parts.flatMap((part) => part.split(/\s*,\s*(?:and\s+)?/)).filter(Boolean);
  const areNames = byComma.every((part) => /\S\s+\S/.test(part));
  return (areNames ? byComma : parts).filter(Boolean);
}

/** @param {string | null} text */
function isoDate(text) {
  const match = PDF_DATE.exec(text ?? "");
  if (!match) return text;
  const [, year, month, day, hour, minute, second, sign, zoneHour, zoneMinute] = match;
  const date = [year, month, day].filter(Boolean).join("-");
  const isExact = day && minute && (sign || /Z/.test(match[0]));
  if (!isExact) return date;
  const zone = sign ? `${sign}${zoneHour}:${zoneMinute ?? "00"}` : "Z";
  return `${date}T${hour}:${minute}:${second ?? "00"}${zone}`;
}
