import {
  Highlighter,
  Keyboard,
  Library as LibraryIcon,
  type LucideIcon,
  Plus,
  Search,
  Settings,
  SunMoon,
  Tag as TagIcon,
} from "lucide-react";
import { useMemo } from "react";
import { openPanel } from "../../shared/panels";
import { paths } from "../../shared/paths";
import { useUser } from "../../shared/session";
import { useTags } from "../../shared/tags";
import { VIEWS } from "../../shared/views";
import { useTheme } from "../appearance/preferences";
import { THEME_NAMES, THEMES } from "../appearance/theme";
import { useLibraries } from "../libraries/queries";
import { folded } from "./folded";

/** Something to go to or to do, by its name. */
export interface Command {
  readonly key: string;
  readonly group: "Go to" | "Libraries" | "Tags" | "Actions";
  readonly name: string;
  readonly icon: LucideIcon;
  /** Where it leads; an action has none. */
  readonly href?: string;
  readonly run?: () => void;
  /** What else people may call it. */
  readonly also?: string;
  /** Offered before anything is typed. */
  readonly atFirst: boolean;
}

const MAX_LIBRARIES_AT_FIRST = 5;

/** Everything one can go to or do from anywhere. */
export function useCommands(): readonly Command[] {
  const libraries = useLibraries().data;
  const tags = useTags().data;
  const [, chooseTheme] = useTheme(useUser().id);
  return useMemo(
    () => [
      ...VIEWS.map(({ path, name, icon }) => goTo(path, name, icon)),
      goTo(paths.highlights, "Highlights", Highlighter, "notes annotations"),
      goTo(paths.search(), "Search", Search, "find filters"),
      goTo(paths.settings, "Settings", Settings, "preferences account password"),
      ...(libraries ?? []).map(({ id, name }, index) => ({
        ...goTo(paths.library(id), name, LibraryIcon, "library"),
        group: "Libraries" as const,
        atFirst: index < MAX_LIBRARIES_AT_FIRST,
      })),
      ...(tags ?? []).map(({ name }) => ({
        ...goTo(paths.tag(name), name, TagIcon, "tag"),
        group: "Tags" as const,
        atFirst: false,
      })),
      act("Add an address or a file", Plus, () => openPanel("add"), "save upload new"),
      ...THEMES.map((theme) => ({
        ...act(`Theme: ${THEME_NAMES[theme]}`, SunMoon, () => chooseTheme(theme), "appearance"),
        atFirst: false,
      })),
      act("Keyboard shortcuts", Keyboard, () => openPanel("keys"), "help keys"),
    ],
    [libraries, tags, chooseTheme],
  );
}

function goTo(href: string, name: string, icon: LucideIcon, also = ""): Command {
  return { key: `go-${href}`, group: "Go to", name, icon, href, also, atFirst: true };
}

function act(name: string, icon: LucideIcon, run: () => void, also: string): Command {
  return { key: `act-${name}`, group: "Actions", name, icon, run, also, atFirst: true };
}

const MAX_MATCHES = 5;

/** The commands that have a word beginning with each word of a query, those by name first. */
export function matchingCommands(commands: readonly Command[], query: string): Command[] {
  const wanted = wordsOf(query);
  if (wanted.length === 0) return [];
  const isMatch = ({ name, also = "" }: Command) => {
    const words = wordsOf(`${name} ${also}`);
    return wanted.every((one) => words.some((word) => word.startsWith(one)));
  };
  const byName = ({ name }: Command) => (folded(name).startsWith(folded(query)) ? 0 : 1);
  return commands
    .filter(isMatch)
    .sort((a, b) => byName(a) - byName(b))
    .slice(0, MAX_MATCHES);
}

function wordsOf(text: string): string[] {
  return folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
