import { gzipSync } from "node:zlib";
import { type BankError, kindOf } from "@/lib/bank/answer";
import {
  afterExecution,
  answerWith,
  blackHole,
  closedAtStart,
  cutAtStart,
  cutInBody,
  cutInHead,
  drip,
  dripBody,
  endless,
  type Fault,
  rateLimited,
  rawBytes,
  redirectTo,
  status,
} from "./fault";

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

const JSON_ONLY = { "content-type": "application/json" };
const OK = '{"status":"OK","data":{}}';
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
    .map((fault) => of(fault, "unavailable")),
  // A body nobody documented may be taken as it comes.
  ...junk()
    .flatMap(both)
    .map((fault) => of(fault, "malformed", "ok")),
  of(status(202), "held"),
  of(status(401), "forbidden"),
  ...REFUSALS.map((code) => of(status(code), kindOf(code, undefined))),
  ...REDIRECTS.map((code) => redirectTo(canary, code))
    .flatMap(both)
    .map((fault) => of(fault, "malformed")),
  ...TROUBLES.map((code) => status(code))
    .flatMap(both)
    .map((fault) => of(fault, "unavailable")),
  ...retryAfters().map(([header, retryAfterMs]): Ordeal => {
    return { ...of(rateLimited(header), "rate-limited"), retryAfterMs };
  }),
];
