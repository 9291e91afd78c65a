import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchDefaultTemplate } from "../../api/exports";
import { forget, keep, readKept } from "../../ui/localStore";

export interface Template {
  /** What the person wrote; null while the usual one is used. */
  own: string | null;
  /** How Markdown is usually written; undefined until it is known. */
  usual: string | undefined;
  write: (text: string) => void;
  reset: () => void;
}

/** The template for Markdown: the usual one, or the person's own, which is kept in this browser. */
export function useTemplate(userId: string): Template {
  const key = `nexus.template.${userId}`;
  const [own, setOwn] = useState<string | null>(() => keptText(key));
  const usual = useQuery({
    queryKey: ["export-template"],
    queryFn: ({ signal }) => fetchDefaultTemplate(signal),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const reset = () => {
    forget(key);
    setOwn(null);
  };
  const write = (text: string) => {
    if (text === usual) return reset();
    keep(key, text);
    setOwn(text);
  };
  return { own, usual, write, reset };
}

function keptText(key: string): string | null {
  const kept = readKept(key);
  return typeof kept === "string" ? kept : null;
}
