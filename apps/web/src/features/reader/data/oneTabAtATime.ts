/** Tabs take turns where the browser can arrange it. Elsewhere the same may be sent twice. */
export async function oneTabAtATime(name: string, work: () => Promise<void>): Promise<void> {
  // Missing on pages that are not secure, such as a Nexus on the local network.
  const locks = navigator.locks as LockManager | undefined | null;
  if (locks) await locks.request(name, work);
  else await work();
}
