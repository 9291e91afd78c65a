import { ErrorState, SkeletonRows } from "../../ui/States";
import { NewToken } from "./NewToken";
import styles from "./Settings.module.css";
import { SettingsSection } from "./SettingsSection";
import { TokenRow } from "./TokenRow";
import { useTokens } from "./tokenQueries";

/** Personal API tokens: make one, see it once, revoke it. */
export function TokenSection() {
  return (
    <SettingsSection
      title="API tokens"
      lead="For scripts and other programs that act for you. A token can do everything you can, so treat it like a password."
    >
      <NewToken />
      <TokenList />
    </SettingsSection>
  );
}

function TokenList() {
  const tokens = useTokens();
  if (tokens.data) {
    if (tokens.data.length === 0) return <p className={styles.lead}>You have no tokens.</p>;
    return (
      <ul className={styles.tokens} aria-label="Your tokens">
        {tokens.data.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </ul>
    );
  }
  if (tokens.isError) {
    return (
      <ErrorState
        error={tokens.error}
        retrying={tokens.isFetching}
        onRetry={() => tokens.refetch()}
      />
    );
  }
  return <SkeletonRows rows={2} label="Loading your tokens" />;
}
