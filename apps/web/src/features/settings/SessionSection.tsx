import type { UserSession } from "../../api/types";
import { Button } from "../../ui/Button";
import { ErrorState, SkeletonRows } from "../../ui/States";
import { Time } from "../../ui/Time";
import styles from "./Settings.module.css";
import { SettingsSection } from "./SettingsSection";
import { useEndSession, useSessions } from "./sessionQueries";

/** Where the person is signed in, and how to end that. */
export function SessionSection() {
  return (
    <SettingsSection
      title="Where you are signed in"
      lead="The browsers that can open your library. Sign out any you do not recognise or no longer use."
    >
      <SessionList />
    </SettingsSection>
  );
}

function SessionList() {
  const sessions = useSessions();
  if (sessions.data) {
    return (
      <>
        <ul className={styles.tokens} aria-label="Where you are signed in">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
        {sessions.data.some((session) => !session.current) && <EndOthers />}
      </>
    );
  }
  if (sessions.isError) {
    return (
      <ErrorState
        error={sessions.error}
        retrying={sessions.isFetching}
        onRetry={() => sessions.refetch()}
      />
    );
  }
  return <SkeletonRows rows={2} label="Loading where you are signed in" />;
}

function SessionRow({ session }: { session: UserSession }) {
  const ending = useEndSession(session);
  return (
    <li className={styles.token}>
      <div className={styles.tokenText}>
        <p className={styles.tokenName}>
          {session.device} {session.current && <span className={styles.here}>This browser</span>}
        </p>
        <p className={styles.tokenMeta}>
          <span>
            Signed in <Time at={session.created_at} />
          </span>
          <span>
            Last used <Time at={session.last_seen_at} />
          </span>
        </p>
      </div>
      {!session.current && (
        <Button
          pending={ending.isPending}
          aria-label={`Sign out ${session.device}`}
          onClick={() => ending.mutate()}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

function EndOthers() {
  const ending = useEndSession("others");
  return (
    <Button className={styles.endAll} pending={ending.isPending} onClick={() => ending.mutate()}>
      Sign out all other devices
    </Button>
  );
}
