import { once } from "node:events";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import { connect, type SecureVersion } from "node:tls";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readSettings } from "@/service/settings";
import { createPost } from "./post";
import { certify } from "./test-certificates";
import { listen, type Listening } from "@/test/support/service/webhooks";

const never = new AbortController().signal;
const authority = certify({ hosts: [] });
const issuer = { name: authority.name, key: authority.privateKey };
const post = createPost(readSettings({}), { ca: authority.cert });

let opened: Listening | undefined;
let requests = 0;
beforeEach(() => {
  requests = 0;
});
afterEach(() => opened?.close());

type Certificate = ReturnType<typeof certify>;
type Protocol = { minVersion?: SecureVersion; maxVersion?: SecureVersion; ciphers?: string };

async function receiver({ key, cert }: Certificate, protocol: Protocol = {}): Promise<Listening> {
  const server = createServer({ key, cert, ...protocol }, (_, response) => {
    requests += 1;
    response.end();
  });
  opened = await listen(server);
  return opened;
}

const send = ({ port }: Listening, host = "localhost") =>
  post({ url: `https://${host}:${port}/`, headers: {}, body: "{}" }, never);

test.each(["localhost", "127.0.0.1"])("accepts a valid certificate of %s", async (host) => {
  const to = await receiver(certify({ hosts: ["localhost", "127.0.0.1"], issuer }));
  expect(await send(to, host)).toEqual({ httpStatus: 200, error: null });
  expect(requests).toBe(1);
});

test.each<[string, string, () => Certificate]>([
  ["has expired", "certificate-expired", () => certify({ hosts: ["localhost"], issuer, notAfter: new Date(0) })],
  ["is another host's", "certificate-of-another-host", () => certify({ hosts: ["other.example"], issuer })],
  ["is signed by itself", "certificate-not-trusted", () => certify({ hosts: ["localhost"] })],
  [
    "is signed by someone of the authority's name",
    "certificate-not-trusted",
    () => certify({ hosts: ["localhost"], issuer: { ...issuer, key: certify({ hosts: [] }).privateKey } }),
  ],
])("sends nothing to a receiver whose certificate %s: %s", async (_, word, certificate) => {
  expect(await send(await receiver(certificate()))).toEqual({ httpStatus: null, error: word });
  expect(requests).toBe(0);
});

test("sends nothing to a receiver limited to TLS 1.1", async () => {
  const old = { minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  const to = await receiver(certify({ hosts: ["localhost"], issuer }), { ...old, maxVersion: "TLSv1.1" });
  const socket = connect({ ...old, port: to.port, host: "localhost", ca: authority.cert });
  await once(socket, "secureConnect");
  expect(socket.getProtocol()).toBe("TLSv1.1");
  socket.destroy();
  expect(await send(to)).toEqual({ httpStatus: null, error: "tls-failed" });
  expect(requests).toBe(0);
});

test("sends nothing to a receiver without TLS", async () => {
  opened = await listen(createPlainServer());
  expect(await send(opened)).toEqual({ httpStatus: null, error: "tls-failed" });
});

test("keeps the certificate check, whatever the environment", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  expect(await send(await receiver(certify({ hosts: ["localhost"] })))).toMatchObject({
    error: "certificate-not-trusted",
  });
});
