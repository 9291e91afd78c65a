/** Decides whether a host and port may be reached, and at which addresses exactly. */

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import { RULES, allowedHosts, canonicalHost, isLoopbackName, isPublicAddress } from './address.mjs';
import { LIMITS } from './limits.mjs';

/** A request that may not, or cannot, be made. `kind` is private, port, invalid or unknown. */
export class Refused extends Error {
  constructor(kind, message) {
    super(message);
    this.name = 'Refused';
    this.kind = kind;
  }
}

async function systemResolve(host) {
  const answers = await lookup(host, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
}

export class Guard {
  /** @param {{allow?: string, testing?: boolean, resolve?: (host: string) => Promise<string[]>}} */
  constructor({ allow = '', testing = false, resolve = systemResolve } = {}) {
    this.allowed = allowedHosts({ list: allow, testing });
    this.resolve = resolve;
  }

  static fromEnvironment(env = process.env) {
    return new Guard({ allow: env.NEXUS_ALLOW_PRIVATE_HOSTS, testing: env.NEXUS_ENV === 'test' });
  }

  /** The addresses to dial for a host: all of them checked, or Refused is thrown. */
  async addresses(hostname, port) {
    const host = canonicalHost(hostname);
    if (!host) throw new Refused('invalid', 'this is not a valid web address');
    const listed = this.allowed.has(host, port);
    if (!listed) this.#checkUnlisted(host, port);
    if (isIP(host)) return [host];
    const answers = await this.#answers(host);
    if (!listed && !answers.every((address) => isPublicAddress(address))) throw notPublic();
    return answers;
  }

  #checkUnlisted(host, port) {
    if (isLoopbackName(host) || (isIP(host) && !isPublicAddress(host))) throw notPublic();
    if (!RULES.ports.includes(port)) {
      throw new Refused('port', `port ${port} is not allowed, only 80 and 443 are`);
    }
  }

  async #answers(host) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error('DNS timeout')), LIMITS.dnsMs);
    });
    try {
      const answers = await Promise.race([this.resolve(host), late]);
      if (answers.length > 0) return answers;
    } catch {
      // Said below: a name without answers and a failing resolver look the same to a person.
    } finally {
      clearTimeout(timer);
    }
    throw new Refused('unknown', `the site ${host} could not be found`);
  }
}

function notPublic() {
  return new Refused('private', 'this address is not public, so it is not fetched');
}
