import { LIMITS } from "../api/schema";

const MIN_LENGTH = LIMITS.password_min_length;

export const passwordHint = `At least ${MIN_LENGTH} characters. A few unrelated words work well.`;
export const TOO_SHORT = `Use at least ${MIN_LENGTH} characters.`;

/** Is a new password shorter than the server takes? */
export function isTooShort(password: string): boolean {
  return [...password].length < MIN_LENGTH;
}
