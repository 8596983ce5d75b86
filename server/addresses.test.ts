import { once } from "node:events";
import { connect, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { clientAddressOf, isHopUnread, limitConnections, networkOf, trustedProxiesOf } from "./addresses.mjs";

const trust = (text: string) =>
  z.custom<NonNullable<ReturnType<typeof trustedProxiesOf>>>().parse(trustedProxiesOf(text));
const from = (remoteAddress: string, forwarded?: string) => ({
  headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  socket: { remoteAddress },
});

it.each([
  { proxies: "none", given: from("203.0.113.9"), is: "203.0.113.9" },
  { proxies: "none", given: from("203.0.113.9", "10.0.0.1"), is: "203.0.113.9" },
  { proxies: "10.0.0.1", given: from("10.0.0.1", "198.51.100.7"), is: "198.51.100.7" },
  { proxies: "10.0.0.1/32", given: from("10.0.0.1", "1.2.3.4, 198.51.100.7"), is: "198.51.100.7" },
  { proxies: "10.0.0.0/24", given: from("10.0.0.1", "1.2.3.4, 198.51.100.7, 10.0.0.2"), is: "198.51.100.7" },
  { proxies: "10.0.0.1", given: from("10.0.0.9", "198.51.100.7"), is: "10.0.0.9" },
  { proxies: "127.0.0.1/32, ::1", given: from("::ffff:127.0.0.1", "198.51.100.7"), is: "198.51.100.7" },
  { proxies: "fd00::/8", given: from("fd00::5", "2001:db8::1"), is: "2001:db8::1" },
  { proxies: "10.0.0.1", given: from("10.0.0.1"), is: "10.0.0.1" },
  { proxies: "10.0.0.1", given: from("10.0.0.1", "unknown"), is: "10.0.0.1" },
  { proxies: "10.0.0.1", given: from("10.0.0.1", "1.2.3.4, unknown"), is: "10.0.0.1" },
  { proxies: "10.0.0.1", given: from("10.0.0.1", "198.51.100.7:51234"), is: "198.51.100.7" },
  { proxies: "10.0.0.0/24", given: from("10.0.0.1", "198.51.100.7:51234, 10.0.0.2:443"), is: "198.51.100.7" },
  { proxies: "10.0.0.1", given: from("10.0.0.1", "[2001:db8::1]:51234"), is: "2001:db8::1" },
  { proxies: "10.0.0.1", given: from("10.0.0.1", "[2001:db8::1]"), is: "2001:db8::1" },
  { proxies: "10.0.0.1", given: from("10.0.0.1", "[::ffff:198.51.100.7]:1"), is: "198.51.100.7" },
  { proxies: "10.0.0.1", given: from("10.0.0.1", '"198.51.100.7"'), is: "198.51.100.7" },
  { proxies: "10.0.0.1", given: from("10.0.0.1", '1.2.3.4, "198.51.100.7:51234"'), is: "198.51.100.7" },
  { proxies: "10.0.0.1", given: from("10.0.0.1", '"[2001:db8::1]:51234"'), is: "2001:db8::1" },
  { proxies: "10.0.0.1", given: from("10.0.0.1", '"2001:db8::1"'), is: "2001:db8::1" },
  { proxies: "none", given: from("::ffff:203.0.113.9"), is: "203.0.113.9" },
])("names the caller $is behind $proxies: $given.headers from $given.socket", ({ proxies, given, is }) => {
  expect(clientAddressOf(given, trust(proxies))).toBe(is);
});

it.each([
  ["198.51.100.7", false],
  ['"198.51.100.7"', false],
  ["198.51.100.7, _hidden", true],
  ["unknown", true],
])("says whether the nearest proxy of %s is ignored: %s", (forwarded, isUnread) => {
  expect(isHopUnread({ "x-forwarded-for": forwarded })).toBe(isUnread);
});

it.each(["1", "", "10.0.0.0/33", "10.0.0.0/0", "10.0.0.0/x", "10.0.0.0/8/8", "proxy.example", "::1/129", "10.0.0.1,"])(
  "reads no proxies from %j",
  (text) => expect(trustedProxiesOf(text)).toBeNull(),
);

it.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:1:2::ffff", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
])("counts the address %s as %s", (address, network) => expect(networkOf(address)).toBe(network));

async function openThree(proxies: string, limits = { total: 100, perAddress: 2 }) {
  let refused = 0;
  const server = createServer();
  limitConnections(server, limits, { trusted: trust(proxies), onRefused: () => (refused += 1) });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const sockets = [connect(port), connect(port), connect(port)];
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const held = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  return { sockets, refused: () => refused, held, again: () => connect(port), end: () => server.close() };
}

describe("connections", () => {
  it("limits connections per address, and a closed one makes room", async () => {
    const { sockets, refused, held, again, end } = await openThree("none");
    await expect.poll(refused).toBe(1);
    for (const socket of sockets) socket.destroy();
    await expect.poll(held).toBe(0);
    const next = again();
    await expect.poll(held).toBe(1);
    expect(refused()).toBe(1);
    next.destroy();
    end();
  });

  it("counts connections of a trusted proxy only towards the total", async () => {
    const byProxy = await openThree("127.0.0.1");
    expect(byProxy.refused()).toBe(0);
    const inAll = await openThree("127.0.0.1", { total: 2, perAddress: 2 });
    await expect.poll(inAll.refused).toBe(1);
    for (const { sockets, end } of [byProxy, inAll]) {
      for (const socket of sockets) socket.destroy();
      end();
    }
  });
});
