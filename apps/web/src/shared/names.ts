import { LIMITS } from "../api/schema";

export type NameCheck = { name: string } | { problem: string };

/** A name as the server takes it: trimmed, and not too long in code points, as the server counts. */
export function checkName(text: string): NameCheck {
  const name = text.trim();
  const length = [...name].length;
  if (length === 0) return { problem: "Give it a name." };
  if (length > LIMITS.name_length) {
    return { problem: `At most ${LIMITS.name_length} characters; this has ${length}.` };
  }
  return { name };
}
