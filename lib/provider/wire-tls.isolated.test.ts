import { once } from "node:events";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent, createServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, test, vi } from "vitest";
import { certify } from "@/service/webhooks/test-certificates";
import { sendOverHttp } from "./wire-http";

const LIMITS = { connectMs: 2_000, firstByteMs: 2_000, totalMs: 5_000, maxBytes: 1_000 };
const closing: (() => void)[] = [];

afterEach(() => {
  closing.splice(0).forEach((close) => close());
  globalThis.retaguardaWireAgents = undefined;
});

/** A provider with this certificate; `received` counts the bytes that came through TLS. */
async function givenProvider({ key, cert }: { key: string | Buffer; cert: string }) {
  const reused: boolean[] = [];
  let received = 0;
  const server = createServer({ key, cert, minVersion: "TLSv1.2" }, (_, outgoing) => outgoing.end("{}"));
  server.on("secureConnection", (socket: TLSSocket) => {
    reused.push(socket.isSessionReused());
    socket.on("data", (chunk: Buffer) => (received += chunk.byteLength));
  });
  server.on("tlsClientError", () => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const origin = `https://localhost:${typeof address === "object" && address !== null ? address.port : 0}`;
  return { origin, received: () => received, connections: () => reused };
}

const send = (origin: string, isFresh = false) =>
  sendOverHttp({
    method: "POST",
    url: new URL("/v1/kyc/person", origin),
    headers: { authorization: "Bearer t" },
    body: "{}",
    limits: LIMITS,
    isFresh,
  });

const REFUSED = { code: "no-connection", mayHaveExecuted: false };

function trusting(ca: string): void {
  const agents = { pooled: new HttpsAgent({ ca, keepAlive: true }), fresh: new HttpsAgent({ ca, keepAlive: false }) };
  globalThis.retaguardaWireAgents = { http: { pooled: new HttpAgent(), fresh: new HttpAgent() }, https: agents };
  closing.push(() => agents.pooled.destroy());
}

describe("the wire over TLS", () => {
  test("sends nothing to a self-signed server, whatever the environment", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const provider = await givenProvider(certify({ hosts: ["localhost"] }));
    for (const isFresh of [false, true]) {
      await expect(send(provider.origin, isFresh)).rejects.toMatchObject({
        ...REFUSED,
        reason: "DEPTH_ZERO_SELF_SIGNED_CERT",
      });
    }
    expect(provider.received()).toBe(0);
  });

  test("sends nothing to another host, nor to one with an expired certificate", async () => {
    const authority = certify({ hosts: [] });
    const issuer = { name: authority.name, key: authority.privateKey };
    trusting(authority.cert);
    const another = await givenProvider(certify({ hosts: ["bank.example"], issuer }));
    await expect(send(another.origin)).rejects.toMatchObject({ ...REFUSED, reason: "ERR_TLS_CERT_ALTNAME_INVALID" });
    const yesterday = new Date(Date.now() - 86_400_000);
    const expired = await givenProvider(certify({ hosts: ["localhost"], issuer, notAfter: yesterday }));
    await expect(send(expired.origin)).rejects.toMatchObject({ ...REFUSED, reason: "CERT_HAS_EXPIRED" });
    expect([another.received(), expired.received()]).toEqual([0, 0]);
  });

  test("reaches a trusted server over kept and fresh connections", async () => {
    const authority = certify({ hosts: [] });
    trusting(authority.cert);
    const issuer = { name: authority.name, key: authority.privateKey };
    const provider = await givenProvider(certify({ hosts: ["localhost"], issuer }));
    for (const isFresh of [false, false, true, true]) {
      expect(await send(provider.origin, isFresh)).toMatchObject({ status: 200, text: "{}" });
    }
    expect(provider.connections()).toHaveLength(3);
  });
});
