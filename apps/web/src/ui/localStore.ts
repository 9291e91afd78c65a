// Storage may be blocked or full; what is kept here then lasts as long as the page.
const memory = new Map<string, string>();

/** Reads a kept value; null when there is none or it is not JSON. */
export function readKept(key: string): unknown {
  try {
    const text = memory.get(key) ?? localStorage.getItem(key);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Keeps a value on this device. */
export function keep(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    memory.set(key, text);
  }
}

/** Forgets a kept value. */
export function forget(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept, then.
  }
}

/** The keys that begin with a prefix. */
export function keptKeys(prefix: string): string[] {
  const keys = new Set(memory.keys());
  try {
    for (let i = 0; i < localStorage.length; i += 1) keys.add(localStorage.key(i) ?? "");
  } catch {
    // Only what is in memory.
  }
  return [...keys].filter((key) => key.startsWith(prefix));
}
