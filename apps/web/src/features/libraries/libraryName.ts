export const MAX_NAME_LENGTH = 100;

export type NameCheck = { name: string } | { problem: string };

/** A name as the server takes it: trimmed, 1 to 100 characters (code points, as the server counts). */
export function checkName(text: string): NameCheck {
  const name = text.trim();
  const length = [...name].length;
  if (length === 0) return { problem: "Give it a name." };
  if (length > MAX_NAME_LENGTH) {
    return { problem: `At most ${MAX_NAME_LENGTH} characters; this has ${length}.` };
  }
  return { name };
}
