import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const ACCEPTED_WITHIN_MS = 200;
const REQUESTS_WITHIN_MS = 30_000;
const BODIES_WITHIN_MS = 5_000;

type Server = EventEmitter & { close: (done: () => void) => unknown };

/** To be called before listening. In-flight requests finish within 30 s; a body must be complete within 5 s. */
export function drainable(server: Server): () => Promise<void> {
  // Pipelined requests are answered in order: once the last one is done, all are.
  const lastOn = new Map<Socket, ServerResponse | null>();
  let isDraining = false;

  const inFlight = (): [Socket, ServerResponse][] =>
    [...lastOn].flatMap(([socket, last]) => (last && !last.closed ? [[socket, last]] : []));
  const closeWithoutRequest = (): void => {
    for (const [socket, last] of lastOn) if (!last || last.closed) socket.destroySoon();
  };
  const cutOffBodies = (): void => {
    for (const [socket, { req }] of inFlight()) if (!req.complete) socket.destroy();
  };
  const cutOffAll = (): void => {
    for (const socket of lastOn.keys()) socket.destroy();
  };

  server.on("connection", (socket: Socket) => {
    lastOn.set(socket, null);
    socket.once("close", () => lastOn.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (lastOn.has(socket)) lastOn.set(socket, response);
    if (isDraining) response.once("close", closeWithoutRequest);
  });

  return async () => {
    // A connection from before the signal may still wait to be accepted.
    await pause(ACCEPTED_WITHIN_MS);
    isDraining = true;
    const closed = new Promise<void>((resolve) => server.close(resolve));
    // Requests that came together with the signal are read first.
    await pause(0);
    closeWithoutRequest();
    for (const [, last] of inFlight()) last.once("close", closeWithoutRequest);
    const bodies = setTimeout(cutOffBodies, BODIES_WITHIN_MS);
    const all = setTimeout(cutOffAll, REQUESTS_WITHIN_MS);
    await closed;
    clearTimeout(bodies);
    clearTimeout(all);
  };
}
