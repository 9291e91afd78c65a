const UNITS = ["KB", "MB", "GB"] as const;

/** "3.4 MB": the size of a file as people read it. */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  let size = bytes / 1024;
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size).toLocaleString("en")} ${UNITS[unit]}`;
}
