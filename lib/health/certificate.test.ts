import { createServer } from "node:tls";
import { expect, it } from "vitest";
import { certify } from "@/service/webhooks/test-certificates";
import { certificateEnd } from "./certificate";

const notAfter = new Date("2031-05-06T07:08:09Z");

it("reads when a certificate ends that nobody vouches for", async () => {
  const server = createServer(certify({ hosts: ["localhost"], notAfter }));
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  expect(await certificateEnd(new URL(`https://localhost:${port}`))).toEqual(notAfter);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  expect(await certificateEnd(new URL(`https://localhost:${port}`))).toBeNull();
});

it("reads none of an address without https", async () => {
  expect(await certificateEnd(new URL("http://localhost:1"))).toBeNull();
});
