import { paths } from "../../shared/paths";
import { ButtonLink } from "../../ui/Button";
import { ExportForm } from "../exports/ExportForm";
import { SettingsSection } from "./SettingsSection";

/** The way in for what people have elsewhere. */
export function ImportSection() {
  return (
    <SettingsSection
      title="Import"
      lead="Bring bookmarks, saved pages, highlights and notes from other apps, or from another Nexus."
    >
      <div>
        <ButtonLink href={paths.import()}>Import from a file</ButtonLink>
      </div>
    </SettingsSection>
  );
}

/** The way out, with everything. */
export function ExportSection() {
  return (
    <SettingsSection
      title="Export"
      lead="Download all that is yours, whenever you like. One item or a selection is exported from its menu."
    >
      <ExportForm />
    </SettingsSection>
  );
}
