import { once } from "node:events";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { answerWith, closedAtStart, cutAtStart, cutInBody, cutInHead, type Fault, strikes } from "@/test/support/fault";
import { type FaultProxy, startFaultProxy } from "@/test/support/fault-proxy";
import { type Outgoing, sendOverHttp, WireError } from "./wire-http";

const LIMITS = { connectMs: 2_000, firstByteMs: 2_000, totalMs: 5_000, maxBytes: 1_000 };

const provider = createServer((incoming, outgoing) => {
  const { method, headers } = incoming;
  let body = "";
  incoming.on("data", (chunk: Buffer) => (body += chunk.toString()));
  incoming.once("end", () => outgoing.setHeader("x-page", "2").end(JSON.stringify({ method, headers, body })));
});
let proxy: FaultProxy;

beforeAll(async () => {
  await once(provider.listen(0, "127.0.0.1"), "listening");
  const address = provider.address();
  proxy = await startFaultProxy(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`);
});

afterEach(() => {
  proxy.heal();
  proxy.forget();
});

afterAll(async () => {
  await proxy.stop();
  provider.close();
  provider.closeAllConnections();
});

const send = (given: Partial<Outgoing> = {}) =>
  sendOverHttp({ method: "GET", url: new URL("/v1/webhooks", proxy.origin), headers: {}, limits: LIMITS, ...given });

/** The result of a call that meets this fault once. */
async function meet(fault: Fault, given: Partial<Outgoing> = {}) {
  proxy.harm("*", fault, 1);
  try {
    return (await send({ isFresh: true, ...given })).text;
  } catch (error) {
    return error instanceof WireError ? [error.code, error.mayHaveExecuted] : error;
  }
}

/** Bytes that need not be HTTP. */
const rawBytes = (name: string, bytes: string) => strikes(name, (socket) => void socket.end(bytes));

const packed = (coding: string, body: Buffer | string) =>
  answerWith(coding, { status: 200, headers: { "content-encoding": coding }, body });

describe("the wire", () => {
  test("sends method, headers and body, and asks for an uncompressed answer", async () => {
    const { status, header, text } = await send({
      method: "POST",
      headers: { authorization: "Bearer t", "content-type": "application/json" },
      body: '{"nome":"João"}',
    });
    expect([status, header("x-page"), header("retry-after")]).toEqual([200, "2", null]);
    expect(JSON.parse(text)).toMatchObject({
      method: "POST",
      headers: { authorization: "Bearer t", "accept-encoding": "identity", "content-length": "16" },
      body: '{"nome":"João"}',
    });
  });

  test("returns an error's answer, and one without a body", async () => {
    proxy.harm("*", answerWith("422", { status: 422, body: '{"message":"no"}' }), 1);
    expect(await send()).toMatchObject({ status: 422, text: '{"message":"no"}' });
    proxy.harm("*", answerWith("204", { status: 204, headers: { "content-encoding": "gzip" } }), 1);
    expect(await send()).toMatchObject({ status: 204, text: "" });
  });

  test("never follows a redirect", async () => {
    proxy.harm("*", answerWith("302", { status: 302, headers: { location: `${proxy.origin}/v1/canary` } }), 1);
    const answer = await send({ headers: { authorization: "Bearer t" } });
    expect([answer.status, answer.header("location")]).toEqual([302, `${proxy.origin}/v1/canary`]);
    expect(proxy.requests()).toBe(1);
  });

  test("knows that nothing left without a connection", async () => {
    await proxy.close();
    const refused = new WireError("no-connection", false, "ECONNREFUSED");
    await expect(send()).rejects.toEqual(refused);
    await expect(send({ method: "POST", body: "{}", isFresh: true })).rejects.toEqual(refused);
    await proxy.open();
  });

  test("knows that nothing left when a header is invalid", async () => {
    await expect(send({ headers: { authorization: "Bearer a\r\nx: b" } })).rejects.toMatchObject({
      code: "not-sent",
      mayHaveExecuted: false,
    });
  });

  test.each<[Fault, string]>([
    [cutAtStart, "no-answer"],
    [closedAtStart, "no-answer"],
    [cutInHead, "no-answer"],
    [cutInBody, "answer-cut-off"],
    [
      answerWith("shorter than it says", { status: 200, headers: { "content-length": "9" }, body: "{}" }),
      "answer-cut-off",
    ],
    [rawBytes("a chunk too few", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n"), "answer-cut-off"],
    [
      answerWith("longer than it says", { status: 200, headers: { "content-length": "2" }, body: "{}{}" }),
      "answer-not-readable",
    ],
    [rawBytes("no HTTP", "SSH-2.0-OpenSSH_9.6\r\n"), "answer-not-readable"],
    [
      rawBytes("two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}"),
      "answer-not-readable",
    ],
    [rawBytes("bad chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"), "answer-not-readable"],
    [rawBytes("endless head", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(20_000)}\r\n\r\n`), "answer-too-large"],
    [rawBytes("101", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n"), "no-answer"],
    [answerWith("too large", { status: 200, body: "a".repeat(1_001) }), "answer-too-large"],
    [packed("zstd", "{}"), "answer-not-readable"],
    [packed("gzip", "{}"), "answer-not-readable"],
    [packed("gzip", gzipSync('{"a":1}').subarray(0, -9)), "answer-not-readable"],
    [packed("gzip", gzipSync("a".repeat(1_001))), "answer-too-large"],
    [packed("gzip, gzip", gzipSync(gzipSync("{}"))), "answer-not-readable"],
  ])("says what went wrong with an answer: $name", async (fault, code) => {
    expect(await meet(fault)).toEqual([code, true]);
    expect(proxy.requests()).toBe(1);
  });

  test.each<[Fault, string]>([
    [answerWith("HTML", { status: 200, headers: { "content-type": "text/html" }, body: "<p>no" }), "<p>no"],
    [answerWith("nothing", { status: 200 }), ""],
    [answerWith("a byte order mark", { status: 200, body: "\uFEFF{}" }), "\uFEFF{}"],
    [answerWith("NaN", { status: 200, body: '{"balance":NaN}' }), '{"balance":NaN}'],
    [
      rawBytes(
        "early hints",
        "HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
      ),
      "{}",
    ],
    [rawBytes("HTTP/1.0 until it closes", "HTTP/1.0 200 OK\r\n\r\n{}"), "{}"],
    [packed("gzip", gzipSync("a".repeat(1_000))), "a".repeat(1_000)],
    [packed("GZIP", gzipSync("{}")), "{}"],
    [packed("identity", "{}"), "{}"],
  ])("returns the text as it came: $name", async (fault, text) => {
    expect(await meet(fault)).toBe(text);
  });
});

describe("a kept connection", () => {
  test("reuses a kept connection for the next call", async () => {
    await send();
    const before = proxy.connections();
    await send();
    await send({ method: "PUT", body: "{}" });
    expect(proxy.connections()).toBe(before);
  });

  test("uses no kept connection for a fresh call", async () => {
    await send();
    const ports = new Set<string>();
    for (let call = 0; call < 3; call += 1) {
      const answer = await send({ method: "POST", body: "{}", isFresh: true });
      ports.add(JSON.parse(answer.text).headers.connection);
    }
    expect(ports).toEqual(new Set(["close"]));
  });

  test("fails the call on a closed connection, without resending it", async () => {
    for (const method of ["GET", "POST"] as const) {
      await send();
      proxy.forget();
      expect(await meet(cutAtStart, { method, isFresh: false })).toEqual(["no-answer", true]);
      expect(proxy.requests()).toBe(1);
    }
  });
});
