import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { signIn, signUp } from "../../api/auth";
import type { Credentials } from "../../api/types";
import { passwordHint } from "../../shared/newPassword";
import { beginSession } from "../../shared/session";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { Notice } from "../../ui/Notice";
import { PasswordField } from "../../ui/PasswordField";
import styles from "./Auth.module.css";
import { type AuthMode, checkCredentials, type FormErrors, placeError } from "./credentials";

interface CredentialsFormProps {
  mode: AuthMode;
  submitLabel: string;
}

/** E-mail and password. Once accepted the session begins, and the app itself moves on. */
export function CredentialsForm({ mode, submitLabel }: CredentialsFormProps) {
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FormErrors>({});
  const submission = useMutation({
    mutationFn: mode === "signup" ? signUp : signIn,
    onSuccess: (user) => beginSession(client, user),
    onError: (error) => setErrors(placeError(error)),
  });

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstError(form.current);
  }, [errors]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const credentials = readCredentials(event.currentTarget);
    const found = checkCredentials(credentials, mode);
    setErrors(found);
    if (Object.keys(found).length === 0) submission.mutate(credentials);
  }

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {errors.form && (
        <Notice kind="error" tabIndex={-1} data-form-error>
          {errors.form}
        </Notice>
      )}
      <Field
        label="E-mail"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={errors.email}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete={mode === "signup" ? "new-password" : "current-password"}
        required
        hint={mode === "signup" && passwordHint}
        error={errors.password}
      />
      <Button type="submit" look="primary" wide pending={submission.isPending}>
        {submitLabel}
      </Button>
    </form>
  );
}

function readCredentials(form: HTMLFormElement): Credentials {
  const data = new FormData(form);
  return {
    email: String(data.get("email") ?? "").trim(),
    password: String(data.get("password") ?? ""),
  };
}

function focusFirstError(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>("[aria-invalid], [data-form-error]")?.focus();
}
