import { useLayoutEffect, useMemo, useRef } from "react";

type Handlers = Record<string, (...args: never[]) => unknown>;

/** One object for as long as the component lives, whose functions always call the newest ones. */
export function useStableHandlers<T extends Handlers>(handlers: T): T {
  const newest = useRef(handlers);
  useLayoutEffect(() => {
    newest.current = handlers;
  });
  return useMemo(() => {
    const names = Object.keys(newest.current) as (keyof T)[];
    const call =
      (name: keyof T) =>
      (...args: never[]) =>
        newest.current[name]?.(...args);
    return Object.fromEntries(names.map((name) => [name, call(name)])) as T;
  }, []);
}
