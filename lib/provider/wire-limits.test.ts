import { once } from "node:events";
import { createServer as createTcpServer } from "node:net";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { answerWith, type Fault, JSON_ONLY, orElse, rawAnswer, strikes } from "@/test/support/fault";
import { type FaultProxy, startFaultProxy } from "@/test/support/fault-proxy";
import { type Limits, sendOverHttp, WireError } from "./wire-http";

const MEGABYTE = 1024 * 1024;
/** Effectively unlimited: each test sets the one limit that ends its call. */
const LIMITS = { connectMs: 600_000, firstByteMs: 600_000, totalMs: 600_000, maxBytes: 5 * MEGABYTE };

let proxy: FaultProxy;

beforeAll(async () => {
  proxy = await startFaultProxy("http://127.0.0.1:1");
});

afterEach(() => {
  proxy.heal();
  proxy.forget();
});

afterAll(() => proxy.stop());

/** Takes the request and never answers. */
const blackHole = strikes("black hole", () => {});

/** One byte at a time. */
const drip = (everyMs: number): Fault =>
  strikes("drip", (socket, answer) => {
    const { head, body } = orElse(answer);
    const bytes = Buffer.concat([head, body]);
    let sent = 0;
    const dripping = setInterval(() => {
      socket.write(bytes.subarray(sent, sent + 1));
      sent += 1;
      if (sent === bytes.byteLength) socket.end();
    }, everyMs);
    socket.once("close", () => clearInterval(dripping));
  });

/** The head at once, then the body one byte at a time. */
const dripBody = (everyMs: number): Fault =>
  strikes("body drips", (socket, answer) => {
    const { head, body } = orElse(answer);
    socket.write(head);
    drip(everyMs).strike(socket, { head: body.subarray(0, 1), body: body.subarray(1) });
  });

/** An endless 200 answer in pieces of 64 KiB. */
const endless = (sizeBytes: number): Fault =>
  strikes("endless", (socket) => {
    socket.write(rawAnswer({ status: 200, headers: { ...JSON_ONLY, "content-length": `${sizeBytes}` } }).head);
    const piece = Buffer.alloc(64 * 1024, "[");
    let leftBytes = sizeBytes;
    const pour = () => {
      while (leftBytes > 0 && !socket.destroyed) {
        leftBytes -= piece.byteLength;
        if (!socket.write(piece)) return;
      }
      socket.end();
    };
    socket.on("drain", pour);
    pour();
  });

type Ending = { code: string; mayHaveExecuted: boolean };

/** How a call with this fault ends, which must not be well. */
async function endOf(limits: Partial<Limits>, url = new URL("/v1/webhooks", proxy.origin)): Promise<Ending> {
  const call = { method: "GET", url, headers: {}, limits: { ...LIMITS, ...limits } } as const;
  const error: unknown = await sendOverHttp(call).then(
    ({ status }) => new Error(`answered ${status}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof WireError)) throw error;
  const { code, mayHaveExecuted } = error;
  return { code, mayHaveExecuted };
}

const hang = (calls: number, limits: Partial<Limits>) =>
  Promise.all(Array.from({ length: calls }, () => endOf(limits)));

describe("the wire's time", () => {
  test("limits DNS, handshake and answer separately", async () => {
    const silent = createTcpServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const handshake = await endOf({ connectMs: 100 }, new URL(`https://127.0.0.1:${port}`));
    expect(handshake).toMatchObject({ code: "no-connection", mayHaveExecuted: false });
    silent.close();

    const name = await endOf({ connectMs: 100 }, new URL("http://no-such-host.invalid"));
    expect(name).toMatchObject({ code: "no-connection", mayHaveExecuted: false });

    proxy.harm("*", blackHole);
    const answer = await endOf({ firstByteMs: 150 });
    expect(answer).toMatchObject({ code: "no-answer", mayHaveExecuted: true });
  });

  test("ends a dripping answer, in head or body", async () => {
    proxy.harm("*", drip(20), 1);
    const head = await endOf({ firstByteMs: 200 });
    expect(head.code).toBe("no-answer");

    proxy.harm("*", dripBody(30), 1);
    const body = await endOf({ firstByteMs: 200, totalMs: 400 });
    expect(body.code).toBe("answer-too-slow");

    proxy.harm("*", dripBody(10_000), 1);
    const pause = await endOf({ firstByteMs: 200 });
    expect(pause.code).toBe("answer-too-slow");
  });

  test("ends calls queued behind 256 hanging ones, and closes every connection", async () => {
    proxy.harm("*", blackHole);
    const hanging = hang(256, {});
    await vi.waitFor(() => expect(proxy.requests()).toBe(256), 60_000);
    const waiting = await hang(4, { totalMs: 100 });
    expect(waiting).toEqual(Array.from({ length: 4 }, () => ({ code: "no-connection", mayHaveExecuted: false })));
    expect(proxy.requests()).toBe(256);
    await proxy.close();
    const ends = await hanging;
    expect(new Set(ends.map(({ code }) => code))).toEqual(new Set(["no-answer"]));
    await vi.waitFor(() => expect(proxy.connections()).toBe(0));
    await proxy.open();
  });
});

/** The same compressed piece repeatedly, as gzip members may follow each other. */
function bomb(coding: string, piece: Buffer, times: number): Fault {
  const body = Buffer.concat(Array.from({ length: times }, () => piece));
  return answerWith(`${coding} bomb`, { status: 200, headers: { "content-encoding": coding }, body });
}

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

describe("the wire's bound", () => {
  test.each([
    ["a plain answer of 1 GiB", () => endless(1024 * MEGABYTE)],
    ["1 GiB packed by gzip", () => bomb("gzip", gzipSync(Buffer.alloc(64 * MEGABYTE)), 16)],
    ["1 GiB packed by br", () => bomb("br", brotliCompressSync(Buffer.alloc(1024 * MEGABYTE), FAST), 1)],
  ])("refuses %s as too large", async (_, make) => {
    proxy.harm("*", make(), 1);
    expect((await endOf({})).code).toBe("answer-too-large");
  });

  test("accepts an answer up to its limit, however compressed", async () => {
    const body = Buffer.alloc(LIMITS.maxBytes, "a");
    for (const given of [{ body }, { headers: { "content-encoding": "gzip" }, body: gzipSync(body) }]) {
      const { head, body: sent } = rawAnswer({ status: 200, ...given });
      proxy.harm(
        "*",
        { name: "large", isForwarded: false, strike: (socket) => void socket.end(Buffer.concat([head, sent])) },
        1,
      );
      const { text } = await sendOverHttp({ method: "GET", url: new URL(proxy.origin), headers: {}, limits: LIMITS });
      expect(text.length).toBe(LIMITS.maxBytes);
    }
  });
});
