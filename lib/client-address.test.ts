import { createServer, type IncomingHttpHeaders } from "node:http";
import { expect, it } from "vitest";
import { CLIENT_ADDRESS_HEADER, clientAddressOf, markClientAddresses } from "./client-address";

const from = (remoteAddress: string, forwarded?: string) => ({
  headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  socket: { remoteAddress },
});

it.each([
  { proxies: 0, given: from("203.0.113.9"), is: "203.0.113.9" },
  { proxies: 0, given: from("203.0.113.9", "10.0.0.1"), is: "203.0.113.9" },
  { proxies: 1, given: from("10.0.0.1", "198.51.100.7"), is: "198.51.100.7" },
  { proxies: 1, given: from("10.0.0.1", "1.2.3.4, 198.51.100.7"), is: "198.51.100.7" },
  { proxies: 2, given: from("10.0.0.1", "1.2.3.4, 198.51.100.7, 10.0.0.2"), is: "198.51.100.7" },
  { proxies: 1, given: from("10.0.0.1"), is: "10.0.0.1" },
  { proxies: 1, given: from("10.0.0.1", "unknown"), is: null },
  { proxies: 0, given: from("::ffff:203.0.113.9"), is: "203.0.113.9" },
  { proxies: 0, given: from("2001:db8::1"), is: "2001:db8::1" },
])("behind $proxies trusted proxies, $given.headers from $given.socket is $is", ({ proxies, given, is }) => {
  expect(clientAddressOf(given, proxies)).toBe(is);
});

it("is what the server says, whatever the client wrote in its place", async () => {
  markClientAddresses(0);
  let heard: IncomingHttpHeaders = {};
  const server = createServer((request, answer) => {
    heard = request.headers;
    answer.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  await fetch(`http://127.0.0.1:${port}/`, { headers: { [CLIENT_ADDRESS_HEADER]: "198.51.100.7" } });
  expect(heard[CLIENT_ADDRESS_HEADER]).toBe("127.0.0.1");
  server.close();
});
