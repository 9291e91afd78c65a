/** What the programs that listen have in common. */

const { stdout, stderr } = process;

/**
 * `{host, port}` of "HOST:PORT"; anything else ends the program.
 * @param {string | undefined} text
 */
export function place(text) {
  const [, host, port] = /^(.+):(\d+)$/.exec(text ?? "") ?? [];
  if (Number(port) < 65_536) return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
  return refuse("--listen needs HOST:PORT, such as 0.0.0.0:8430");
}

/**
 * Print what is wrong with the command line and exit.
 * @param {string} problem
 * @returns {never}
 */
export function refuse(problem) {
  stderr.write(`${problem}\n`);
  return process.exit(2);
}

/**
 * Print where it listens, wait for a signal, stop. Returns the exit code.
 * @param {{port: number, stop: () => Promise<unknown>}} running
 * @param {string} name
 */
export async function runUntilSignal({ port, stop }, name) {
  stdout.write(`${name} listens on port ${port}\n`);
  await new Promise((resolve) => process.once("SIGTERM", resolve).once("SIGINT", resolve));
  await stop();
  return 0;
}
