import { Link, Redirect, useSearch } from "wouter";
import { paths } from "../../shared/paths";
import { placeFromSearch, withReturn } from "../../shared/returnTo";
import { Notice } from "../../ui/Notice";
import { Spinner } from "../../ui/Spinner";
import { useTitle } from "../../ui/useTitle";
import styles from "./Auth.module.css";
import { AuthLayout } from "./AuthLayout";
import { CredentialsForm } from "./CredentialsForm";
import { useAuthConfig } from "./config";

/** Sign-in; on a Nexus without accounts it makes way for the first sign-up. */
export function LoginPage({ expired }: { expired: boolean }) {
  useTitle("Sign in");
  const config = useAuthConfig();
  const signupPath = withReturn(paths.signup, placeFromSearch(useSearch()));
  if (config.data?.first_account) return <Redirect to={signupPath} replace />;
  const mayJoin = config.data?.signup !== "closed";
  return (
    <AuthLayout
      title="Welcome back"
      lead="Sign in to your library."
      footer={
        mayJoin && (
          <>
            New here? <Link href={signupPath}>Create an account</Link>
          </>
        )
      }
    >
      {expired && (
        <Notice role="status">
          Your session has ended. Sign in to continue where you left off.
        </Notice>
      )}
      {config.isPending ? <Waiting /> : <CredentialsForm mode="login" submitLabel="Sign in" />}
    </AuthLayout>
  );
}

/** Shown while we ask the server which form fits. */
export function Waiting() {
  return (
    <p role="status" className={styles.wait}>
      <Spinner /> One moment…
    </p>
  );
}
