import { once } from "node:events";
import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { afterExecution, blackHole, cutAtStart, cutInBody, cutInHead, drip, lostAnswer, status } from "./fault";
import { type FaultProxy, TOKEN_ROUTE, startFaultProxy } from "./fault-proxy";

const service = createServer((incoming, outgoing) => {
  outgoing.writeHead(incoming.url === "/v1/no" ? 422 : 200, { "content-type": "application/json" });
  outgoing.end(`{"path":"${incoming.url}"}`);
});
let proxy: FaultProxy;

const ask = (path: string, method = "GET", headers = {}) => fetch(proxy.origin + path, { method, headers });

beforeEach(async () => {
  await once(service.listen(0, "127.0.0.1"), "listening");
  const address = service.address();
  proxy = await startFaultProxy(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`);
});

afterEach(async () => {
  await proxy.stop();
  service.close();
  service.closeAllConnections();
  await once(service, "close");
});

describe("the fault proxy", () => {
  test("passes what it was not told to harm, and counts it", async () => {
    const answer = await ask("/v1/kyc/list?page=2");
    expect([answer.status, await answer.text()]).toEqual([200, '{"path":"/v1/kyc/list?page=2"}']);
    expect((await ask("/v1/no", "POST")).status).toBe(422);
    expect([proxy.requests(), proxy.requests("GET /v1/kyc/list"), proxy.executions()]).toEqual([2, 1, 1]);
  });

  test("harms so many requests of a route as it was told, the token's only when named", async () => {
    proxy.harm("*", status(503), 1);
    proxy.harm("GET /v1/crypto/wallets/{address}/balance", status(429, { "retry-after": "7" }));
    expect((await ask("/v1/authentication/oauth/access-token", "POST")).status).toBe(200);
    expect((await ask("/v1/crypto/wallets/0xA/balance")).headers.get("retry-after")).toBe("7");
    expect((await ask("/v1/webhooks")).status).toBe(503);
    expect((await ask("/v1/webhooks")).status).toBe(200);
    proxy.harm(TOKEN_ROUTE, status(500));
    expect((await ask("/v1/authentication/oauth/access-token", "POST")).status).toBe(500);
    proxy.heal(TOKEN_ROUTE);
    expect((await ask("/v1/authentication/oauth/access-token", "POST")).status).toBe(200);
    expect((await ask("/v1/crypto/wallets/0xA/balance")).status).toBe(429);
    proxy.heal();
    expect((await ask("/v1/crypto/wallets/0xA/balance")).status).toBe(200);
  });

  test("loses the answer of what the service carried out", async () => {
    proxy.harm("*", lostAnswer);
    await expect(ask("/v1/kyc/person", "POST", { "idempotency-key": "k1" })).rejects.toThrow("fetch failed");
    expect(proxy.seen()).toMatchObject([{ key: "k1", status: 200, fault: "lost answer" }]);
    expect(proxy.executions("POST /v1/kyc/person")).toBe(1);
  });

  test("cuts before the service is asked, unless told otherwise", async () => {
    for (const fault of [cutAtStart, cutInHead, afterExecution(cutInHead)]) {
      proxy.harm("*", fault, 1);
      await expect(ask("/v1/webhooks")).rejects.toThrow("fetch failed");
    }
    proxy.harm("*", cutInBody, 1);
    await expect(ask("/v1/webhooks").then((answer) => answer.text())).rejects.toThrow("terminated");
    expect([proxy.requests(), proxy.executions()]).toEqual([4, 1]);
  });

  test("drips an answer to its end, and says nothing from a black hole", async () => {
    proxy.harm("*", afterExecution(drip(1)), 1);
    expect(await (await ask("/v1/webhooks")).text()).toBe('{"path":"/v1/webhooks"}');
    proxy.harm("*", blackHole);
    await expect(fetch(`${proxy.origin}/v1/webhooks`, { signal: AbortSignal.timeout(100) })).rejects.toThrow("timeout");
  });

  test("refuses connections while it is closed, and comes back at the same address", async () => {
    await proxy.close();
    await expect(ask("/v1/webhooks")).rejects.toThrow("fetch failed");
    await proxy.open();
    expect((await ask("/v1/webhooks")).status).toBe(200);
    expect(proxy.requests()).toBe(1);
  });
});
