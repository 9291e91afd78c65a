import { type FormEvent, useEffect, useState } from "react";
import { errorWords } from "../../api/errorWords";
import { checkName } from "../../shared/names";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { useFocusBack } from "../../ui/useFocusBack";
import { NewSecret } from "./NewSecret";
import styles from "./Settings.module.css";
import { useCreateToken } from "./tokenQueries";

/** The form that makes a token; its secret takes the form's place until it is put away. */
export function NewToken() {
  const creation = useCreateToken();
  const name = useFocusBack<HTMLInputElement>(creation.isSuccess);
  const [problem, setProblem] = useState<string | null>(null);
  const error = problem ?? (creation.isError ? errorWords(creation.error) : null);

  useEffect(() => {
    if (error) name.current?.focus();
  }, [error, name]);

  if (creation.data) {
    return <NewSecret created={creation.data} onDone={() => creation.reset()} />;
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const check = checkName(String(new FormData(event.currentTarget).get("name") ?? ""));
    if ("problem" in check) return setProblem(check.problem);
    setProblem(null);
    creation.mutate(check.name);
  }

  return (
    <form className={styles.newToken} onSubmit={submit} noValidate>
      <Field
        ref={name}
        label="Token name"
        name="name"
        placeholder="What it is for, such as “Backup script”"
        autoComplete="off"
        error={error}
      />
      <Button type="submit" look="primary" pending={creation.isPending}>
        Create token
      </Button>
    </form>
  );
}
