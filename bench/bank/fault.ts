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

const REFUSED = '{"message":"refused by the bench"}';

/** This status, with the interface's error body. */
export const status = (code: number, headers: Headers = {}): Fault =>
  answerWith(`${code}`, { status: code, headers: { ...JSON_ONLY, ...headers }, body: REFUSED });

export const rateLimited = (retryAfter: string): Fault => ({
  ...status(429, { "retry-after": retryAfter }),
  name: `429, retry-after: "${retryAfter}"`,
});

export const redirectTo = (location: string, code = 302): Fault => ({
  ...status(code, { location }),
  name: `${code} elsewhere`,
});

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
