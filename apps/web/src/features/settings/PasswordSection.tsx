import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../../api/errors";
import { errorWords } from "../../api/errorWords";
import { changePassword } from "../../api/sessions";
import { isTooShort, passwordHint, TOO_SHORT } from "../../shared/newPassword";
import { useUser } from "../../shared/session";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { PasswordField } from "../../ui/PasswordField";
import { showToast } from "../../ui/toasts";
import styles from "./Settings.module.css";
import { SettingsSection } from "./SettingsSection";
import { sessionsQuery } from "./sessionQueries";

interface Errors {
  old?: string;
  new?: string;
  form?: string;
}

/** Changes the password, for someone who knows the old one. */
export function PasswordSection() {
  const { email } = useUser();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>({});
  const change = useMutation({
    mutationFn: (data: FormData) => changePassword(read(data, "old"), read(data, "new")),
    onSuccess: () => {
      form.current?.reset();
      showToast("Your password was changed. Other devices were signed out.");
      void client.invalidateQueries(sessionsQuery);
    },
    onError: (error) => setErrors(placeError(error)),
  });

  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid], [data-form-error]")?.focus();
  }, [errors]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const found = check(read(data, "old"), read(data, "new"));
    setErrors(found);
    if (Object.keys(found).length === 0) change.mutate(data);
  }

  return (
    <SettingsSection title="Password" lead="Changing it signs you out on all other devices.">
      <form ref={form} className={styles.password} onSubmit={submit} noValidate>
        {errors.form && (
          <Notice kind="error" tabIndex={-1} data-form-error>
            {errors.form}
          </Notice>
        )}
        {/* Password managers learn from it whose password this is. */}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordField
          label="Current password"
          name="old"
          autoComplete="current-password"
          required
          error={errors.old}
        />
        <PasswordField
          label="New password"
          name="new"
          autoComplete="new-password"
          required
          hint={passwordHint}
          error={errors.new}
        />
        <Button type="submit" look="primary" pending={change.isPending}>
          Change password
        </Button>
      </form>
    </SettingsSection>
  );
}

function read(data: FormData, name: string): string {
  return String(data.get(name) ?? "");
}

function check(old: string, fresh: string): Errors {
  const errors: Errors = {};
  if (!old) errors.old = "Enter your current password.";
  if (isTooShort(fresh)) errors.new = TOO_SHORT;
  return errors;
}

function placeError(error: unknown): Errors {
  const code = error instanceof ApiError ? error.code : null;
  if (code === "E_INVALID_CREDENTIALS") return { old: errorWords(error) };
  if (code === "E_WEAK_PASSWORD") return { new: errorWords(error) };
  return { form: errorWords(error) };
}
