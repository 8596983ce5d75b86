import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/** An answer as raw bytes. */
export type RawAnswer = { head: Buffer; body: Buffer };

/** A fault for a request at the proxy. */
export type Fault = {
  name: string;
  /** Whether the service receives and executes the request before the fault. */
  isForwarded: boolean;
  /** Answers on the connection, or does something else; `answer` is the service's, empty when not asked. */
  strike: (socket: Socket, answer: RawAnswer) => void;
};

type Headers = Readonly<Record<string, string>>;
type Given = { status: number; headers?: Headers; body?: string | Buffer };

export const JSON_ONLY = { "content-type": "application/json" };
const OK = '{"status":"OK","data":{}}';

/** `content-length` is the body's unless the headers say otherwise. */
export function rawAnswer({ status, headers = JSON_ONLY, body = "" }: Given): RawAnswer {
  const content = Buffer.from(body);
  const all = { "content-length": `${content.byteLength}`, ...headers, connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Whatever"}\r\n${lines.join("")}\r\n`);
  return { head, body: content };
}

export const orElse = (answer: RawAnswer): RawAnswer =>
  answer.head.byteLength > 0 ? answer : rawAnswer({ status: 200, body: OK });
export const firstHalf = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.byteLength / 2));

export const strikes = (name: string, strike: Fault["strike"]): Fault => ({ name, isForwarded: false, strike });

/** The same, after the service has executed the request. */
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
/** The request is executed and its answer lost. */
export const lostAnswer: Fault = { ...afterExecution(cutAtStart), name: "lost answer" };

export const answerWith = (name: string, given: Given): Fault => {
  const { head, body } = rawAnswer(given);
  return strikes(name, (socket) => void socket.end(Buffer.concat([head, body])));
};
