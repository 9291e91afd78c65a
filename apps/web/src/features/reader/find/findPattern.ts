/**
 * What a query looks for: the same letters whatever their case and accents, with ligatures as
 * letters, with or without a hyphen inside a word, and any white space for a space. It becomes a
 * pattern for the text as it is, so that a match needs no way back to the text's own offsets.
 */

// Where letters have accents, or are written in several ways. Kana and Hangul are not among them:
// there a mark makes another letter.
const FOLDED_RANGES = [
  [0xa0, 0x24ff],
  [0xa640, 0xa7ff],
  [0xfb00, 0xfb06],
  [0xfe50, 0xff64],
  [0x1d400, 0x1d7ff],
] as const;

// What Unicode does not take apart.
const ALSO = { ø: "o", đ: "d", ł: "l", ħ: "h", æ: "ae", œ: "oe", "’": "'", "‘": "'" };
const QUOTES = { "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‚": "'" };

const MARKS =
  "\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u0610-\\u061a\\u064b-\\u065f" +
  "\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f";
const UNSEEN = "\\u00ad\\u200b-\\u200f\\u2060\\ufeff";
const DASHES = "\\-\\u00ad\\u2010-\\u2015\\u2212";

const BETWEEN = `[${MARKS}${UNSEEN}]*`;
// A word that is cut at the end of a page has a space behind its hyphen.
const BETWEEN_LETTERS = `${BETWEEN}(?:[${DASHES}]\\s?${BETWEEN})?`;

const DROPPED = new RegExp(`[${MARKS}${UNSEEN}]`, "gu");
const DASH = new RegExp(`[${DASHES}]`, "u");
const DASH_IN_WORD = new RegExp(`(?<=\\p{L})[${DASHES}]+(?=\\p{L})`, "gu");
const DASH_AT_EDGE = new RegExp(`^[${DASHES}]+(?=[^\\s${DASHES}])|(?<=\\p{L})[${DASHES}]+$`, "gu");
const LETTER = /\p{L}/u;

/** How else letters are written: one for one, and one for several. */
interface Folds {
  readonly of: ReadonlyMap<string, string>;
  readonly alike: ReadonlyMap<string, readonly string[]>;
  readonly joined: readonly (readonly [joined: string, letters: readonly string[]])[];
}

let known: Folds | undefined;

/** The pattern of a query; null for one that looks for nothing. */
export function findPattern(query: string): RegExp | null {
  known ??= collectFolds();
  const letters = foldQuery(query, known);
  if (letters.length === 0) return null;
  const parts = letters.map((letter, index) => {
    const next = letters[index + 1];
    return pattern(letters, index, known as Folds) + between(letter, next);
  });
  return new RegExp(parts.join(""), "giu");
}

function foldQuery(query: string, folds: Folds): readonly string[] {
  const plain = query.normalize("NFC").replace(DROPPED, "").trim().replace(/\s+/gu, " ");
  const folded = [...plain].map((char) => folds.of.get(char) ?? char.toLowerCase()).join("");
  return [...folded.replace(DASH_IN_WORD, "").replace(DASH_AT_EDGE, "")];
}

function between(letter: string, next: string | undefined): string {
  if (letter === " ") return "";
  if (next === undefined || next === " ") return `[${MARKS}]*`;
  return LETTER.test(letter) && LETTER.test(next) ? BETWEEN_LETTERS : BETWEEN;
}

function pattern(letters: readonly string[], index: number, folds: Folds): string {
  const letter = letters[index] ?? "";
  if (letter === " ") return "\\s+";
  if (DASH.test(letter)) return `[${DASHES}]`;
  const begun = folds.joined.filter(([, parts]) => stands(parts, letters, index));
  // A query may begin inside of a ligature.
  const inside = index > 0 ? [] : folds.joined.filter(([, parts]) => endsWithStart(parts, letters));
  const chars = [letter, ...(folds.alike.get(letter) ?? [])];
  const one = `[${[...chars, ...[...begun, ...inside].map(([char]) => char)].map(escaped).join("")}]`;
  const past = folds.joined.filter(([, parts]) =>
    parts.some((_, back) => back > 0 && stands(parts, letters, index - back)),
  );
  if (index === 0 || past.length === 0) return one;
  return `(?:${one}|(?<=[${past.map(([char]) => escaped(char)).join("")}]))`;
}

/** Whether the query has these letters at a place, as far as it goes on there. */
function stands(parts: readonly string[], letters: readonly string[], at: number): boolean {
  if (at < 0) return false;
  return parts.every((part, i) => at + i >= letters.length || letters[at + i] === part);
}

function endsWithStart(parts: readonly string[], letters: readonly string[]): boolean {
  return parts.some((_, cut) => cut > 0 && stands(parts.slice(cut), letters, 0));
}

function escaped(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

function collectFolds(): Folds {
  const of = new Map<string, string>();
  for (const [from, to] of FOLDED_RANGES) {
    for (let code = from; code <= to; code += 1) {
      const char = String.fromCodePoint(code);
      const folded = char.normalize("NFKD").replace(DROPPED, "").toUpperCase().toLowerCase();
      if (folded !== char && folded !== "" && !/\s/u.test(folded)) of.set(char, folded);
    }
  }
  for (const [char, folded] of Object.entries({ ...ALSO, ...QUOTES })) {
    of.set(char, folded);
    of.set(char.toUpperCase(), folded);
  }
  const alike = new Map<string, string[]>();
  const joined: [string, string[]][] = [];
  for (const [char, folded] of of) {
    const letters = [...folded];
    if (letters.length > 1) joined.push([char, letters]);
    else alike.set(folded, [...(alike.get(folded) ?? []), char]);
  }
  return { of, alike, joined };
}
