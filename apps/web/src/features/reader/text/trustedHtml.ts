import { policy } from "./trustedTypes";

/**
 * Parses HTML that the server's sanitizer made, into nodes that load and run nothing yet.
 * The one place in the app where a string becomes HTML; only showFragment may call it.
 */
export function parseSanitized(html: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(html);
  return template.content;
}
