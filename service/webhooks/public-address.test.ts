import { expect, test } from "vitest";
import { isPublicAddress } from "./post";

test.each(["1.1.1.1", "93.184.216.34", "172.15.255.255", "172.32.0.0", "192.0.1.1", "223.255.255.255"])(
  "%s is a public IPv4 address",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each(["2606:4700::1111", "2001:200::1", "2a00:1450:4001::1", "3ffe:ffff::1"])(
  "%s is a public IPv6 address",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  ["this network", "0.0.0.0"],
  ["private", "10.255.255.255"],
  ["shared by a carrier", "100.64.0.1"],
  ["loopback", "127.255.255.254"],
  ["a cloud's metadata", "169.254.169.254"],
  ["private", "172.31.255.255"],
  ["protocol assignments", "192.0.0.8"],
  ["documentation", "192.0.2.1"],
  ["6to4 relay", "192.88.99.1"],
  ["private", "192.168.0.1"],
  ["benchmarking", "198.19.0.1"],
  ["documentation", "198.51.100.1"],
  ["documentation", "203.0.113.1"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["IPv4-compatible", "::7f00:1"],
  ["IPv4-mapped", "::ffff:127.0.0.1"],
  ["IPv4-mapped, though public", "::ffff:1.1.1.1"],
  ["NAT64", "64:ff9b::7f00:1"],
  ["local NAT64", "64:ff9b:1::1"],
  ["discard", "100::1"],
  ["Teredo", "2001:0:7f00:1::1"],
  ["ORCHID", "2001:20::1"],
  ["documentation", "2001:db8::1"],
  ["6to4", "2002:7f00:1::1"],
  ["documentation", "3fff::1"],
  ["unique local", "fd00::1"],
  ["link-local", "fe80::1"],
  ["link-local with its zone", "fe80::1%lo"],
  ["site-local", "fec0::1"],
  ["multicast", "ff02::1"],
  ["no address", "localhost"],
  ["nothing", ""],
])("an address is not public: %s, %s", (_, address) => expect(isPublicAddress(address)).toBe(false));
