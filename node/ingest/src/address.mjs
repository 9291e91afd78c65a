/** Which addresses may be reached. The rules are data shared with the Python side. */

import { readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

export const RULES = JSON.parse(
  readFileSync(new URL("../../../egress/rules.json", import.meta.url), "utf8"),
);

/**
 * @param {string[]} ranges
 * @param {"ipv4" | "ipv6"} family
 */
function blockList(ranges, family) {
  const list = new BlockList();
  for (const range of ranges) {
    const [network, bits] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

const ipv4Refused = blockList(RULES.ipv4_refused, "ipv4");
const ipv6Allowed = blockList(RULES.ipv6_allowed, "ipv6");
const ipv6Refused = blockList(RULES.ipv6_refused, "ipv6");

/**
 * True for an address literal on the public internet that is not this machine's own.
 * @param {string} address
 * @param {Set<string>} [own]
 */
export function isPublicAddress(address, own = ownAddresses()) {
  const family = isIP(address);
  if (family === 0 || address.includes("%") || own.has(address)) return false;
  if (family === 4) return !ipv4Refused.check(address, "ipv4");
  return ipv6Allowed.check(address, "ipv6") && !ipv6Refused.check(address, "ipv6");
}

/** The addresses of this machine's interfaces, read each time: interfaces come and go. */
export function ownAddresses() {
  const addresses = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  return new Set(addresses.map(({ address }) => canonicalHost(address) ?? address));
}

/**
 * A host as a browser reads it: numbers in any notation become an address, names become lower-case
 * ASCII without a trailing dot, IPv6 loses its brackets. Null when a browser would not accept it.
 * @param {string} host
 */
export function canonicalHost(host) {
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  const url = URL.canParse(`http://${bracketed}/`) ? new URL(`http://${bracketed}/`) : null;
  // A host holding "/", "@" or ":" would have been split; refuse rather than guess.
  if (!url || url.href !== `http://${url.hostname}/`) return null;
  const name = url.hostname.replace(/\.$/, "");
  return name.startsWith("[") ? name.slice(1, -1) : name;
}

/**
 * The port a parsed URL leads to.
 * @param {{port: string, protocol: string}} url
 */
export function portOf({ port, protocol }) {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

const PRIVATE_NAMES = [...RULES.loopback_names, ...RULES.private_names];

/**
 * True for names of this machine and of local networks, whatever DNS says of them.
 * @param {string} host
 */
export function isPrivateName(host) {
  return PRIVATE_NAMES.some((name) => host === name || host.endsWith(`.${name}`));
}

/**
 * The hosts an operator lets through although they are not public: `host` (any port) or
 * `host:port`. In the test environment loopback is among them.
 */
export function allowedHosts({ list = "", testing = false } = {}) {
  /** @type {Map<string, Set<number | "*">>} */
  const allowed = new Map();
  /**
   * @param {string} host
   * @param {number | "*"} port
   */
  const add = (host, port) => {
    const ports = allowed.get(host) ?? new Set();
    allowed.set(host, ports.add(port));
  };
  for (const entry of list
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)) {
    const split = isIP(entry) ? null : /^(.*):(\d+)$/.exec(entry);
    const host = canonicalHost(split ? split[1] : entry);
    if (host) add(host, split ? Number(split[2]) : "*");
  }
  if (testing) for (const host of ["127.0.0.1", "::1", ...RULES.loopback_names]) add(host, "*");
  return {
    /**
     * @param {string} host
     * @param {number} port
     */
    has(host, port) {
      const ports = allowed.get(host);
      return Boolean(ports && (ports.has("*") || ports.has(port)));
    },
  };
}
