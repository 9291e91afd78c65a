/** Whitespace and Unicode normalization, as the server sees them. */

const WIDE_SPACES = "\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";

/** Exactly the server's list; `\s` is another one. */
export function isWhitespace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0;
  return (
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  );
}

/** Below U+0300 everything is in NFC and joins nothing before it. */
const MAY_JOIN = "\\u0300-\\uffff";
const HAS_JOINING = new RegExp(`[${MAY_JOIN}]`);
const CLUSTER = new RegExp(
  `[\\t-\\r \\x85\\xa0${WIDE_SPACES}]` +
    `|[^${MAY_JOIN}]?(?:(?![${WIDE_SPACES}])[${MAY_JOIN}])+` +
    `|[^${MAY_JOIN}]`,
  "g",
);

/**
 * Characters younger than Unicode 14 that composing or reordering touches. The server may know
 * them or not, and wrote the text as it saw fit: it is left as it came.
 */
const TOO_YOUNG = new RegExp(
  "[\\u0897\\u1acf-\\u1aeb\\u{105c0}-\\u{105ff}\\u{10d69}-\\u{10d6d}\\u{10efa}-\\u{10eff}" +
    "\\u{11380}-\\u{113ff}\\u{11f41}\\u{11f42}\\u{16100}-\\u{1613f}\\u{16d40}-\\u{16d7f}\\u{1e08f}" +
    "\\u{1e4ec}-\\u{1e4ef}\\u{1e5ee}\\u{1e5ef}\\u{1e6e3}-\\u{1e6f5}]",
  "u",
);

/** Whether text has to be brought into NFC first; sanitized text never has to. */
export function needsNormalizing(text: string): boolean {
  return HAS_JOINING.test(text) && text.normalize("NFC") !== text && !TOO_YOUNG.test(text);
}

/** Whitespace characters, and other characters with all that may join them, in order. */
export function clustersOf(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(CLUSTER);
}
