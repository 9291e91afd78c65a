import { useEffect } from "react";

/** Names the browser tab after the view. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Nexus` : "Nexus";
  }, [title]);
}
