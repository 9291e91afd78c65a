import { useState } from "react";
import { errorWords } from "../../api/errorWords";
import type { ApiToken } from "../../api/types";
import { focusMain } from "../../shared/focusMain";
import { Button } from "../../ui/Button";
import { ConfirmDialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { Time } from "../../ui/Time";
import { showToast } from "../../ui/toasts";
import styles from "./Settings.module.css";
import { useRevokeToken } from "./tokenQueries";

/** One token, without its secret. */
export function TokenRow({ token }: { token: ApiToken }) {
  const [asking, setAsking] = useState(false);
  return (
    <li className={styles.token}>
      <div className={styles.tokenText}>
        <p className={styles.tokenName}>{token.name}</p>
        <p className={styles.tokenMeta}>
          <code>{token.prefix}…</code>
          <span>
            Created <Time at={token.created_at} />
          </span>
          <span>
            {token.last_used_at ? (
              <>
                Last used <Time at={token.last_used_at} />
              </>
            ) : (
              "Never used"
            )}
          </span>
        </p>
      </div>
      <Button aria-label={`Revoke ${token.name}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {asking && <RevokeDialog token={token} onClose={() => setAsking(false)} />}
    </li>
  );
}

function RevokeDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const revocation = useRevokeToken(token.id, () => {
    showToast(`“${token.name}” was revoked.`);
    onClose();
    focusMain();
  });
  return (
    <ConfirmDialog
      title={`Revoke “${token.name}”?`}
      confirmLabel="Revoke token"
      pending={revocation.isPending}
      onConfirm={() => revocation.mutate()}
      onClose={onClose}
    >
      <p>Programs that use it will stop working at once. This cannot be undone.</p>
      {revocation.isError && <Notice kind="error">{errorWords(revocation.error)}</Notice>}
    </ConfirmDialog>
  );
}
