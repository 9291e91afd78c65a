import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { CreatedToken } from "../../api/types";
import { Button } from "../../ui/Button";
import styles from "./Settings.module.css";

interface NewSecretProps {
  created: CreatedToken;
  onDone: () => void;
}

/** Shows a new token's secret, the only time it can be seen. */
export function NewSecret({ created, onDone }: NewSecretProps) {
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState<"no" | "yes" | "failed">("no");

  useEffect(() => input.current?.select(), []);

  async function copy() {
    setCopied((await copyFrom(input.current)) ? "yes" : "failed");
  }

  return (
    <div className={styles.secret}>
      <p>
        <strong>Copy “{created.token.name}” now.</strong> You will not see it again.
      </p>
      <div className={styles.secretLine}>
        <input
          ref={input}
          readOnly
          className={styles.secretInput}
          aria-label="The new token"
          value={created.secret}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button look="primary" onClick={copy}>
          {copied === "yes" ? (
            <Check size={16} aria-hidden="true" />
          ) : (
            <Copy size={16} aria-hidden="true" />
          )}
          {copied === "yes" ? "Copied" : "Copy"}
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
      <p role="status" className={styles.copyState}>
        {copied === "failed" && "Your browser did not allow copying. Select the text and copy it."}
        {copied === "yes" && <span className="visually-hidden">Copied to the clipboard</span>}
      </p>
    </div>
  );
}

/** The clipboard API exists on https and localhost only; elsewhere the old command still works. */
async function copyFrom(input: HTMLInputElement | null): Promise<boolean> {
  if (!input) return false;
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.select();
    return document.execCommand("copy");
  }
}
