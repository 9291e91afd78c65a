import { CornerDownLeft, History, ListFilter, Search, X } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { IconButton } from "../../ui/Button";
import { cx } from "../../ui/cx";
import styles from "./CommandField.module.css";
import { FoundItem } from "./FoundItem";
import type { Option, OptionGroup } from "./options";

interface OptionListProps {
  id: string;
  groups: readonly OptionGroup[];
  active: Option | null;
  busy: boolean;
  idOf: (option: Option) => string;
  onChoose: (option: Option, newTab: boolean) => void;
  onForget: (query: string) => void;
}

/** The options below the field. Focus stays in the field, which names the active one. */
export function OptionList(props: OptionListProps) {
  const { id, groups, active, busy, idOf, onChoose, onForget } = props;
  return (
    <div id={id} role="listbox" aria-label="Suggestions" aria-busy={busy} className={styles.list}>
      {groups.map(({ label, options }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
        <div key={label} role="group" aria-labelledby={`${id}-${label}`}>
          <p
            id={`${id}-${label}`}
            role="presentation"
            className={options[0]?.type === "all" ? "visually-hidden" : styles.group}
          >
            {label}
          </p>
          {options.map((option) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
            <div
              key={option.key}
              id={idOf(option)}
              role="option"
              aria-selected={option === active}
              tabIndex={-1}
              className={cx(styles.option, option === active && styles.active)}
              onMouseDown={keepFocus}
              onClick={(event) => onChoose(option, event.ctrlKey || event.metaKey)}
              onAuxClick={(event) => event.button === 1 && onChoose(option, true)}
            >
              <Content option={option} onForget={onForget} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

interface ContentProps {
  option: Option;
  onForget: (query: string) => void;
}

function Content({ option, onForget }: ContentProps) {
  switch (option.type) {
    case "all":
      return (
        <Line
          icon={<Search size={18} aria-hidden="true" />}
          name={`All results for “${option.query}”`}
        >
          <CornerDownLeft size={16} aria-hidden="true" />
        </Line>
      );
    case "recent":
      return (
        <Line icon={<History size={18} aria-hidden="true" />} name={option.query}>
          <span className="visually-hidden">. Delete removes it.</span>
          <Forget query={option.query} onForget={onForget} />
        </Line>
      );
    case "complete":
      return <Line icon={<ListFilter size={18} aria-hidden="true" />} name={option.label} />;
    case "command": {
      const { icon: Icon, name, group } = option.command;
      const kind = { Libraries: "Library", Tags: "Tag", Actions: null, "Go to": null }[group];
      return (
        <Line icon={<Icon size={18} aria-hidden="true" />} name={name}>
          {kind && <span className={styles.hint}>{kind}</span>}
        </Line>
      );
    }
    case "result":
      return <FoundItem result={option.result} />;
  }
}

interface LineProps {
  icon: ReactNode;
  name: string;
  children?: ReactNode;
}

function Line({ icon, name, children }: LineProps) {
  return (
    <>
      {icon}
      <span className={styles.name} dir="auto">
        {name}
      </span>
      {children}
    </>
  );
}

/** For the pointer alone: an option has no controls inside, and the keyboard has its own way. */
function Forget({ query, onForget }: { query: string; onForget: (query: string) => void }) {
  return (
    <span aria-hidden="true">
      <IconButton
        label={`Remove “${query}”`}
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation();
          onForget(query);
        }}
      >
        <X size={16} />
      </IconButton>
    </span>
  );
}
