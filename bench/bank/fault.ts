import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

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

const fault = (name: string, strike: Fault["strike"]): Fault => ({ name, isForwarded: false, strike });

/** The same, but the service has carried the request out when it strikes. */
export const afterExecution = (struck: Fault): Fault => ({
  ...struck,
  name: `${struck.name}, after execution`,
  isForwarded: true,
});

export const cutAtStart = fault("cut at byte 0", (socket) => socket.resetAndDestroy());
export const closedAtStart = fault("closed at byte 0", (socket) => socket.end());
export const cutInHead = fault("cut in the head", (socket, answer) => {
  socket.end(firstHalf(orElse(answer).head));
});
export const cutInBody = fault("cut in the body", (socket, answer) => {
  const { head, body } = orElse(answer);
  socket.end(Buffer.concat([head, firstHalf(body)]));
});
/** The request was carried out and nobody hears of it. */
export const lostAnswer: Fault = { ...afterExecution(cutAtStart), name: "lost answer" };
/** Takes the request and never says a word. */
export const blackHole = fault("black hole", () => {});

/** One byte at a time. */
export const drip = (everyMs: number): Fault =>
  fault(`drip, a byte each ${everyMs} ms`, (socket, answer) => {
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
  fault(`body drips, a byte each ${everyMs} ms`, (socket, answer) => {
    const { head, body } = orElse(answer);
    socket.write(head);
    drip(everyMs).strike(socket, { head: body.subarray(0, 1), body: body.subarray(1) });
  });

/** Bytes that need not be HTTP at all. */
export const rawBytes = (name: string, bytes: string | Buffer): Fault =>
  fault(name, (socket) => void socket.end(bytes));

export const answerWith = (name: string, given: Given): Fault => {
  const { head, body } = rawAnswer(given);
  return fault(name, (socket) => void socket.end(Buffer.concat([head, body])));
};

/** This status, with the interface's error body. */
export const status = (code: number, headers: Headers = {}): Fault => {
  const said = Object.entries(headers).map(([name, value]) => `, ${name}: "${value}"`);
  const body = '{"message":"refused by the bench"}';
  return answerWith(`${code}${said.join("")}`, { status: code, headers: { ...JSON_ONLY, ...headers }, body });
};

export const rateLimited = (retryAfter: string): Fault => status(429, { "retry-after": retryAfter });

export const redirectTo = (location: string): Fault =>
  answerWith("302 elsewhere", { status: 302, headers: { ...JSON_ONLY, location } });

/** An answer of 200 that goes on and on, in pieces of 64 KiB. */
export const endless = (sizeBytes: number): Fault =>
  fault(`a body of ${sizeBytes / 2 ** 20} MiB`, (socket) => {
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

/** What a gateway, a proxy or a bad release sends with 200 instead of the documented JSON. */
export const junkBodies: readonly Fault[] = [
  answerWith("HTML", {
    status: 200,
    headers: { "content-type": "text/html" },
    body: "<!doctype html><title>Sign in to the network</title><script>alert(1)</script>",
  }),
  answerWith("empty body", { status: 200 }),
  answerWith("byte order mark", { status: 200, body: `\uFEFF${OK}` }),
  answerWith("truncated JSON", { status: 200, body: '{"status":"OK","data":{"accountId":"a' }),
  answerWith("NaN", { status: 200, body: '{"status":"OK","data":{"balance":NaN}}' }),
  answerWith("1e400", { status: 200, body: '{"status":"OK","data":{"balance":1e400,"blockedBalance":-1e400}}' }),
  answerWith("100,000 brackets deep", { status: 200, body: "[".repeat(100_000) }),
  answerWith("100,000 levels deep, closed", { status: 200, body: "[".repeat(100_000) + "]".repeat(100_000) }),
  answerWith("null", { status: 200, body: "null" }),
  answerWith("a number", { status: 200, body: "42" }),
  answerWith("wrong types", {
    status: 200,
    body: '{"status":{},"data":["a",{"balance":"12,50"}],"page":null,"result":7}',
  }),
  answerWith("__proto__", { status: 200, body: '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}' }),
  answerWith("a key twice", { status: 200, body: '{"status":"OK","status":"ERROR","data":{},"data":[]}' }),
  answerWith("not UTF-8", { status: 200, body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) }),
  answerWith("204", { status: 204, headers: {} }),
  answerWith("unknown packing", { status: 200, headers: { ...JSON_ONLY, "content-encoding": "zstd" }, body: OK }),
  answerWith("packed, says it, is not", {
    status: 200,
    headers: { ...JSON_ONLY, "content-encoding": "gzip" },
    body: OK,
  }),
  answerWith("longer than it says", { status: 200, headers: { ...JSON_ONLY, "content-length": "10" }, body: OK }),
  answerWith("shorter than it says", { status: 200, headers: { ...JSON_ONLY, "content-length": "1000" }, body: OK }),
  rawBytes("not HTTP", "SSH-2.0-OpenSSH_9.6\r\n"),
  rawBytes("endless head", `HTTP/1.1 200 OK\r\nx-long: ${"a".repeat(100_000)}\r\n\r\n`),
  rawBytes("101", "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
];

/** What `Retry-After` holds when somebody else wrote it; a date is added by who knows the time. */
export const oddRetryAfters = ["7", "-1", "abc", "1e9", "", "1000000000"] as const;
