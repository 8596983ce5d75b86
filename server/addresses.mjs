// @ts-check
import { BlockList, isIP } from "node:net";

/** Set on every request by the front server, over any received value. */
export const CLIENT_ADDRESS_HEADER = "x-retaguarda-client";

const NETWORK_GROUPS = 4;

const familyOf = (/** @type {string} */ address) => (isIP(address) === 6 ? "ipv6" : "ipv4");
/** Dual-stack sockets write IPv4 as IPv6. */
const plainOf = (/** @type {string} */ address) => address.replace(/^::ffff:(?=\d+\.)/i, "");

/**
 * The proxies that `TRUSTED_PROXIES` names, as addresses or networks separated by commas, or `none`; null when it
 * cannot be read. @param {string} text
 */
export function trustedProxiesOf(text) {
  const trusted = new BlockList();
  if (text.trim() === "none") return trusted;
  for (const network of text.split(",")) {
    const [address = "", bits, ...others] = network.trim().split("/");
    const mostBits = isIP(address) === 6 ? 128 : 32;
    const length = bits === undefined ? mostBits : Number(/^\d{1,3}$/.exec(bits)?.[0] ?? 0);
    if (isIP(address) === 0 || others.length > 0 || length < 1 || length > mostBits) return null;
    trusted.addSubnet(address, length, familyOf(address));
  }
  return trusted;
}

/** @param {string} address @param {BlockList} trusted */
const isTrusted = (address, trusted) => isIP(address) > 0 && trusted.check(address, familyOf(address));

/** Some proxies append the port, with IPv6 in brackets, and quote all of it. @param {string} written */
function withoutPort(written) {
  const hop = written.replace(/^"(.*)"$/, "$1").trim();
  return /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? /^(\d+(?:\.\d+){3}):\d{1,5}$/.exec(hop)?.[1] ?? hop;
}

/** @param {import("node:http").IncomingHttpHeaders} headers */
function hopsOf(headers) {
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  return forwarded.map((hop) => plainOf(withoutPort(hop.trim()))).filter(Boolean);
}

/** Whether the nearest proxy's entry is no address. @param {import("node:http").IncomingHttpHeaders} headers */
export function isHopUnread(headers) {
  const nearest = hopsOf(headers).at(-1);
  return nearest !== undefined && isIP(nearest) === 0;
}

/**
 * The caller's address. Each proxy appends the address that called it, so this is the first one, backwards from the
 * connection, that no trusted proxy has. Anybody can write those before it. Behind an unreadable entry callers share
 * the address of the proxy that wrote it, as a caller without an address would have no quota.
 * @param {{ headers: import("node:http").IncomingHttpHeaders, socket: { remoteAddress?: string | undefined } }} request
 * @param {BlockList} trusted @returns {string | null}
 */
export function clientAddressOf({ headers, socket }, trusted) {
  const hops = hopsOf(headers);
  let address = plainOf(socket.remoteAddress ?? "");
  while (isTrusted(address, trusted) && isIP(hops.at(-1) ?? "") > 0) address = hops.pop() ?? "";
  return isIP(address) > 0 ? address : null;
}

/** The network that an address counts for, as an IPv6 user has 64 bits to choose from. @param {string} address */
export function networkOf(address) {
  const plain = plainOf(address).split("%", 1)[0] ?? "";
  if (isIP(plain) !== 6) return plain;
  // Shortest form, without IPv4 at its end.
  const [front = "", back] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split("::");
  const groups = front.split(":").filter(Boolean);
  const behind = back?.split(":").filter(Boolean) ?? [];
  const zeros = Array.from({ length: 8 - groups.length - behind.length }, () => "0");
  return `${[...groups, ...zeros, ...behind].slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

/**
 * Limits open connections in all, and from one address; those of trusted proxies count only in all.
 * @param {import("node:net").Server} server @param {{ total: number, perAddress: number }} limits
 * @param {{ trusted: BlockList, onRefused: () => void }} given
 */
export function limitConnections(server, { total, perAddress }, { trusted, onRefused }) {
  server.maxConnections = total;
  server.on("drop", onRefused);
  /** @type {Map<string, number>} */
  const open = new Map();
  server.on("connection", (/** @type {import("node:net").Socket} */ socket) => {
    const address = plainOf(socket.remoteAddress ?? "");
    if (isTrusted(address, trusted)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= perAddress) {
      onRefused();
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}
