import { useEffect, useId, useState } from "react";
import type { Option } from "./options";

/**
 * Which option the arrows have come to, if any. It is known by its key, so that options which
 * arrive meanwhile do not change what Enter does.
 */
export function useActiveOption(options: readonly Option[], query: string) {
  const prefix = useId();
  const [chosen, setChosen] = useState<{ key: string; query: string } | null>(null);
  // Typing goes on from the field.
  const at = chosen?.query === query ? options.findIndex(({ key }) => key === chosen.key) : -1;
  const active = options[at] ?? null;
  const idOf = (option: Option) => `${prefix}-${options.indexOf(option)}`;
  const activeId = active ? idOf(active) : undefined;

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  /** Moves by one, round and round by way of the field itself. */
  const move = (step: 1 | -1) => {
    const count = options.length + 1;
    const next = options[((at + 1 + step + count) % count) - 1];
    setChosen(next ? { key: next.key, query } : null);
  };
  return { active, activeId, idOf, move };
}
