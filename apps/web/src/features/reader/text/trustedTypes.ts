interface Rules {
  createHTML: (html: string) => string;
  createScriptURL: (url: string) => string;
}

interface TrustedTypesFactory {
  createPolicy: (name: string, rules: Rules) => Rules;
}

declare global {
  interface Window {
    trustedTypes?: TrustedTypesFactory;
  }
}

const rules: Rules = {
  createHTML: (html) => html,
  createScriptURL: (url) => {
    if (new URL(url, window.location.href).origin === window.location.origin) return url;
    throw new TypeError(`Scripts come from this site alone, and ${url} is not on it.`);
  },
};

/** The app's one policy of Trusted Types: nothing else makes HTML or a script of a string. */
export const policy = window.trustedTypes?.createPolicy("nexus", rules) ?? rules;
