import { useQuery } from "@tanstack/react-query";
import { fetchHealth } from "../../api/health";
import { useUser } from "../../shared/session";
import { useSignOut } from "../../shared/useSignOut";
import { Button } from "../../ui/Button";
import { useTitle } from "../../ui/useTitle";
import { ReadingSettings } from "../appearance/ReadingSettings";
import { ThemePicker } from "../appearance/ThemePicker";
import { ExportSection, ImportSection } from "./MovingSections";
import { PasswordSection } from "./PasswordSection";
import { SessionSection } from "./SessionSection";
import styles from "./Settings.module.css";
import { SettingsSection } from "./SettingsSection";
import { TokenSection } from "./TokenSection";

const EVERYWHERE = "Saved to your account and used on all your devices.";

/** Appearance, reading, import and export, password, sessions, API tokens, the account, and the version. */
export function SettingsPage() {
  useTitle("Settings");
  return (
    <div className={styles.page}>
      <h1>Settings</h1>
      <SettingsSection title="Appearance" lead={EVERYWHERE}>
        <ThemePicker />
      </SettingsSection>
      <SettingsSection title="Reading" lead={EVERYWHERE}>
        <ReadingSettings />
      </SettingsSection>
      <ImportSection />
      <ExportSection />
      <PasswordSection />
      <SessionSection />
      <TokenSection />
      <AccountSection />
      <Version />
    </div>
  );
}

function Version() {
  const { data } = useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) => fetchHealth(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ? <p className={styles.lead}>Nexus {data.version}</p> : null;
}

function AccountSection() {
  const user = useUser();
  const leaving = useSignOut();
  return (
    <SettingsSection title="Account">
      <div className={styles.account}>
        <div>
          <p className={styles.lead}>Signed in as</p>
          <p className={styles.email}>{user.email}</p>
        </div>
        <Button pending={leaving.isPending} onClick={() => leaving.mutate()}>
          Sign out
        </Button>
      </div>
    </SettingsSection>
  );
}
