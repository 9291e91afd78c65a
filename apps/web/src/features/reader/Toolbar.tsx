import {
  ALargeSmall,
  ExternalLink,
  MessageSquareText,
  Search,
  TableOfContents,
} from "lucide-react";
import type { ReactNode, Ref } from "react";
import { BackLink } from "../../shared/BackLink";
import { useUser } from "../../shared/session";
import { IconButton } from "../../ui/Button";
import { Popover } from "../../ui/Popover";
import { useTheme } from "../appearance/preferences";
import { Choice, ReadingSettings } from "../appearance/ReadingSettings";
import { THEME_NAMES, THEMES } from "../appearance/theme";
import { ContentsList } from "./ContentsList";
import { FindBar } from "./find/FindBar";
import type { Finding } from "./find/useFind";
import styles from "./Toolbar.module.css";
import type { Contents } from "./text/contents";

interface ToolbarProps {
  title: string;
  original: URL | null;
  contents: Contents | null;
  progress: Ref<HTMLDivElement>;
  /** What can be done to the item. */
  actions: ReactNode;
  /** What the kind of text adds. */
  tools?: ReactNode;
  /** How the text is shown. */
  children?: ReactNode;
  /** Looking for words in the text. */
  find: Finding;
  /** Shown where the highlights are in a sheet. */
  sheet: { count: number; open: boolean; toggle: () => void } | null;
}

/** The bar above the article. */
export function Toolbar(props: ToolbarProps) {
  const { title, original, contents, progress, actions, tools, children, find, sheet } = props;
  return (
    <header className={styles.bar}>
      <BackLink />
      <p className={styles.title} dir="auto" aria-hidden="true">
        {title}
      </p>
      <div className={styles.tools}>
        {tools}
        {children}
        {contents && (
          <div className={styles.contents}>
            <Popover label="Contents" icon={<TableOfContents size={20} aria-hidden="true" />}>
              {(close) => <ContentsList contents={contents} onGo={close} />}
            </Popover>
          </div>
        )}
        {find.available && (
          <IconButton label="Find in the text" aria-expanded={find.open} onClick={find.show}>
            <Search size={20} aria-hidden="true" />
          </IconButton>
        )}
        <Popover label="Appearance" icon={<ALargeSmall size={22} aria-hidden="true" />}>
          {() => <Looks />}
        </Popover>
        {original && (
          <a
            href={original.href}
            target="_blank"
            rel="noopener noreferrer"
            className={styles.original}
            aria-label="Open original page"
            title="Open original page"
          >
            <ExternalLink size={18} aria-hidden="true" />
          </a>
        )}
        {actions}
        {sheet && (
          <IconButton
            label={`Highlights (${sheet.count})`}
            aria-expanded={sheet.open}
            onClick={sheet.toggle}
          >
            <MessageSquareText size={20} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {find.open && <FindBar {...find.bar} />}
      <div className={styles.progress} aria-hidden="true">
        <div ref={progress} className={styles.done} />
      </div>
    </header>
  );
}

function Looks() {
  const [theme, choose] = useTheme(useUser().id);
  return (
    <div className={styles.looks}>
      <Choice label="Theme" choices={THEMES} names={THEME_NAMES} chosen={theme} onChoose={choose} />
      <ReadingSettings />
    </div>
  );
}
