import { ApiError } from "../../api/errors";
import { errorWords, fieldOf } from "../../api/errorWords";
import type { Credentials } from "../../api/types";
import { isTooShort, TOO_SHORT } from "../../shared/newPassword";

export type AuthMode = "login" | "signup";

/** What to say, and where: beside a field, or above the form. */
export interface FormErrors {
  email?: string;
  password?: string;
  form?: string;
}

/** What can be told without asking the server. */
export function checkCredentials({ email, password }: Credentials, mode: AuthMode): FormErrors {
  const errors: FormErrors = {};
  if (!email) errors.email = "Enter your e-mail address.";
  else if (!/^\S+@\S+$/.test(email)) errors.email = BAD_EMAIL;
  if (!password) errors.password = "Enter your password.";
  else if (mode === "signup" && isTooShort(password)) errors.password = TOO_SHORT;
  return errors;
}

const BAD_EMAIL =
  "This does not look like an e-mail address. It should look like name@example.org.";

/** Puts the server's refusal where it belongs. */
export function placeError(error: unknown): FormErrors {
  const code = error instanceof ApiError ? error.code : null;
  if (fieldOf(error) === "email" || code === "E_SIGNUP_REFUSED")
    return { email: errorWords(error) };
  if (code === "E_WEAK_PASSWORD") return { password: errorWords(error) };
  return { form: errorWords(error) };
}
