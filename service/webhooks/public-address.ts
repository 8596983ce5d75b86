import { BlockList, isIP, isIPv4 } from "node:net";

type Range = readonly [network: string, prefix: number];

/** IPv4's special-purpose registry, multicast and what is reserved: nothing there is a stranger's server. */
const NOT_PUBLIC_IPV4: readonly Range[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** All of IPv6 that is handed out; mapped, translated and local addresses lie outside. */
const GLOBAL_UNICAST: Range = ["2000::", 3];

/** Teredo and other protocols, documentation, 6to4, documentation: an IPv4 address may hide in them. */
const NOT_PUBLIC_IPV6: readonly Range[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

function listOf(family: "ipv4" | "ipv6", ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

const refusedIpv4 = listOf("ipv4", NOT_PUBLIC_IPV4);
const refusedIpv6 = listOf("ipv6", NOT_PUBLIC_IPV6);
const globalIpv6 = listOf("ipv6", [GLOBAL_UNICAST]);

/** Whether an address is public unicast: a server on the internet, not one of this machine's or its networks'. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedIpv4.check(address, "ipv4");
  return isIP(address) === 6 && globalIpv6.check(address, "ipv6") && !refusedIpv6.check(address, "ipv6");
}
