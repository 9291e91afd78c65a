import { Link, useSearch } from "wouter";
import { paths } from "../../shared/paths";
import { placeFromSearch, withReturn } from "../../shared/returnTo";
import { Notice } from "../../ui/Notice";
import { useTitle } from "../../ui/useTitle";
import { AuthLayout } from "./AuthLayout";
import { CredentialsForm } from "./CredentialsForm";
import { useAuthConfig } from "./config";
import { Waiting } from "./LoginPage";

/** Sign-up: the first account of a new Nexus, one more, or the reason why not. */
export function SignupPage() {
  const config = useAuthConfig();
  const loginPath = withReturn(paths.login, placeFromSearch(useSearch()));
  const first = config.data?.first_account ?? false;
  useTitle(first ? "Welcome" : "Create an account");

  if (config.isPending) {
    return (
      <AuthLayout title="Create an account" lead={<>A quiet place for what you read.</>}>
        <Waiting />
      </AuthLayout>
    );
  }
  if (first) {
    return (
      <AuthLayout
        title="Welcome to Nexus"
        lead="It is up and running, and nobody is here yet. Create the first account: it will be yours."
      >
        <CredentialsForm mode="signup" submitLabel="Create the first account" />
      </AuthLayout>
    );
  }
  const closed = config.data?.signup === "closed";
  return (
    <AuthLayout
      title="Create an account"
      lead="A quiet place for what you read, and for what you thought while reading it."
      footer={
        <>
          Already have an account? <Link href={loginPath}>Sign in</Link>
        </>
      }
    >
      {closed ? (
        <Notice>
          This Nexus does not accept new accounts at the moment. Ask the person who runs it to
          create one for you.
        </Notice>
      ) : (
        <CredentialsForm mode="signup" submitLabel="Create account" />
      )}
    </AuthLayout>
  );
}
