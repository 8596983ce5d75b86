import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { type BankError, kindOf } from "@/lib/bank/answer";

/** An answer as it stands on the wire. */
export type RawAnswer = { head: Buffer; body: Buffer };

/** What befalls a request at the proxy. */
export type Fault = {
  name: string;
  /** Whether the service gets the request, and carries it out, before the fault strikes. */
  isForwarded: boolean;
  /** Answers on the connection, or does whatever it does instead; `answer` is the service's, empty where it was not asked. */
  strike: (socket: Socket, answer: RawAnswer) => void;
};

type Headers = Readonly<Record<string, string>>;
type Given = { status: number; headers?: Headers; body?: string | Buffer };

const JSON_ONLY = { "content-type": "application/json" };
const OK = '{"status":"OK","data":{}}';

/** `content-length` is the body's unless the headers say otherwise. */
export function rawAnswer({ status, headers = JSON_ONLY, body = "" }: Given): RawAnswer {
  const content = Buffer.from(body);
  const all = { "content-length": `${content.byteLength}`, ...headers, connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Whatever"}\r\n${lines.join("")}\r\n`);
  return { head, body: content };
}

const orElse = (answer: RawAnswer): RawAnswer =>
  answer.head.byteLength > 0 ? answer : rawAnswer({ status: 200, body: OK });
const firstHalf = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.byteLength / 2));

const strikes = (name: string, strike: Fault["strike"]): Fault => ({ name, isForwarded: false, strike });

/** The same, but the service has carried the request out when it strikes. */
export const afterExecution = (struck: Fault): Fault => ({
  ...struck,
  name: `${struck.name}, after execution`,
  isForwarded: true,
});

export const cutAtStart = strikes("cut at byte 0", (socket) => socket.resetAndDestroy());
export const closedAtStart = strikes("closed at byte 0", (socket) => socket.end());
export const cutInHead = strikes("cut in the head", (socket, answer) => {
  socket.end(firstHalf(orElse(answer).head));
});
export const cutInBody = strikes("cut in the body", (socket, answer) => {
  const { head, body } = orElse(answer);
  socket.end(Buffer.concat([head, firstHalf(body)]));
});
/** The request was carried out and nobody hears of it. */
export const lostAnswer: Fault = { ...afterExecution(cutAtStart), name: "lost answer" };
/** Takes the request and never says a word. */
export const blackHole = strikes("black hole", () => {});

/** One byte at a time. */
export const drip = (everyMs: number): Fault =>
  strikes(`drip, a byte each ${everyMs} ms`, (socket, answer) => {
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
export const dripBody = (everyMs: number): Fault =>
  strikes(`body drips, a byte each ${everyMs} ms`, (socket, answer) => {
    const { head, body } = orElse(answer);
    socket.write(head);
    drip(everyMs).strike(socket, { head: body.subarray(0, 1), body: body.subarray(1) });
  });

/** Bytes that need not be HTTP at all. */
export const rawBytes = (name: string, bytes: string | Buffer): Fault =>
  strikes(name, (socket) => void socket.end(bytes));

export const answerWith = (name: string, given: Given): Fault => {
  const { head, body } = rawAnswer(given);
  return strikes(name, (socket) => void socket.end(Buffer.concat([head, body])));
};

const REFUSED = '{"message":"refused by the bench"}';

/** This status, with the interface's error body. */
export const status = (code: number, headers: Headers = {}): Fault =>
  answerWith(`${code}`, { status: code, headers: { ...JSON_ONLY, ...headers }, body: REFUSED });

const rateLimited = (retryAfter: string): Fault => ({
  ...status(429, { "retry-after": retryAfter }),
  name: `429, retry-after: "${retryAfter}"`,
});

export const redirectTo = (location: string, code = 302): Fault => ({
  ...status(code, { location }),
  name: `${code} elsewhere`,
});

/** An answer of 200 that goes on and on, in pieces of 64 KiB. */
export const endless = (sizeBytes: number): Fault =>
  strikes(`a body of ${sizeBytes / 2 ** 20} MiB`, (socket) => {
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

/** What the client makes of a call. */
export type Outcome = BankError["kind"] | "ok";

/** A fault, and what may come of it. */
export type Ordeal = {
  name: string;
  /** None: the call passes, after `delayMs`; or it does not even get a connection. */
  fault: Fault | null;
  delayMs?: number;
  isRefused?: boolean;
  becomes: readonly Outcome[];
  /** How long everybody is told to wait; null: nothing that can be read. */
  retryAfterMs?: number | null;
};

const DEEP = 100_000;
const GIBIBYTE = 2 ** 30;

const json = (name: string, body: string | Buffer): Fault => answerWith(name, { status: 200, body });
const packed = (name: string, coding: string, body: string | Buffer): Fault =>
  answerWith(name, { status: 200, headers: { ...JSON_ONLY, "content-encoding": coding }, body });
const saysLength = (name: string, length: number): Fault =>
  answerWith(name, { status: 200, headers: { ...JSON_ONLY, "content-length": `${length}` }, body: OK });

/** Each of 16 MiB; gzip's members follow each other. */
function gzipBomb(sizeBytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(16 * 2 ** 20));
  return Buffer.concat(Array.from({ length: sizeBytes / (16 * 2 ** 20) }, () => member));
}

const unanswered = (speed: number): readonly Fault[] => [
  cutAtStart,
  closedAtStart,
  cutInHead,
  cutInBody,
  blackHole,
  // So slow that the limit of the head ends the one, and nothing but the deadline the other.
  drip(400 / speed),
  dripBody(3_200 / speed),
  saysLength("shorter than it says", 1_000),
  rawBytes("101", "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
];

/** What a gateway, a proxy or a bad release sends with 200 instead of the documented answer. */
const junk = (): readonly Fault[] => [
  answerWith("HTML", {
    status: 200,
    headers: { "content-type": "text/html" },
    body: "<!doctype html><title>Sign in to the network</title><script>alert(1)</script>",
  }),
  json("empty body", ""),
  json("byte order mark", `\uFEFF${OK}`),
  json("truncated JSON", '{"status":"OK","data":{"accountId":"a'),
  json("NaN", '{"status":"OK","data":{"balance":NaN}}'),
  json("1e400", '{"status":"OK","data":{"balance":1e400,"blockedBalance":-1e400}}'),
  json("100,000 brackets", "[".repeat(DEEP)),
  json("100,000 levels", "[".repeat(DEEP) + "]".repeat(DEEP)),
  json("null", "null"),
  json("a number", "42"),
  json("wrong types", '{"status":{},"data":["a",{"balance":"12,50"}],"page":null,"result":7}'),
  json("__proto__", '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}'),
  json("a key twice", '{"status":"OK","status":"ERROR","data":{},"data":[]}'),
  json("not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  answerWith("204", { status: 204, headers: {} }),
  packed("unknown packing", "zstd", OK),
  packed("packed, it says", "gzip", OK),
  packed("1 GiB of zeros, packed", "gzip", gzipBomb(GIBIBYTE)),
  endless(GIBIBYTE),
  saysLength("longer than it says", 10),
  rawBytes("no HTTP", "SSH-2.0-OpenSSH_9.6\r\n"),
  rawBytes("endless head", `HTTP/1.1 200 OK\r\nx-long: ${"a".repeat(100_000)}\r\n\r\n`),
  rawBytes("lengths disagree", `HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 7\r\n\r\n${OK}`),
];

const REFUSALS = [400, 402, 403, 404, 405, 409, 412, 418, 422];
const TROUBLES = [500, 501, 502, 503, 504, 599];
const REDIRECTS = [300, 301, 302, 303, 304, 307, 308];

/** As it is on the wire, and what of it is obeyed: at most a minute. */
const retryAfters = (): readonly [string, number | null][] => [
  ["7", 7_000],
  ["0", 0],
  ["1000000000", 60_000],
  ["-1", null],
  ["1e9", null],
  ["abc", null],
  ["", null],
  [new Date(Date.now() - 3_600_000).toUTCString(), null],
];

const both = (fault: Fault): readonly Fault[] => [fault, afterExecution(fault)];
const of = (fault: Fault, ...becomes: readonly Outcome[]): Ordeal => ({ name: fault.name, fault, becomes });

/**
 * Every kind of fault, for a client whose clock goes `speed` times as fast; redirects lead to the `canary`. What spoils an
 * answer comes twice: instead of the service's, and after the service carried the request out.
 */
export const catalogue = ({ canary, speed }: { canary: string; speed: number }): readonly Ordeal[] => [
  { name: "none", fault: null, becomes: ["ok"] },
  { name: "slow, but in time", fault: null, delayMs: 100, becomes: ["ok"] },
  { name: "connection refused", fault: null, isRefused: true, becomes: ["unavailable"] },
  ...unanswered(speed)
    .flatMap(both)
    .map((each) => of(each, "unavailable")),
  // A body nobody documented may be taken as it comes.
  ...junk()
    .flatMap(both)
    .map((each) => of(each, "malformed", "ok")),
  of(status(202), "held"),
  of(status(401), "forbidden"),
  ...REFUSALS.map((code) => of(status(code), kindOf(code, undefined))),
  ...REDIRECTS.map((code) => redirectTo(canary, code))
    .flatMap(both)
    .map((each) => of(each, "malformed")),
  ...TROUBLES.map((code) => status(code))
    .flatMap(both)
    .map((each) => of(each, "unavailable")),
  ...retryAfters().map(([header, retryAfterMs]): Ordeal => {
    return { ...of(rateLimited(header), "rate-limited"), retryAfterMs };
  }),
];
