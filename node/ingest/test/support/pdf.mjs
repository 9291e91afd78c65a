/** Small PDFs, and the program that reads them. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../pdf.mjs", import.meta.url));

const FONT = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";

/** One page for each list of lines. */
export function pdfOf(...pages) {
  const kids = pages.map((_, index) => `${3 + 2 * index} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${4 + 2 * index} 0 R` +
        ` /Resources << ${FONT} >> >>`,
      stream(`BT /F1 12 Tf 72 700 Td ${lines.map((line) => `(${line}) Tj 0 -20 Td`).join(" ")} ET`),
    ]),
  ];
  return fileOf(objects);
}

/** A page that draws something which draws the next thing a dozen times, and so on. */
export function endlessPdf(depth = 12) {
  const form = "/Type /XObject /Subtype /Form /BBox [0 0 9 9]";
  const next = (number) => `/Resources << /XObject << /X ${number} 0 R >> >>`;
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R";
  return fileOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `${page} ${next(5)} >>`,
    stream("/X Do"),
    ...Array.from({ length: depth }, (_, index) =>
      stream("/X Do ".repeat(12), `${form} ${next(6 + index)}`),
    ),
    stream("BT /F1 1 Tf (leaf) Tj ET", `${form} /Resources << ${FONT} >>`),
  ]);
}

const stream = (data, head = "") =>
  `<< /Length ${data.length} ${head} >>\nstream\n${data}\nendstream`;

function fileOf(objects) {
  let text = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + end, "latin1");
}

export const requestFor = (data, more = {}) =>
  `${JSON.stringify({ pdf: true, size: data.length, timeout_ms: 30_000, ...more })}\n`;

/** Starts the program; `lines()` are all it writes until it ends. */
export function startPdf() {
  const child = spawn(process.execPath, ["--no-addons", PROGRAM], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.on("error", () => {});
  const ended = once(child, "close");
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  return {
    child,
    written: () => text,
    async lines() {
      const [code] = await ended;
      return { code, lines: linesOf(text) };
    },
  };
}

/** The lines of a reply but the signs of life. */
export const linesOf = (text) =>
  text
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter((line) => !line.alive);

/** Output of the program for a file, read again after a standstill. */
export async function readPdf(data, more = {}) {
  for (;;) {
    const program = startPdf();
    program.child.stdin.write(requestFor(data, more));
    program.child.stdin.write(data);
    const { code, lines } = await program.lines();
    if (!/stood still/.test(lines.at(-1)?.message)) return { code, lines, text: program.written() };
  }
}
