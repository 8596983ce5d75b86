import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as requestOverHttp } from "node:http";
import { Agent as HttpsAgent, request as requestOverHttps } from "node:https";
import type { Socket } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { TLSSocket } from "node:tls";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

type Agents = { kept: HttpAgent; fresh: HttpAgent };

declare global {
  var retaguardaWireAgents: Readonly<{ http: Agents; https: Agents }> | undefined;
}

/** More than a whole minute's calls, all of them hanging. */
const MOST_SOCKETS = 256;
/** Shorter than servers commonly keep idle connections (5 s), so that ours is seldom the one that finds out. */
const IDLE_MS = 4_000;

// The latest first: those that a burst left behind go idle and close.
const KEPT = {
  keepAlive: true,
  maxSockets: MOST_SOCKETS,
  maxFreeSockets: 32,
  timeout: IDLE_MS,
  scheduling: "lifo",
} as const;
const FRESH = { keepAlive: false, maxTotalSockets: MOST_SOCKETS } as const;
// Whatever the environment says of it: who is not verified gets no bearer.
const VERIFIED = { rejectUnauthorized: true, minVersion: "TLSv1.2" } as const;

/** The connections of this process, kept for each origin apart: Next loads modules several times, and all share them. */
function agentsOf({ protocol }: URL): Agents {
  globalThis.retaguardaWireAgents ??= {
    http: { kept: new HttpAgent(KEPT), fresh: new HttpAgent(FRESH) },
    https: { kept: new HttpsAgent({ ...KEPT, ...VERIFIED }), fresh: new HttpsAgent({ ...FRESH, ...VERIFIED }) },
  };
  return globalThis.retaguardaWireAgents[protocol === "https:" ? "https" : "http"];
}

/** What became of a body; `reason` is the system's own code. */
type Body = { text: string } | { code: WireErrorCode; reason: string | null };

/** Four times the usual: each piece is a turn of zlib's own threads. */
const PIECE = { chunkSize: 64 * 1024 };

const INFLATERS = new Map([
  ["gzip", () => createGunzip(PIECE)],
  ["x-gzip", () => createGunzip(PIECE)],
  ["deflate", () => createInflate(PIECE)],
  ["br", () => createBrotliDecompress(PIECE)],
]);

type Reading = {
  maxBytes: number;
  /** Something came, or was unpacked: that may take longer than the coming, and is nobody's pause. */
  onPiece: () => void;
  /** May be called more than once: the first call holds. */
  settle: (body: Body) => void;
};

const reasonOf = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;

/** Reads at most `maxBytes` of what is no longer packed. */
function gather(stream: Readable, { maxBytes, onPiece, settle }: Reading): void {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  stream.on("data", (chunk: Buffer) => {
    onPiece();
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) {
      chunks.length = 0;
      settle({ code: "answer-too-large", reason: null });
      stream.destroy();
    } else chunks.push(chunk);
  });
  stream.once("end", () => {
    const [only] = chunks;
    const whole = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, sizeBytes);
    settle({ text: whole.toString("utf8") });
  });
}

/** A packed nothing is nothing too: there is no end of the packing to look for. */
const isEmpty = ({ statusCode, headers }: IncomingMessage) =>
  statusCode === 204 || statusCode === 304 || headers["content-length"] === "0";

/**
 * Reads an answer's body, as UTF-8 whatever its charset. It is asked for plain, but what stands between may pack it all
 * the same: gzip, deflate and br are undone, and `maxBytes` counts what comes out.
 */
function readBody(answer: IncomingMessage, reading: Reading): void {
  const { settle, onPiece } = reading;
  const coding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  answer.on("error", (error) => settle({ code: "answer-cut-off", reason: reasonOf(error) }));
  if (coding === "identity" || coding === "" || isEmpty(answer)) return gather(answer, reading);
  const createInflater = INFLATERS.get(coding);
  if (createInflater === undefined) return settle({ code: "answer-not-readable", reason: null });
  const inflated = createInflater();
  answer.on("data", onPiece);
  gather(inflated, reading);
  // The pipeline stops listening when it ends, but zlib may fail later.
  inflated.on("error", (error) => settle({ code: "answer-not-readable", reason: reasonOf(error) }));
  pipeline(answer, inflated, () => {});
}

/**
 * Milliseconds, but for `maxBytes`, which counts the answer's body after inflating. `connectMs`: name, TCP and TLS.
 * `firstByteMs`: from the request's last byte to the end of the answer's head; a body may pause as long, 10 s at most.
 */
export type Limits = { connectMs: number; firstByteMs: number; totalMs: number; maxBytes: number };

export type Outgoing = {
  method: "GET" | "POST" | "PUT";
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string;
  limits: Limits;
  /** Over a connection of its own: a kept one may close just then, and nobody would know whether the request arrived. */
  isFresh?: boolean;
};

/** Any status, a redirect's too: none is followed. `header` takes lower-case names. */
export type Incoming = { status: number; header: (name: string) => string | null; text: string };

/** One exchange with the provider; rejects with `WireError` alone. */
export type Wire = (call: Outgoing) => Promise<Incoming>;

/**
 * `not-sent` it cannot be written as a request · `no-connection` refused, not found, not trusted or not in time ·
 * `no-answer` the connection ended, or the time did, before the answer's head · `answer-cut-off` before its end ·
 * `answer-too-slow` it paused or dripped beyond the limits · `answer-too-large` · `answer-not-readable` no HTTP, or
 * packed in a way that cannot be undone.
 */
type WireErrorCode =
  | "not-sent"
  | "no-connection"
  | "no-answer"
  | "answer-cut-off"
  | "answer-too-slow"
  | "answer-too-large"
  | "answer-not-readable";

export class WireError extends Error {
  override name = "WireError";

  constructor(
    readonly code: WireErrorCode,
    /** False only when no byte of the request was handed to a connection. */
    readonly mayHaveExecuted: boolean,
    /** The system's own code (`ECONNREFUSED`). The error itself is dropped: some of them quote the answer. */
    readonly reason: string | null = null,
  ) {
    super(reason === null ? code : `${code} (${reason})`);
  }
}

const LONGEST_PAUSE_MS = 10_000;
const MOST_HEADER_BYTES = 16 * 1024;
const MOST_HEADERS = 200;

/** How far an exchange has come, and what it fails with from there on. */
type Stage = "connecting" | "waiting" | "reading";
const CUT_OFF = { connecting: "no-connection", waiting: "no-answer", reading: "answer-cut-off" } as const;
const TOO_SLOW = { connecting: "no-connection", waiting: "no-answer", reading: "answer-too-slow" } as const;

function open({ method, url, headers, body, isFresh = false }: Outgoing): ClientRequest {
  const agents = agentsOf(url);
  const send = url.protocol === "https:" ? requestOverHttps : requestOverHttp;
  return send(url, {
    method,
    headers: {
      "accept-encoding": "identity",
      ...headers,
      ...(method !== "GET" && { "content-length": Buffer.byteLength(body ?? "") }),
    },
    agent: isFresh ? agents.fresh : agents.kept,
    maxHeaderSize: MOST_HEADER_BYTES,
    insecureHTTPParser: false,
  });
}

/** Calls `connected` once the connection stands; a verified one, where it is TLS. */
function whenConnected(socket: Socket, connected: () => void): void {
  if (socket instanceof TLSSocket && !socket.authorized) socket.once("secureConnect", connected);
  else if (socket.connecting) socket.once("connect", connected);
  else connected();
}

function codeOf(stage: Stage, reason: string | null): WireErrorCode {
  if (reason === "HPE_HEADER_OVERFLOW") return "answer-too-large";
  return reason?.startsWith("HPE_") ? "answer-not-readable" : CUT_OFF[stage];
}

/** One exchange over one connection. */
function exchange(call: Outgoing, failed: (error: WireError) => void, answered: (answer: Incoming) => void): void {
  const { limits } = call;
  const request = open(call);
  let stage: Stage = "connecting";
  let isSettled = false;
  let step: NodeJS.Timeout | undefined;

  const settle = () => {
    const isFirst = !isSettled;
    isSettled = true;
    clearTimeout(total);
    clearTimeout(step);
    return isFirst;
  };
  const fail = (code: WireErrorCode, reason: string | null) => {
    if (!settle()) return;
    request.destroy();
    failed(new WireError(code, stage !== "connecting", reason));
  };
  const late = () => fail(TOO_SLOW[stage], "ETIMEDOUT");
  const total = setTimeout(late, limits.totalMs);

  request.once("socket", (socket) => {
    if (isSettled) return;
    step = setTimeout(late, limits.connectMs);
    // Written only now, so that whatever fails before has certainly sent nothing.
    whenConnected(socket, () => {
      if (isSettled) return;
      clearTimeout(step);
      stage = "waiting";
      step = setTimeout(late, limits.firstByteMs);
      request.end(call.body);
    });
  });
  request.once("response", (answer) => {
    if (isSettled) return answer.destroy();
    stage = "reading";
    clearTimeout(step);
    const pause = setTimeout(late, Math.min(limits.firstByteMs, LONGEST_PAUSE_MS));
    step = pause;
    readBody(answer, {
      maxBytes: limits.maxBytes,
      onPiece: () => void pause.refresh(),
      settle: (body) => {
        if (!("text" in body)) return fail(body.code, body.reason);
        if (!settle()) return;
        const header = (name: string) => {
          const value = answer.headers[name];
          return value === undefined ? null : String(value);
        };
        answered({ status: answer.statusCode ?? 0, header, text: body.text });
      },
    });
  });
  request.maxHeadersCount = MOST_HEADERS;
  request.on("error", (error) => fail(codeOf(stage, reasonOf(error)), reasonOf(error)));
  // A body that was cut off says so itself, and one that came whole may still be being unpacked.
  request.once("close", () => stage !== "reading" && fail(CUT_OFF[stage], null));
}

/** Sends by node:http, once: no redirect is followed, TLS is always verified, time and memory are bounded. */
export const sendOverHttp: Wire = (call) =>
  new Promise<Incoming>((resolve, reject) => exchange(call, reject, resolve)).catch((error: unknown) => {
    // A header that HTTP cannot carry: the request was never made.
    throw error instanceof WireError ? error : new WireError("not-sent", false, reasonOf(error));
  });
