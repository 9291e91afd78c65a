import type { SearchResult } from "../../api/search";
import { paths } from "../../shared/paths";
import { type Command, matchingCommands } from "./commands";
import type { Completion } from "./filters";
import { resultHref, resultKey } from "./results";

/** What the command field offers. */
export type Option =
  | { readonly type: "all"; readonly key: string; readonly href: string; readonly query: string }
  | { readonly type: "recent"; readonly key: string; readonly query: string }
  | {
      readonly type: "complete";
      readonly key: string;
      readonly label: string;
      readonly query: string;
    }
  | { readonly type: "command"; readonly key: string; readonly command: Command }
  | {
      readonly type: "result";
      readonly key: string;
      readonly href: string;
      readonly result: SearchResult;
    };

export interface OptionGroup {
  readonly label: string;
  readonly options: readonly Option[];
}

interface Offered {
  readonly query: string;
  readonly recent: readonly string[];
  readonly commands: readonly Command[];
  readonly completions: readonly Completion[];
  readonly results: readonly SearchResult[];
}

const MAX_RECENT = 5;
const AT_FIRST = ["Go to", "Libraries", "Actions"] as const;

/** The options in their groups; none of them empty. */
export function optionGroups({ query, ...offered }: Offered): OptionGroup[] {
  const groups = query.trim() ? whileTyping(query.trim(), offered) : atFirst(offered);
  return groups.filter(({ options }) => options.length > 0);
}

function atFirst({ recent, commands }: Omit<Offered, "query">): OptionGroup[] {
  const recently = recent.slice(0, MAX_RECENT).map((query) => {
    return { type: "recent", key: `recent-${query}`, query } as const;
  });
  return [
    { label: "Recent searches", options: recently },
    ...AT_FIRST.map((label) => ({
      label,
      options: commands.filter((one) => one.group === label && one.atFirst).map(asOption),
    })),
  ];
}

function whileTyping(query: string, offered: Omit<Offered, "query">): OptionGroup[] {
  const all = { type: "all", key: "all", href: paths.search(query), query } as const;
  const completions = offered.completions.map(({ label, query: next }) => {
    return { type: "complete", key: `complete-${label}`, label, query: next } as const;
  });
  const results = offered.results.map((result) => {
    return { type: "result", key: resultKey(result), href: resultHref(result), result } as const;
  });
  return [
    { label: "Search", options: [all] },
    { label: "Filters", options: completions },
    { label: "Go to", options: matchingCommands(offered.commands, query).map(asOption) },
    { label: "Results", options: results },
  ];
}

function asOption(command: Command): Option {
  return { type: "command", key: command.key, command };
}

/** Where an option leads, for a new tab; null for one that leads nowhere. */
export function optionHref(option: Option): string | null {
  switch (option.type) {
    case "all":
    case "result":
      return option.href;
    case "command":
      return option.command.href ?? null;
    default:
      return null;
  }
}
