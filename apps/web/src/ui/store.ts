/** A value outside React that views can follow with useSyncExternalStore. */
export interface Store<T> {
  get: () => T;
  set: (change: (value: T) => T) => void;
  subscribe: (listener: () => void) => () => void;
}

/** Creates a store. Setting the very same value tells nobody. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (change) => {
      const next = change(value);
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
