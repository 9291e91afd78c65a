import { useMemo } from "react";
import { type Shortcut, useShortcuts } from "../../shared/shortcuts";
import { resultLinks } from "./ResultRow";

/** Moving through the results by keys. */
export function useResultKeys(): void {
  useShortcuts(
    useMemo(
      (): Shortcut[] => [
        { keys: ["j"], label: "Next result", group: "Search", run: () => moveBy(1) },
        { keys: ["k"], label: "Previous result", group: "Search", run: () => moveBy(-1) },
      ],
      [],
    ),
  );
}

function moveBy(step: 1 | -1): void {
  const links = resultLinks();
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[at < 0 ? 0 : at + step]?.focus();
}
