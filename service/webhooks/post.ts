import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest, type RequestOptions } from "node:https";
import type { Settings } from "@/service/settings";
import { DeliveryError, type DeliveryErrorWord, wordFor } from "./delivery-error";
import { type Destination, readDestination } from "./destination";
import { guardedLookup, type Resolve, resolveOwnHost, resolvePublicHost } from "./resolve-host";

/** What is sent, to the byte. */
export type Letter = { url: string; headers: Record<string, string>; body: string };

/** The status of the receiver's answer, or why there is none. */
export type Answer = { httpStatus: number; error: null } | { httpStatus: null; error: DeliveryErrorWord };

/** Sends a letter once and gives the answer; never throws. An abort breaks the connection. */
export type Post = (letter: Letter, signal: AbortSignal) => Promise<Answer>;

/** What tests bring in: another resolver of public names, another certificate authority. */
type Network = { resolve?: Resolve; ca?: string };

/** From the first question to DNS to the head of the answer (interface: Limits › Webhook response time). */
const ANSWER_WITHIN_MS = 30_000;

/** An answer's body means nothing to us; this much is heard out, so that a polite receiver is not cut off. */
const HEAR_OUT_MS = 1_000;
const HEAR_OUT_BYTES = 65_536;

const failed = (error: DeliveryErrorWord): Answer => ({ httpStatus: null, error });

function hearOut(request: ClientRequest, response: IncomingMessage): void {
  let sizeBytes = 0;
  const limit = setTimeout(() => request.destroy(), HEAR_OUT_MS);
  request.once("close", () => clearTimeout(limit));
  response.on("data", (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes > HEAR_OUT_BYTES) request.destroy();
  });
  // The answer's head has decided; how its body ends changes nothing.
  response.on("error", () => undefined);
}

function exchange(request: ClientRequest, body: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    let answer: Answer = failed("connection-closed");
    const limit = setTimeout(() => request.destroy(new DeliveryError("timeout")), ANSWER_WITHIN_MS);
    const abandon = () => request.destroy();
    signal.addEventListener("abort", abandon, { once: true });
    request.once("response", (response) => {
      clearTimeout(limit);
      answer = { httpStatus: response.statusCode ?? 0, error: null };
      hearOut(request, response);
    });
    request.on("error", (error) => {
      if (answer.httpStatus === null) answer = failed(wordFor(error));
    });
    request.once("close", () => {
      clearTimeout(limit);
      signal.removeEventListener("abort", abandon);
      resolve(answer);
    });
    request.end(body);
  });
}

function open(
  { url, hostname, isOwn }: Destination,
  headers: Letter["headers"],
  { ca, resolve = resolvePublicHost }: Network,
) {
  const options: RequestOptions = {
    method: "POST",
    hostname,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers,
    // A connection of its own: its name is resolved, and its addresses checked, for this attempt.
    agent: false,
    lookup: guardedLookup(isOwn ? resolveOwnHost : resolve, isOwn),
  };
  if (url.protocol === "http:") return plainRequest(options);
  return secureRequest({
    ...options,
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
}

/**
 * The way out to the tenants' receivers (interface: Events › Delivery rules): TLS 1.2 or later with a valid certificate,
 * no redirects, no cookies, and no address but public ones or the operator's own.
 */
export function createPost(settings: Settings, network: Network = {}): Post {
  const send: Post = async ({ url, headers, body }, signal) => {
    const destination = readDestination(url, settings);
    if (typeof destination === "string") return failed(destination);
    return exchange(open(destination, headers, network), body, signal);
  };
  return (letter, signal) => send(letter, signal).catch((error: unknown) => failed(wordFor(error)));
}
