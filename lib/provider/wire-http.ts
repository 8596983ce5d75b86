import type { WIRE_CODES } from "@/lib/errors/result";
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as requestOverHttp } from "node:http";
import { Agent as HttpsAgent, request as requestOverHttps } from "node:https";
import type { Socket } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { TLSSocket } from "node:tls";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

type Agents = { pooled: HttpAgent; fresh: HttpAgent };

declare global {
  var retaguardaWireAgents: Readonly<{ http: Agents; https: Agents }> | undefined;
}

/** More than a minute's calls, all hanging. */
const MAX_SOCKETS = 256;
/** Below the usual 5 s of servers, so that we close first. */
const IDLE_MS = 4_000;

// Latest first, so that the extra connections of a burst become idle and close.
const KEPT = {
  keepAlive: true,
  maxSockets: MAX_SOCKETS,
  maxFreeSockets: 32,
  timeout: IDLE_MS,
  scheduling: "lifo",
} as const;
const FRESH = { keepAlive: false, maxTotalSockets: MAX_SOCKETS } as const;
// Whatever the environment: an unverified server gets no token.
const VERIFIED = { rejectUnauthorized: true, minVersion: "TLSv1.2" } as const;

/** Per process and protocol, though Next loads modules several times. */
function agentsOf({ protocol }: URL): Agents {
  globalThis.retaguardaWireAgents ??= {
    http: { pooled: new HttpAgent(KEPT), fresh: new HttpAgent(FRESH) },
    https: { pooled: new HttpsAgent({ ...KEPT, ...VERIFIED }), fresh: new HttpsAgent({ ...FRESH, ...VERIFIED }) },
  };
  return globalThis.retaguardaWireAgents[protocol === "https:" ? "https" : "http"];
}

type Body = { text: string } | { code: WireErrorCode; reason: string | null };

/** Larger pieces need fewer turns of zlib's threads. */
const PIECE = { chunkSize: 64 * 1024 };

const INFLATERS = new Map([
  ["gzip", () => createGunzip(PIECE)],
  ["x-gzip", () => createGunzip(PIECE)],
  ["deflate", () => createInflate(PIECE)],
  ["br", () => createBrotliDecompress(PIECE)],
]);

type BodyRead = {
  maxBytes: number;
  /** Inflating may outlast receiving, and counts as no pause. */
  onPiece: () => void;
  settle: (body: Body) => void;
};

const reasonOf = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;

function gather(stream: Readable, { maxBytes, onPiece, settle }: BodyRead): void {
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

/** An empty body has no compression to undo. */
const isEmpty = ({ statusCode, headers }: IncomingMessage) =>
  statusCode === 204 || statusCode === 304 || headers["content-length"] === "0";

/** UTF-8 whatever the charset says. Inflates gzip, deflate and br; `maxBytes` counts the inflated bytes. */
function readBody(answer: IncomingMessage, reading: BodyRead): void {
  const { settle, onPiece } = reading;
  const coding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  answer.on("error", (error) => settle({ code: "answer-cut-off", reason: reasonOf(error) }));
  if (coding === "identity" || coding === "" || isEmpty(answer)) return gather(answer, reading);
  const createInflater = INFLATERS.get(coding);
  if (createInflater === undefined) return settle({ code: "answer-not-readable", reason: null });
  const inflated = createInflater();
  answer.on("data", onPiece);
  gather(inflated, reading);
  // zlib may fail after the pipeline ended.
  inflated.on("error", (error) => settle({ code: "answer-not-readable", reason: reasonOf(error) }));
  pipeline(answer, inflated, () => {});
}

/** Milliseconds, and bytes after inflating. `connectMs` includes DNS and TLS; a body may pause for `firstByteMs`. */
export type Limits = { connectMs: number; firstByteMs: number; totalMs: number; maxBytes: number };

export type Outgoing = {
  method: "GET" | "POST" | "PUT";
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string;
  limits: Limits;
  /** A kept connection may close just then, and the request's outcome would be unknown. */
  isFresh?: boolean;
};

/** Redirects are not followed. `header` takes lower-case names. */
export type Incoming = { status: number; header: (name: string) => string | null; text: string };

export type Wire = (call: Outgoing) => Promise<Incoming>;

/**
 * `not-sent` it is no valid request · `no-connection` refused, not found, not trusted or not in time · `no-answer` the
 * connection or the time ended before the answer's head · `answer-cut-off` before its end · `answer-too-slow` it paused
 * or dripped beyond the limits · `answer-too-large` · `answer-not-readable` no HTTP, or compressed in a way that cannot
 * be undone.
 */
type WireErrorCode = (typeof WIRE_CODES)[number];

export class WireError extends Error {
  override name = "WireError";

  constructor(
    readonly code: WireErrorCode,
    /** False only when no byte was handed to a connection. */
    readonly mayHaveExecuted: boolean,
    /** `ECONNREFUSED`; the error itself may quote the answer. */
    readonly reason: string | null = null,
  ) {
    super(reason === null ? code : `${code} (${reason})`);
  }
}

const LONGEST_PAUSE_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 200;

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
    agent: isFresh ? agents.fresh : agents.pooled,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  });
}

function whenConnected(socket: Socket, connected: () => void): void {
  if (socket instanceof TLSSocket && !socket.authorized) socket.once("secureConnect", connected);
  else if (socket.connecting) socket.once("connect", connected);
  else connected();
}

function codeOf(stage: Stage, reason: string | null): WireErrorCode {
  if (reason === "HPE_HEADER_OVERFLOW") return "answer-too-large";
  return reason?.startsWith("HPE_") ? "answer-not-readable" : CUT_OFF[stage];
}

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
    // Only now, so that earlier failures have certainly sent nothing.
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
  request.maxHeadersCount = MAX_HEADERS;
  request.on("error", (error) => fail(codeOf(stage, reasonOf(error)), reasonOf(error)));
  // A body cut off reports itself; a complete one may still be inflating.
  request.once("close", () => stage !== "reading" && fail(CUT_OFF[stage], null));
}

/** Once: no redirects, TLS always verified, time and memory limited. */
export const sendOverHttp: Wire = (call) =>
  new Promise<Incoming>((resolve, reject) => exchange(call, reject, resolve)).catch((error: unknown) => {
    // A header that HTTP cannot carry: nothing was sent.
    throw error instanceof WireError ? error : new WireError("not-sent", false, reasonOf(error));
  });
