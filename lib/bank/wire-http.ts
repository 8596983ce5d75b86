import { type ClientRequest, request as requestOverHttp } from "node:http";
import { request as requestOverHttps } from "node:https";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type Incoming, type Outgoing, type Wire, WireError, type WireErrorCode } from "./wire";
import { agentsOf } from "./wire-agents";
import { readBody, reasonOf } from "./wire-body";

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
