/** Nothing is painted in a tab that nobody sees. */
const LONGEST_MS = 200;

/** Resolves once what is on the page now can be seen: what follows must not hold that up. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });
}
