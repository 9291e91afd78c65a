/** Decides whether a host and port may be reached, and at which addresses exactly. */

import { isIP } from "node:net";

import {
  allowedHosts,
  canonicalHost,
  isPrivateName,
  isPublicAddress,
  portOf,
  RULES,
} from "./address.mjs";
import { LIMITS } from "./limits.mjs";
import { AnswerCache, resolveListedName, resolvePublicName } from "./resolve.mjs";

/**
 * @import { EgressGateway } from "./egress-gateway.mjs"
 * @typedef {(host: string) => Promise<string[]>} Resolve
 *
 * @typedef {object} GuardOptions
 * @property {string} [allow]
 * @property {boolean} [testing]
 * @property {Resolve} [resolve]
 * @property {number[]} [ports]
 * @property {EgressGateway | null} [gateway]
 */

/** A request that may not, or cannot, be made: invalid, scheme, private, port, unknown or closed. */
export class Refused extends Error {
  /**
   * @param {string} kind
   * @param {string} message
   */
  constructor(kind, message) {
    super(message);
    this.name = "Refused";
    this.kind = kind;
  }
}

export class Guard {
  #allowed;
  #ports;
  #resolve;
  /** @type {EgressGateway | null} */
  #gateway;
  #cache = new AnswerCache();

  /**
   * `resolve` returns all addresses of a name; `ports` are those open to hosts not listed; `gateway`
   * is the guard on another machine through which everything has to go, where there is one.
   * @param {GuardOptions} options
   */
  constructor({
    allow = "",
    testing = false,
    resolve = resolvePublicName,
    ports = RULES.ports,
    gateway = null,
  } = {}) {
    this.#allowed = allowedHosts({ list: allow, testing });
    this.#resolve = resolve;
    this.#ports = ports;
    this.#gateway = gateway;
  }

  /** @param {{gateway?: EgressGateway | null | undefined, env?: NodeJS.ProcessEnv}} options */
  static fromEnvironment({ gateway, env = process.env } = {}) {
    const testing = env.NEXUS_ENV === "test";
    return new Guard({ allow: env.NEXUS_ALLOW_PRIVATE_HOSTS, testing, gateway });
  }

  /**
   * The URL as a browser reads it, unless it can be refused without asking DNS.
   * @param {unknown} text
   */
  checkUrl(text) {
    const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : null;
    if (!url) throw invalid();
    if (!["http:", "https:"].includes(url.protocol)) {
      throw new Refused("scheme", "only http and https addresses can be saved");
    }
    this.#check(url.hostname, portOf(url));
    return url;
  }

  /**
   * How the proxy reaches a host, or Refused is thrown. Names are resolved where the web is.
   * @param {string} hostname
   * @param {number} port
   */
  async route(hostname, port) {
    if (!this.#gateway) return { dnsLookup: pinned(await this.addresses(hostname, port)) };
    const { host } = this.#check(hostname, port);
    await this.#gateway.ask(isIP(host) === 6 ? `[${host}]` : host, port);
    return { upstreamProxyUrl: this.#gateway.url };
  }

  /**
   * The addresses to dial for a host: all of them checked, or Refused is thrown.
   * @param {string} hostname
   * @param {number} port
   */
  async addresses(hostname, port) {
    const { host, listed } = this.#check(hostname, port);
    if (isIP(host)) return [host];
    const found = await this.#lookUp(host, listed ? resolveListedName : this.#resolve);
    if (!listed && !found.every((address) => isPublicAddress(address))) throw notPublic();
    return found;
  }

  /**
   * @param {string} hostname
   * @param {number} port
   */
  #check(hostname, port) {
    const host = canonicalHost(hostname);
    if (!host) throw invalid();
    const listed = this.#allowed.has(host, port);
    if (!listed) {
      if (isPrivateName(host) || (isIP(host) && !isPublicAddress(host))) throw notPublic();
      if (!this.#ports.includes(port)) {
        throw new Refused("port", `port ${port} is not allowed, only 80 and 443 are`);
      }
    }
    return { host, listed };
  }

  /**
   * @param {string} host
   * @param {Resolve} resolve
   * @returns {Promise<string[]>}
   */
  async #lookUp(host, resolve) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("DNS timeout")), LIMITS.dnsMs);
    });
    try {
      const found = await Promise.race([this.#cache.get(host, resolve), late]);
      if (found.length > 0) return found;
    } catch {
      // Reported below: a name without addresses and a failing resolver look the same to a person.
    } finally {
      clearTimeout(timer);
    }
    throw new Refused("unknown", `the site ${host} could not be found`);
  }
}

const invalid = () => new Refused("invalid", "this is not a valid web address");
const notPublic = () => new Refused("private", "this address is not public, so it is not fetched");

/**
 * A lookup that returns the checked addresses, whatever name it is asked for.
 * @param {string[]} addresses
 * @returns {any} A `dns.lookup` in the one form that is called; its type has many.
 */
function pinned(addresses) {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  /** @type {import("node:net").LookupFunction} */
  const lookup = (_name, options, callback) => {
    if (options.all) callback(null, found);
    else callback(null, found[0].address, found[0].family);
  };
  return lookup;
}
